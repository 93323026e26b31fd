// SPDX-License-Identifier: Apache-2.0
// What Hand Engine says about gloves rather than hands, once a second; for programs that help a person to set up
// gloves.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "hand/hand_engine/rig_axes.hpp"
#include "protocol/hand.hpp"

namespace glove {

// The beginning of a text of the sender's: any bytes, for a place that no allocation can fail in.
class ShortText {
public:
    ShortText() = default;
    ShortText& operator=(std::string_view text) noexcept {
        size_ = std::min(text.size(), bytes_.size());
        std::copy_n(text.begin(), size_, bytes_.begin());
        return *this;
    }
    [[nodiscard]] std::string_view view() const noexcept { return {bytes_.data(), size_}; }

private:
    std::array<char, 48> bytes_{};
    std::size_t size_ = 0;
};

struct HandEngineStatus {
    struct Glove {
        std::int64_t received_ns = 0;  // 0: not heard of; then only id, revision and rig may be known
        bool calibrated = true;        // taken for calibrated until Hand Engine says otherwise
        float battery = std::numeric_limits<float>::quiet_NaN();  // range not documented; not a number: not said
        ShortText id;
        ShortText revision;
        ShortText product;
        ShortText firmware;
        ShortText dongle;
        RigVerdict rig = RigVerdict::undecided;  // as seen from the way the fingers bend
    };
    struct Dongle {
        std::int64_t received_ns = 0;  // 0: this place is free
        ShortText id;
        ShortText firmware;
    };

    std::int64_t performer_received_ns = 0;  // 0: not heard of
    std::int32_t performer = 0;              // whose hands they are
    bool staged = false;
    ShortText performer_name;
    std::array<Glove, kHandCount> gloves;  // left, right
    std::array<Dongle, 4> dongles;
};

}  // namespace glove
