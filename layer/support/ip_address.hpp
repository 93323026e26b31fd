// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace glove {

enum class AddressKind : std::uint8_t {
    none,      // not a literal IPv4 or IPv6 address; host names are none
    loopback,  // 127.0.0.0/8 or ::1: only programs of this computer reach it
    other
};

[[nodiscard]] AddressKind address_kind(const std::string& text) noexcept;

}  // namespace glove
