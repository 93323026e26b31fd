// SPDX-License-Identifier: Apache-2.0
// Which calls and look-ups the failer fails at its place in the chain.
#pragma once

#include <openxr/openxr.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace glove::test_layer {

class FailerControl {
public:
    static constexpr int kAlways = -1;

    // The next calls of `function` end with `result`. An error keeps them from going on; a success code replaces
    // XR_SUCCESS after the call below. "xrCreateInstance" works as every other name.
    void fail(std::string_view function, XrResult result, int times = kAlways) {
        const std::lock_guard lock(mutex_);
        failures_[std::string(function)] = {result, times};
    }
    // xrCreateInstance fails as long as this extension is among those that arrive.
    void fail_extension(std::string_view extension, XrResult result) {
        const std::lock_guard lock(mutex_);
        extension_ = extension;
        extension_result_ = result;
    }
    // Looking `name` up fails and, as it must not, leaves a pointer behind.
    void fail_look_up(std::string_view name, XrResult result) {
        const std::lock_guard lock(mutex_);
        look_ups_[std::string(name)] = result;
    }
    void reset() {
        const std::lock_guard lock(mutex_);
        failures_.clear();
        look_ups_.clear();
        extension_.clear();
    }

    // For the layer: what the call shall end with.
    [[nodiscard]] XrResult called(std::string_view function) {
        const std::lock_guard lock(mutex_);
        const auto found = failures_.find(function);
        if (found == failures_.end() || found->second.times == 0) {
            return XR_SUCCESS;
        }
        if (found->second.times > 0) {
            --found->second.times;
        }
        return found->second.result;
    }
    [[nodiscard]] XrResult created(const XrInstanceCreateInfo& info) const {
        const std::lock_guard lock(mutex_);
        for (std::uint32_t i = 0; i < info.enabledExtensionCount; ++i) {
            if (extension_ == info.enabledExtensionNames[i]) {
                return extension_result_;
            }
        }
        return XR_SUCCESS;
    }
    [[nodiscard]] XrResult looked_up(std::string_view name) const {
        const std::lock_guard lock(mutex_);
        const auto found = look_ups_.find(name);
        return found == look_ups_.end() ? XR_SUCCESS : found->second;
    }

private:
    struct Failure {
        XrResult result;
        int times;
    };

    mutable std::mutex mutex_;
    std::map<std::string, Failure, std::less<>> failures_;
    std::map<std::string, XrResult, std::less<>> look_ups_;
    std::string extension_;
    XrResult extension_result_ = XR_SUCCESS;
};

}  // namespace glove::test_layer

// Exported by the layer's library under this name.
using PFN_glove_failer_control = glove::test_layer::FailerControl* (*)();
