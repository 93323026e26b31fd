// SPDX-License-Identifier: Apache-2.0
// The action functions of OpenXR, each call of which becomes a line of text: what went in, the result, what came out.
// Two runs of the same calls give the same lines exactly when the program cannot tell them apart. Handles are numbered
// in the order in which they came up, paths are their text, and of times only whether they are new.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glove::test {

class ActionCalls {
public:
    // Without poses, of located spaces only what is valid is written: for controllers that nobody can hold still.
    explicit ActionCalls(bool with_poses) : with_poses_(with_poses) {}

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
    void say(const std::string& what) { lines_.push_back(what); }

    // Handles and paths of an instance that is gone are forgotten.
    void use(XrInstance instance);
    void use(XrSession session);

    // "" is the null path. Not a line: what a path is called inside is not the program's business.
    [[nodiscard]] XrPath path(const std::string& text);

    XrActionSet create_set(const std::string& name, const std::string& shown_name, std::uint32_t priority);
    XrResult destroy(XrActionSet set);
    XrAction create_action(XrActionSet set, const std::string& name, XrActionType type,
                           const std::vector<std::string>& users);
    XrResult destroy(XrAction action);
    void suggest(const std::string& profile, const std::vector<std::pair<XrAction, std::string>>& bindings);
    XrResult attach(const std::vector<XrActionSet>& sets);
    void sync(const std::vector<std::pair<XrActionSet, std::string>>& sets);
    void get_state(XrAction action, XrActionType type, const std::string& user);
    void get_sources(XrAction action);
    void get_name(const std::string& source, XrInputSourceLocalizedNameFlags parts);
    void get_profile(const std::string& user);
    void look_up(const char* function);
    void apply_haptics(XrAction action, const std::string& user);
    void stop_haptics(XrAction action, const std::string& user);
    XrSpace create_space(XrAction action, const std::string& user);
    XrSpace create_space(XrReferenceSpaceType type);
    XrResult destroy(XrSpace space);
    void locate(XrSpace space, XrSpace base, XrTime time);
    // All events that are there; those of session states are returned, the others are lines.
    std::vector<XrSessionState> poll();

private:
    template <class Handle>
    [[nodiscard]] std::string name_of(const char* kind, Handle handle);
    template <class Handle>
    [[nodiscard]] std::string made(const char* kind, XrResult result, Handle handle);
    [[nodiscard]] std::string text_of(XrPath path);
    [[nodiscard]] std::string time_of(XrAction action, const std::string& user, XrTime time);
    void add(const char* function, const std::string& arguments, XrResult result, const std::string& out = "");

    bool with_poses_;
    XrInstance instance_ = XR_NULL_HANDLE;
    XrSession session_ = XR_NULL_HANDLE;
    std::vector<std::string> lines_;
    std::map<std::string, std::string> names_;  // by kind and value
    std::size_t named_ = 0;
    std::map<std::string, XrTime> newest_;
};

}  // namespace glove::test
