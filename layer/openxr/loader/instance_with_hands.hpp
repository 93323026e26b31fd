// SPDX-License-Identifier: Apache-2.0
// The instance of an application that enabled an extension of ours. Defined in app/, as the intercepted functions are:
// this room includes nothing above it.
#pragma once

#include "openxr/loader/extensions.hpp"
#include "openxr/loader/loader_interface.hpp"
#include "openxr/loader/pass_through_instances.hpp"

namespace glove::instance_with_hands {

// Makes it below and here. `role`: whether it works here or, where an element below lacks core functions, stands aside.
// Any error is that of the call below, and then nothing is left of it. Throws std::bad_alloc, with nothing left either.
[[nodiscard]] XrResult create(const XrInstanceCreateInfo& info, const EnabledFeatures& features,
                              const XrApiLayerCreateInfo& layer_info, XrInstance* handle, Role& role);

// What the application gets for `name` (rule 1.3).
[[nodiscard]] XrResult get_proc(XrInstance handle, const char* name, PFN_xrVoidFunction* function) noexcept;

}  // namespace glove::instance_with_hands
