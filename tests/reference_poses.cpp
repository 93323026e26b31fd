// SPDX-License-Identifier: Apache-2.0
#include "reference_poses.hpp"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "folders.hpp"

namespace glove::test {
namespace {

const std::map<std::string, std::size_t> kJointByName{
    {"palm", XR_HAND_JOINT_PALM_EXT},
    {"wrist", XR_HAND_JOINT_WRIST_EXT},
    {"thumb-metacarpal", XR_HAND_JOINT_THUMB_METACARPAL_EXT},
    {"thumb-proximal", XR_HAND_JOINT_THUMB_PROXIMAL_EXT},
    {"thumb-distal", XR_HAND_JOINT_THUMB_DISTAL_EXT},
    {"thumb-tip", XR_HAND_JOINT_THUMB_TIP_EXT},
    {"index-metacarpal", XR_HAND_JOINT_INDEX_METACARPAL_EXT},
    {"index-proximal", XR_HAND_JOINT_INDEX_PROXIMAL_EXT},
    {"index-intermediate", XR_HAND_JOINT_INDEX_INTERMEDIATE_EXT},
    {"index-distal", XR_HAND_JOINT_INDEX_DISTAL_EXT},
    {"index-tip", XR_HAND_JOINT_INDEX_TIP_EXT},
    {"middle-metacarpal", XR_HAND_JOINT_MIDDLE_METACARPAL_EXT},
    {"middle-proximal", XR_HAND_JOINT_MIDDLE_PROXIMAL_EXT},
    {"middle-intermediate", XR_HAND_JOINT_MIDDLE_INTERMEDIATE_EXT},
    {"middle-distal", XR_HAND_JOINT_MIDDLE_DISTAL_EXT},
    {"middle-tip", XR_HAND_JOINT_MIDDLE_TIP_EXT},
    {"ring-metacarpal", XR_HAND_JOINT_RING_METACARPAL_EXT},
    {"ring-proximal", XR_HAND_JOINT_RING_PROXIMAL_EXT},
    {"ring-intermediate", XR_HAND_JOINT_RING_INTERMEDIATE_EXT},
    {"ring-distal", XR_HAND_JOINT_RING_DISTAL_EXT},
    {"ring-tip", XR_HAND_JOINT_RING_TIP_EXT},
    {"little-metacarpal", XR_HAND_JOINT_LITTLE_METACARPAL_EXT},
    {"little-proximal", XR_HAND_JOINT_LITTLE_PROXIMAL_EXT},
    {"little-intermediate", XR_HAND_JOINT_LITTLE_INTERMEDIATE_EXT},
    {"little-distal", XR_HAND_JOINT_LITTLE_DISTAL_EXT},
    {"little-tip", XR_HAND_JOINT_LITTLE_TIP_EXT},
};

ReferencePose parse(const nlohmann::json& entry) {
    ReferencePose pose{};
    const auto side = entry.at("hand").get<std::string>();
    if (side != "left" && side != "right") {
        throw std::runtime_error("reference pose of hand " + side);
    }
    pose.hand = side == "left" ? Hand::left : Hand::right;
    pose.pose = entry.at("pose").get<std::string>();
    pose.name = side + " " + pose.pose + ", " + entry.at("source").get<std::string>();

    pose.joint_in_wrist.fill({{0, 0, 0, 1}, {0, 0, 0}});
    const nlohmann::json& joints = entry.at("joints");
    if (joints.size() != kJointByName.size() - 1) {
        throw std::runtime_error(pose.name + ": not 25 joints");
    }
    for (const nlohmann::json& joint : joints) {
        const auto p = joint.at("position").get<std::array<float, 3>>();
        const auto q = joint.at("orientation").get<std::array<float, 4>>();
        pose.joint_in_wrist.at(kJointByName.at(joint.at("name").get<std::string>())) = {{q[0], q[1], q[2], q[3]},
                                                                                        {p[0], p[1], p[2]}};
    }
    return pose;
}

}  // namespace

std::vector<ReferencePose> reference_poses() {
    std::ifstream file(GLOVE_TESTS_DIR "/data/reference-poses-npm.json");
    const auto document = nlohmann::json::parse(file);
    std::vector<ReferencePose> poses;
    for (const nlohmann::json& entry : document.at("poses")) {
        poses.push_back(parse(entry));
    }
    if (poses.size() != 22) {
        throw std::runtime_error("reference-poses-npm.json: not 22 poses");
    }
    return poses;
}

ReferencePose reference_pose(Hand hand, const std::string& pose) {
    for (ReferencePose& candidate : reference_poses()) {
        if (candidate.hand == hand && candidate.pose == pose) {
            return candidate;
        }
    }
    throw std::runtime_error("no reference pose " + pose);
}

}  // namespace glove::test
