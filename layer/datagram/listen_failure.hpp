// SPDX-License-Identifier: Apache-2.0
// Why a port cannot be listened on, and what a person can do about just that.
#pragma once

#include <cstdint>
#include <string>
#include <system_error>

namespace glove {

enum class ListenFailure : std::uint8_t {
    port_taken,
    no_such_address,
    not_permitted,
    other,
};

[[nodiscard]] ListenFailure listen_failure(const std::error_code& error) noexcept;

// One sentence or two. Names no program: only tools look at other processes.
[[nodiscard]] std::string remedy_of(ListenFailure failure, std::uint16_t port);

}  // namespace glove
