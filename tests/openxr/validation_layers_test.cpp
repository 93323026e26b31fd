// SPDX-License-Identifier: Apache-2.0
// Debian's core_validation and api_dump beside us: the same program says the same to core_validation with and without
// us, and runs under api_dump. core_validation has faults of its own, so only what comes with us alone counts.
// Not covered: newer releases of the two; tests/monado/ has those.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "openxr/chain_fixture.hpp"

namespace glove::test {
namespace {

constexpr const char* kManifests = "/usr/share/openxr/1/api_layers/explicit.d";
constexpr const char* kValidation = "XR_APILAYER_LUNARG_core_validation";
constexpr const char* kDump = "XR_APILAYER_LUNARG_api_dump";

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Messages as lines, without the addresses and handles, which differ from run to run.
std::set<std::string> messages_in(const std::string& text) {
    std::set<std::string> messages;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        for (std::size_t at = 0; (at = line.find("0x", at)) != std::string::npos;) {
            at += 2;
            line.erase(at, line.find_first_not_of("0123456789abcdefABCDEF", at) - at);
        }
        messages.insert(line);
    }
    return messages;
}

class ValidationLayers : public ChainTest {
protected:
    void SetUp() override {
        ChainTest::SetUp();
        for (const char* name : {"core_validation", "api_dump"}) {
            bool found = false;
            std::error_code ignored;
            for (const auto& entry : std::filesystem::directory_iterator(kManifests, ignored)) {
                found |= entry.path().filename().string().find(name) != std::string::npos;
            }
            if (!found) {
                GTEST_SKIP() << "no " << name << " in " << kManifests;
            }
        }
        set_environment("XR_API_LAYER_PATH", kManifests);
    }
    struct Run {
        Outcome outcome;
        std::string messages;
    };
    [[nodiscard]] Run validate(bool with_us, const std::vector<std::string>& arguments) {
        const std::filesystem::path file = scratch() / "validation.txt";
        std::filesystem::remove(file);
        chain({with_us ? std::string(kOurs) : scratch().string()});
        set_environment("XR_ENABLE_API_LAYERS", kValidation);
        set_environment("XR_CORE_VALIDATION_EXPORT_TYPE", "text");
        set_environment("XR_CORE_VALIDATION_FILE_NAME", file.c_str());
        Outcome outcome = run_with_gloves(arguments);
        return {std::move(outcome), text_of(file)};
    }
    // What `arguments` make core_validation say with us and `without_us` does not without.
    void expect_nothing_new(const std::vector<std::string>& arguments, const std::vector<std::string>& without_us) {
        const Run bare = validate(false, without_us);
        const Run ours = validate(true, arguments);
        EXPECT_EQ(bare.outcome.status, 0) << bare.outcome.err;
        EXPECT_EQ(ours.outcome.status, 0) << ours.outcome.err;
        if (std::count(arguments.begin(), arguments.end(), "hands") != 0) {
            EXPECT_NE(ours.outcome.out.find("hands seen: 2"), std::string::npos) << ours.outcome.out;
        }
        const std::set<std::string> known = messages_in(bare.messages);
        for (const std::string& message : messages_in(ours.messages)) {
            EXPECT_EQ(known.count(message), 1u) << message;
        }
    }
};

// Else silence below would mean nothing.
TEST_F(ValidationLayers, AMistakeOfTheProgramIsSpokenOfWithUsAsWithout) {
    const Run bare = validate(false, {"mistake"});
    const Run ours = validate(true, {"mistake"});
    EXPECT_NE(bare.messages.find("xrCreateReferenceSpace"), std::string::npos) << bare.outcome.err;
    EXPECT_EQ(messages_in(ours.messages), messages_in(bare.messages));
    EXPECT_EQ(ours.outcome.status, bare.outcome.status);
    const Run with_hands = validate(true, {"hands", "mistake"});
    EXPECT_NE(with_hands.messages.find("xrCreateReferenceSpace"), std::string::npos) << with_hands.outcome.err;
}

TEST_F(ValidationLayers, HandsFromGlovesAddNoMessage) {
    expect_nothing_new({"hands"}, {});
}

TEST_F(ValidationLayers, HandsAboveARuntimesOwnAddNoMessage) {
    expect_nothing_new({"hands", "native"}, {"hands", "native"});
}

TEST_F(ValidationLayers, AProgramWithoutHandsIsValidatedAsBefore) {
    expect_nothing_new({}, {});
    expect_nothing_new({"native"}, {"native"});
}

TEST_F(ValidationLayers, LeavingWithoutDestroyingAddsNoMessage) {
    expect_nothing_new({"hands", "leave"}, {"leave"});
}

// Above us it sees what the application gets from us.
TEST_F(ValidationLayers, WhatWeGiveToALayerAboveIsValid) {
    const std::filesystem::path manifests = scratch() / "above/openxr/1/api_layers/implicit.d";
    std::filesystem::create_directories(manifests);
    for (const auto& entry : std::filesystem::directory_iterator(kManifests)) {
        std::string text = text_of(entry.path());
        if (text.find(kValidation) != std::string::npos) {
            const std::string name = "\"name\"";
            text.replace(text.find(name), name.size(), R"("disable_environment": "DISABLE_TEST_LAYER", "name")");
            std::ofstream(manifests / "core_validation.json") << text;
        }
    }
    const std::filesystem::path file = scratch() / "validation.txt";
    set_environment("XR_CORE_VALIDATION_EXPORT_TYPE", "text");
    set_environment("XR_CORE_VALIDATION_FILE_NAME", file.c_str());
    chain({(scratch() / "above").string(), kOurs});
    const Outcome outcome = run_with_gloves({"hands"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("hands seen: 2"), std::string::npos) << outcome.out;
    EXPECT_EQ(text_of(file), "");
}

TEST_F(ValidationLayers, FunctionsThatAreNotEnabledAreMissingAboveCoreValidation) {
    set_environment("XR_ENABLE_API_LAYERS", kValidation);
    make_instance({XR_MND_HEADLESS_EXTENSION_NAME});
    for (const char* name : {"xrCreateHandTrackerEXT", "xrDestroyHandTrackerEXT", "xrLocateHandJointsEXT",
                             "xrGetGloveHandStatusNOVENDOR"}) {
        EXPECT_EQ(look_for(name), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
    }
    destroy_instance();
    make_instance({XR_EXT_HAND_TRACKING_EXTENSION_NAME, XR_MND_HEADLESS_EXTENSION_NAME});
    for (const char* name : {"xrCreateHandMeshSpaceMSFT", "xrUpdateHandMeshMSFT", "xrGetHandMeshFB",
                             "xrConvertTimeToTimespecTimeKHR", "xrGetGloveHandStatusNOVENDOR"}) {
        EXPECT_EQ(look_for(name), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
    }
}

TEST_F(ValidationLayers, EverythingWorksAboveApiDump) {
    const std::filesystem::path file = scratch() / "dump.txt";
    set_environment("XR_ENABLE_API_LAYERS", kDump);
    set_environment("XR_API_DUMP_EXPORT_TYPE", "text");
    set_environment("XR_API_DUMP_FILE_NAME", file.c_str());
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"hands"}, {"hands", "native"}, {"hands", "leave"}, {}}) {
        std::filesystem::remove(file);
        const Outcome outcome = run_with_gloves(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out, arguments.empty() ? "hands seen: 0\n" : "hands seen: 2\n");
        EXPECT_NE(text_of(file).find("XrResult xrWaitFrame"), std::string::npos);
    }
}

TEST_F(ValidationLayers, BothAtOnceBelowTwoOfUs) {
    chain({kOurs, kOurs});
    const std::filesystem::path file = scratch() / "validation.txt";
    set_environment("XR_ENABLE_API_LAYERS", (std::string(kValidation) + ":" + kDump).c_str());
    set_environment("XR_CORE_VALIDATION_EXPORT_TYPE", "text");
    set_environment("XR_CORE_VALIDATION_FILE_NAME", file.c_str());
    set_environment("XR_API_DUMP_EXPORT_TYPE", "text");
    set_environment("XR_API_DUMP_FILE_NAME", (scratch() / "dump.txt").c_str());
    const Outcome outcome = run_with_gloves({"hands"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("hands seen: 2"), std::string::npos) << outcome.out;
    EXPECT_EQ(text_of(file), "");
}

}  // namespace
}  // namespace glove::test
