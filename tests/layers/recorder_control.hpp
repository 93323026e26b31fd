// SPDX-License-Identifier: Apache-2.0
// What the recorder saw: which functions were called and looked up at its place in the chain, and which handles came by
// that it had not seen created, as a validation layer would say.
#pragma once

#include <openxr/openxr.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glove::test_layer {

class RecorderControl {
public:
    std::atomic<bool> gives_out_everything{false};
    // Lists XR_EXT_hand_tracking and serves it itself, as a maker of a camera may: where all joints then are, in
    // whatever space.
    std::atomic<bool> offers_hands{false};
    static constexpr XrPosef kServedJoint{{0, 0, 0, 1}, {0.1f, 1.2f, -0.3f}};
    // Makes a throw-away instance before each of its own, and looks at what is listed below.
    std::atomic<bool> looks_around{false};
    using Listed = std::vector<std::pair<std::string, std::uint32_t>>;  // with versions
    [[nodiscard]] Listed listed_through_instance() const {
        const std::lock_guard lock(mutex_);
        return through_instance_;
    }
    [[nodiscard]] Listed listed_through_none() const {
        const std::lock_guard lock(mutex_);
        return through_none_;
    }

    [[nodiscard]] std::uint64_t calls(std::string_view function) const { return count_in(calls_, function); }
    [[nodiscard]] std::uint64_t look_ups(std::string_view name) const { return count_in(look_ups_, name); }
    // Look-ups without an instance. Layers may have nothing to answer them with (rule 2.6), so nobody should ask.
    [[nodiscard]] std::uint64_t look_ups_of_nobody() const { return count_in(look_ups_, kNobody); }
    // One line for each handle that came down and was unknown or already destroyed.
    [[nodiscard]] std::vector<std::string> unknown_handles() const {
        const std::lock_guard lock(mutex_);
        return unknown_handles_;
    }
    // Of each xrCreateInstance, in order.
    [[nodiscard]] std::vector<std::vector<std::string>> enabled_extensions() const {
        const std::lock_guard lock(mutex_);
        return enabled_extensions_;
    }
    // Handles of all kinds that were created here and not destroyed since.
    [[nodiscard]] std::size_t live_handles() const {
        const std::lock_guard lock(mutex_);
        return parents_.size();
    }
    // Forgets what it counted, not which handles live.
    void reset() {
        const std::lock_guard lock(mutex_);
        calls_.clear();
        look_ups_.clear();
        unknown_handles_.clear();
        enabled_extensions_.clear();
        gives_out_everything = false;
        offers_hands = false;
        looks_around = false;
    }

    // For the layer.
    using Object = std::pair<XrObjectType, std::uint64_t>;

    void called(std::string_view function) {
        const std::lock_guard lock(mutex_);
        ++calls_[std::string(function)];
    }
    void looked_up(XrInstance instance, std::string_view name) {
        const std::lock_guard lock(mutex_);
        ++look_ups_[std::string(instance == XR_NULL_HANDLE ? kNobody : name)];
    }
    void enabled(const XrInstanceCreateInfo& info) {
        const std::lock_guard lock(mutex_);
        enabled_extensions_.emplace_back(info.enabledExtensionNames,
                                         info.enabledExtensionNames + info.enabledExtensionCount);
    }
    void saw(const Listed& through_instance, const Listed& through_none) {
        const std::lock_guard lock(mutex_);
        through_instance_ = through_instance;
        through_none_ = through_none;
    }
    // No value comes twice, and none is the runtime's.
    [[nodiscard]] std::uint64_t new_handle() { return 0x5c00'0000'0000'0000 + 0x10 * ++handles_made_; }
    void seen(std::string_view function, Object object) {
        const std::lock_guard lock(mutex_);
        if (parents_.find(object) == parents_.end()) {
            unknown_handles_.push_back(std::string(function) + ": object type " + std::to_string(object.first) +
                                       ", handle " + std::to_string(object.second));
        }
    }
    void created(Object parent, Object object) {
        const std::lock_guard lock(mutex_);
        parents_[object] = parent;
    }
    void destroyed(Object object) {
        const std::lock_guard lock(mutex_);
        forget(object);
    }

private:
    using Counts = std::map<std::string, std::uint64_t, std::less<>>;
    static constexpr std::string_view kNobody = "(no instance)";

    [[nodiscard]] std::uint64_t count_in(const Counts& counts, std::string_view name) const {
        const std::lock_guard lock(mutex_);
        const auto found = counts.find(name);
        return found == counts.end() ? 0 : found->second;
    }
    // With all its children.
    void forget(Object object) {
        parents_.erase(object);
        for (auto child = parents_.begin(); child != parents_.end();) {
            if (child->second == object) {
                forget(Object(child->first));
                child = parents_.begin();
            } else {
                ++child;
            }
        }
    }

    mutable std::mutex mutex_;
    Counts calls_;
    Counts look_ups_;
    std::vector<std::string> unknown_handles_;
    std::vector<std::vector<std::string>> enabled_extensions_;
    std::map<Object, Object> parents_;
    Listed through_instance_;
    Listed through_none_;
    std::atomic<std::uint64_t> handles_made_{0};
};

}  // namespace glove::test_layer

// Exported by the layer's library under this name.
using PFN_glove_recorder_control = glove::test_layer::RecorderControl* (*)();
