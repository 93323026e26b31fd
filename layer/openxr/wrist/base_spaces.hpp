// SPDX-License-Identifier: Apache-2.0
// What the application's reference spaces are made of, and with it which way is up in them. Where there is no telling
// (the head's own space, a controller's), a hand that hangs before the head is rigid to it.
#pragma once

#include "openxr/loader/platform.hpp"
#include "openxr/loader/registry.hpp"

namespace glove {

class Session;

struct BaseSpace {
    const Session* session;
    XrReferenceSpaceType type;
    XrPosef in_reference;

    [[nodiscard]] static Registry<BaseSpace>& all() noexcept;
};

// After the call below made `space`.
void remember_base_space(const Session& session, XrSpace space, const XrReferenceSpaceCreateInfo& info) noexcept;

// Unit vector, in the space's own axes. False when not known. No lock, no allocation.
[[nodiscard]] bool up_in(XrSpace base, XrVector3f& up) noexcept;

}  // namespace glove
