// SPDX-License-Identifier: Apache-2.0
// For who wants to know what gloves said before any model of a hand was laid on it.
#pragma once

#include <cstdint>

#include "protocol/finger_assembly.hpp"
#include "protocol/fnim.hpp"

namespace glove {

// Hears what makes a hand's samples, of the same sender and in the same order; not what was dropped.
class RawListener {
public:
    RawListener() = default;
    virtual ~RawListener() = default;
    RawListener(const RawListener&) = delete;
    RawListener& operator=(const RawListener&) = delete;

    // On the receivers' threads, one at a time.
    virtual void heard(const fnim::Message& message, std::int64_t received_ns) noexcept = 0;
    virtual void heard(const hand_engine::HandMessage& message, std::int64_t received_ns) noexcept = 0;
};

}  // namespace glove
