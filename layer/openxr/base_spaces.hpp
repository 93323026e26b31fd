// SPDX-License-Identifier: Apache-2.0
// Which way is up in the application's reference spaces. Where there is no telling (the head's own space, a
// controller's), a hand that hangs before the head is rigid to it.
#pragma once

#include "openxr/platform.hpp"
#include "openxr/registry.hpp"

namespace glove {

class Session;

struct BaseSpace {
    const Session* session;
    XrVector3f up;

    [[nodiscard]] static Registry<BaseSpace>& all() noexcept;
};

// After the call below made `space`.
void remember_base_space(const Session& session, XrSpace space, const XrReferenceSpaceCreateInfo& info) noexcept;

// Unit vector, in the space's own axes. False when not known. No lock, no allocation.
[[nodiscard]] bool up_in(XrSpace base, XrVector3f& up) noexcept;

}  // namespace glove
