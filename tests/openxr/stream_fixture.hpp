// SPDX-License-Identifier: Apache-2.0
// Gloves of any protocol through loader and layer, sample by sample: what was sent last is what is located, however
// fast a recording is sent.
#pragma once

#include <cstdint>

#include "openxr/loader/status_extension.hpp"
#include "openxr/loader_fixture.hpp"

namespace glove::test {

class StreamTest : public LoaderTest {
protected:
    // A session with both hands' trackers; the wrists stand still in STAGE and are tracked. `toml` goes on after that.
    void begin(const std::string& toml);

    [[nodiscard]] XrGloveHandStatusNOVENDOR status(Hand hand) const;
    // Waits until so many samples of the hand were made since begin(). False when they were not.
    [[nodiscard]] bool has_samples(Hand hand, std::uint64_t count) const;
    // The hand now, in its wrist's frame; locations as they came. Fails the test unless the hand is active.
    struct Located {
        bool active;
        JointPoses joint_in_wrist;
        std::array<XrSpaceLocationFlags, XR_HAND_JOINT_COUNT_EXT> flags;
    };
    [[nodiscard]] Located located(Hand hand) const;

    static constexpr XrSpaceLocationFlags kTracked =
        XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;

private:
    PFN_xrGetGloveHandStatusNOVENDOR get_status_ = nullptr;
    XrSpace stage_ = XR_NULL_HANDLE;
    std::array<XrHandTrackerEXT, 2> trackers_{};
};

}  // namespace glove::test
