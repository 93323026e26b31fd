// SPDX-License-Identifier: Apache-2.0
// An implicit layer that cannot be loaded stops every OpenXR program of its user. So its library is tried first, the
// way the loader takes it, in a process of its own: whatever happens there happens to nobody else.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "openxr/loader/loader_interface.hpp"

namespace glove::ctl {

inline constexpr std::chrono::milliseconds kLongestTrial = std::chrono::seconds(10);

// Loads and negotiates. Why that fails, in the words of who refused; empty: it does not.
[[nodiscard]] std::string try_library(const std::filesystem::path& library,
                                      std::chrono::milliseconds longest = kLongestTrial);

using NegotiateLayer = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest*);
inline constexpr const char* kNegotiation = "xrNegotiateLoaderApiLayerInterface";

// The loader's side of the negotiation. `negotiate`: null when the library has no such function.
[[nodiscard]] std::string problem_of_negotiation(NegotiateLayer negotiate);

#if defined(_WIN32)
// What the new process does, which is this program with this argument; it answers on stdout.
inline constexpr const char* kTrialCommand = "try-library";
void answer_trial();
#endif

}  // namespace glove::ctl
