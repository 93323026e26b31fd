// SPDX-License-Identifier: Apache-2.0
// Whether somebody who was asked to hold still does. Pure: time is a parameter.
#pragma once

#include <openxr/openxr.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace glove::ctl {

// A pose of each part of a hand that is looked at; nothing where it was not seen.
using Parts = std::vector<std::optional<XrPosef>>;

// Compares means over a quarter of a second: a sensor's noise is no motion.
class HeldPose {
public:
    // `parts`: as many as in the first call; unit quaternions.
    void add(const Parts& parts, std::int64_t now_ns);

    [[nodiscard]] bool moved() const noexcept { return moved_; }

    static constexpr std::int64_t kMeanOverNs = 250'000'000;
    static constexpr float kMostShiftM = 0.006f;
    static constexpr float kMostTurnDegrees = 8;

private:
    struct Sum {
        XrVector3f position{};
        XrQuaternionf orientation{};
        int count = 0;
    };

    void compare_means();

    std::vector<Sum> sums_;
    Parts first_;  // means over the first quarter of a second in which the part was seen
    std::int64_t began_ns_ = 0;
    bool moved_ = false;
};

}  // namespace glove::ctl
