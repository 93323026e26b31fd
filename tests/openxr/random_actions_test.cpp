// SPDX-License-Identifier: Apache-2.0
// A program that makes long random sequences of right and wrong action calls, on a runtime that fails now and then,
// gets the same lines without the layer as with it. The same seed makes the same calls as long as it gets the same
// answers.
//   GLOVE_RANDOM_SEED   another sequence than the usual one
//   GLOVE_RANDOM_CALLS  how many calls
// Not covered: several threads, and pointers that are neither null nor good.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

#include "openxr/action_calls.hpp"
#include "openxr/glove_flood.hpp"
#include "openxr/headless_program.hpp"
#include "openxr/input_configurations.hpp"

namespace glove::test {
namespace {

constexpr int kCallsPerInstance = 300;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What a call of the program may meet below: it always fails as long as that call goes on, so a second try fails too.
struct Mishap {
    const char* function;
    XrResult result;
};
constexpr std::array<Mishap, 15> kMishaps{{
    {"xrCreateActionSet", XR_ERROR_LIMIT_REACHED},
    {"xrCreateAction", XR_ERROR_OUT_OF_MEMORY},
    {"xrSuggestInteractionProfileBindings", XR_ERROR_RUNTIME_FAILURE},
    {"xrAttachSessionActionSets", XR_ERROR_SESSION_LOST},
    {"xrSyncActions", XR_ERROR_SESSION_LOST},
    {"xrSyncActions", XR_SESSION_LOSS_PENDING},
    {"xrGetActionStatePose", XR_ERROR_RUNTIME_FAILURE},
    {"xrGetActionStateBoolean", XR_ERROR_RUNTIME_FAILURE},
    {"xrGetCurrentInteractionProfile", XR_ERROR_RUNTIME_FAILURE},
    {"xrCreateActionSpace", XR_ERROR_LIMIT_REACHED},
    {"xrStringToPath", XR_ERROR_PATH_COUNT_EXCEEDED},
    {"xrLocateSpace", XR_ERROR_TIME_INVALID},
    {"xrDestroyAction", XR_ERROR_RUNTIME_FAILURE},
    {"xrDestroyActionSet", XR_ERROR_RUNTIME_FAILURE},
    {"xrDestroySpace", XR_ERROR_RUNTIME_FAILURE},
}};

const std::array<std::string, 5> kProfiles{
    "/interaction_profiles/khr/simple_controller", "/interaction_profiles/oculus/touch_controller",
    "/interaction_profiles/valve/index_controller", "/interaction_profiles/htc/vive_tracker_htcx",
    "/interaction_profiles/nobody/knows"};
const std::array<std::string, 3> kHeld{kProfiles[0], kProfiles[1], kProfiles[2]};
const std::array<std::string, 5> kUsers{"/user/hand/left", "/user/hand/right", "/user/head", "/user/nobody",
                                        "/user/vive_tracker_htcx/role/left_wrist"};
const std::array<std::string, 9> kInputs{"/input/grip/pose",  "/input/aim/pose",      "/input/select/click",
                                         "/input/menu/click", "/input/trigger/value", "/input/trigger",
                                         "/input/thumbstick", "/output/haptic",       "/input/nothing/click"};
constexpr std::array kTypes{XR_ACTION_TYPE_BOOLEAN_INPUT, XR_ACTION_TYPE_FLOAT_INPUT, XR_ACTION_TYPE_VECTOR2F_INPUT,
                            XR_ACTION_TYPE_POSE_INPUT, XR_ACTION_TYPE_VIBRATION_OUTPUT};

// Picks from what lives, and now and then from what lived.
template <class Thing>
struct Things {
    std::vector<Thing> live, dead;
    void end(const Thing& thing) {
        std::erase(live, thing);
        dead.push_back(thing);
    }
    void end_all() {
        dead.insert(dead.end(), live.begin(), live.end());
        live.clear();
    }
};

struct Action {
    XrAction handle;
    XrActionType type;
    XrActionSet set;
    bool operator==(const Action&) const = default;
};

class RandomActions : public ComparedInput {
protected:
    std::vector<std::string> run(bool with_layer, std::uint64_t seed, std::uint64_t calls) {
        begin_run(with_layer);
        engine_.seed(seed);
        ActionCalls logged(true);
        HeadlessProgram program(logged, with_layer, std::chrono::milliseconds(1));
        call_ = &logged;
        program_ = &program;
        for (std::uint64_t made = 0; made < calls;) {
            runtime().focused = true;
            program.begin_instance({});
            sets_ = {};
            actions_ = {};
            spaces_ = {};
            attached_ = {};
            begin_well();
            program.begin_session();
            for (int i = 0; i < kCallsPerInstance; ++i, ++made) {
                one_call();
            }
            program.end_instance();
        }
        active_hands_ = program.active_hands();
        return logged.lines();
    }

    std::size_t active_hands_ = 0;

private:
    std::size_t below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class List>
    auto of(const List& list) {
        return list[below(list.size())];
    }
    template <class Thing>
    Thing any(const Things<Thing>& things) {
        const bool is_dead = !things.dead.empty() && one_in(25);
        if (!is_dead && !things.live.empty() && !one_in(40)) {
            return of(things.live);
        }
        // Of a wrong handle and a runtime in trouble either may be told.
        end_mishap();
        return is_dead ? of(things.dead) : Thing{};
    }
    void end_mishap() { runtime().fail(mishap_.function, XR_SUCCESS, 0); }
    // Mostly a hand, mostly one that may be right.
    std::string user() { return one_in(12) ? of(kUsers) : kUsers[below(2)]; }
    std::string user_or_none() { return one_in(2) ? std::string() : user(); }

    // Something that can be attached, or else most of what follows is errors.
    void begin_well() {
        make_set();
        for (int i = 0; i < 8; ++i) {
            make_action();
        }
        for (int i = 0; i < 6; ++i) {
            suggest();
        }
        take(below(2), of(kHeld));
    }

    void one_call() {
        mishap_ = of(kMishaps);
        if (one_in(12)) {
            runtime().fail(mishap_.function, mishap_.result);
        }
        call_something();
        end_mishap();
    }

    void call_something() {
        switch (below(26)) {
            case 0:
                return make_set();
            case 1:
            case 2:
            case 3:
                return make_action();
            case 4:
            case 5:
                return suggest();
            case 6:
                return one_in(3) ? attach() : suggest();
            case 7:
            case 8:
            case 9:
            case 10:
                return sync();
            case 11:
            case 12:
            case 13:
                return get_state();
            case 14:
                return call_->get_sources(any(actions_).handle);
            case 15:
                return call_->get_name(of(kUsers) + of(kInputs), below(8));
            case 16:
                return call_->get_profile(one_in(8) ? "" : of(kUsers));
            case 17:
                return make_space();
            case 18:
            case 19:
                return call_->locate(any(spaces_), any(spaces_), one_in(10) ? 0 : program_->time());
            case 20:
                return end_something();
            case 21:
                return call_malformed();
            case 22:
                return one_in(6) ? next_session() : frame();
            case 23:
                return frame();
            default:
                return change_world();
        }
    }

    void make_set() {
        if (sets_.live.size() > 4) {
            return;
        }
        const std::string name = "set" + std::to_string(below(12));
        const XrActionSet set =
            call_->create_set(name, one_in(8) ? "Twice" : name, static_cast<std::uint32_t>(below(3)));
        if (set != XR_NULL_HANDLE) {
            sets_.live.push_back(set);
        }
    }

    void make_action() {
        const XrActionSet set = any(sets_);
        const XrActionType type = one_in(2) ? XR_ACTION_TYPE_POSE_INPUT : of(kTypes);
        std::vector<std::string> users;
        if (!one_in(3)) {
            users = {kUsers[0], kUsers[1]};
        }
        if (one_in(10)) {
            users.push_back(of(kUsers));
        }
        const XrAction action = call_->create_action(set, "action" + std::to_string(below(30)), type, users);
        if (action != XR_NULL_HANDLE) {
            actions_.live.push_back({action, type, set});
        }
    }

    void suggest() {
        const std::string profile = one_in(10) ? of(kProfiles) : kProfiles[below(3)];
        std::vector<std::pair<XrAction, std::string>> bindings;
        const std::size_t count = one_in(30) ? 0 : 1 + below(4);
        for (std::size_t i = 0; i < count; ++i) {
            // What every profile has, so that most suggestions are good.
            const std::string input = one_in(12) ? of(kInputs) : kInputs[below(2)];
            bindings.emplace_back(any(actions_).handle, user() + input);
        }
        call_->suggest(profile, bindings);
    }

    std::vector<XrActionSet> some_sets() {
        std::vector<XrActionSet> some;
        const std::size_t count = below(4);
        for (std::size_t i = 0; i < count; ++i) {
            some.push_back(any(sets_));
        }
        return some;
    }

    void attach() {
        const std::vector<XrActionSet> sets = one_in(4) ? some_sets() : sets_.live;
        if (XR_SUCCEEDED(call_->attach(sets))) {
            attached_ = sets;
        }
    }

    void sync() {
        std::vector<std::pair<XrActionSet, std::string>> active;
        for (const XrActionSet set : one_in(6) ? some_sets() : attached_) {
            active.emplace_back(set, one_in(5) ? user() : "");
        }
        call_->sync(active);
        end_mishap();  // where the layer cannot ask whose profile changed, the event is passed on
        (void)call_->poll();
    }

    void get_state() {
        const Action action = any(actions_);
        const XrActionType type =
            action.handle == XR_NULL_HANDLE || one_in(15) ? XR_ACTION_TYPE_BOOLEAN_INPUT : action.type;
        if (type == XR_ACTION_TYPE_VIBRATION_OUTPUT) {
            call_->apply_haptics(action.handle, user_or_none());
            call_->stop_haptics(action.handle, user_or_none());
        } else {
            call_->get_state(action.handle, type, user_or_none());
        }
    }

    void make_space() {
        const XrSpace space = one_in(4) ? call_->create_space(XR_REFERENCE_SPACE_TYPE_STAGE)
                                        : call_->create_space(any(actions_).handle, user_or_none());
        if (space != XR_NULL_HANDLE) {
            spaces_.live.push_back(space);
        }
    }

    void end_something() {
        switch (below(6)) {
            case 0: {
                const XrActionSet set = any(sets_);
                if (XR_FAILED(call_->destroy(set))) {
                    return;
                }
                sets_.end(set);
                for (const Action& action : std::vector<Action>(actions_.live)) {
                    if (action.set == set) {
                        actions_.end(action);
                    }
                }
                return;
            }
            case 1:
            case 2: {
                const Action action = any(actions_);
                return XR_SUCCEEDED(call_->destroy(action.handle)) ? actions_.end(action) : void();
            }
            default: {
                const XrSpace space = any(spaces_);
                return XR_SUCCEEDED(call_->destroy(space)) ? spaces_.end(space) : void();
            }
        }
    }

    void call_malformed() {
        const XrSession session = program_->session();
        const XrActionSet set = any(sets_);
        const XrActiveActionSet active{set, XR_NULL_PATH};
        switch (below(8)) {
            case 0:
                return say("suggest null", xrSuggestInteractionProfileBindings(program_->instance(), nullptr));
            case 1:
                return say("attach null", xrAttachSessionActionSets(session, nullptr));
            case 2:
                return say("sync null", xrSyncActions(session, nullptr));
            case 3: {
                const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, nullptr, 3, nullptr};
                return say("sync no array", xrSyncActions(session, &info));
            }
            case 4: {
                const XrActionsSyncInfo info{XR_TYPE_UNKNOWN, nullptr, 1, &active};
                return say("sync another type", xrSyncActions(session, &info));
            }
            case 5: {
                const XrSessionActionSetsAttachInfo info{XR_TYPE_SESSION_ACTION_SETS_ATTACH_INFO, nullptr, 2, nullptr};
                return say("attach no array", xrAttachSessionActionSets(session, &info));
            }
            case 6: {
                XrBaseInStructure nobodys{static_cast<XrStructureType>(1999999000), nullptr};
                const XrActionsSyncInfo info{XR_TYPE_ACTIONS_SYNC_INFO, &nobodys, 1, &active};
                return say("sync with a struct of nobody's", xrSyncActions(session, &info));
            }
            default: {
                const XrInteractionProfileSuggestedBinding info{XR_TYPE_INTERACTION_PROFILE_SUGGESTED_BINDING, nullptr,
                                                                call_->path(kProfiles[0]), 4, nullptr};
                return say("suggest no array", xrSuggestInteractionProfileBindings(program_->instance(), &info));
            }
        }
    }
    void say(const char* what, XrResult result) { call_->say(std::string(what) + " = " + std::to_string(result)); }

    void frame() {
        end_mishap();  // hands that cannot be located are not looked at here
        program_->frame();
    }

    void next_session() {
        runtime().focused = true;
        end_mishap();
        program_->end_session();
        spaces_.end_all();
        attached_ = {};
        program_->begin_session();
    }

    void change_world() {
        const std::size_t hand = below(2);
        switch (below(6)) {
            case 0:
                runtime().focused = !one_in(4);
                return;
            case 5:
                return bring_tracker(hand, !one_in(3));
            case 1:
            case 2:
                return take(hand, one_in(5) ? "" : of(kHeld));
            default:
                press(hand, "trigger/value", static_cast<float>(below(5)) / 4);
                press(hand, "select/click", static_cast<float>(below(2)));
                press(hand, "thumbstick/x", static_cast<float>(below(5)) / 2 - 1);
        }
    }

    std::mt19937_64 engine_;
    Mishap mishap_ = kMishaps[0];
    ActionCalls* call_ = nullptr;
    HeadlessProgram* program_ = nullptr;
    Things<XrActionSet> sets_;
    std::vector<XrActionSet> attached_;
    Things<Action> actions_;
    Things<XrSpace> spaces_;
};

TEST_P(RandomActions, GetTheSameAnswersWithAndWithoutTheLayer) {
    const std::uint64_t seed = from_environment("GLOVE_RANDOM_SEED", 20250914);
    const std::uint64_t calls = from_environment("GLOVE_RANDOM_CALLS", 12'000);
    std::printf("GLOVE_RANDOM_SEED=%" PRIu64 " GLOVE_RANDOM_CALLS=%" PRIu64 "\n", seed, calls);
    write_config(GetParam().toml);
    const std::vector<std::string> without = run(false, seed, calls);
    const GloveFlood gloves(port(), GloveFlood::Sends::hands);
    const std::vector<std::string> with = run(true, seed, calls);
    expect_same(without, with);
    if (calls < 10'000) {
        return;
    }
    EXPECT_GT(active_hands_, 50u) << log_text();
    // Sequences that never came to a point have not tested it.
    std::set<std::string> seen;
    for (const std::string& line : without) {
        const std::size_t end = line.find(") = ");
        if (end != std::string::npos) {
            const std::size_t tail = line.find(':', end);
            seen.insert(line.substr(0, line.find('(')) + line.substr(end + 1, tail - end - 1));
        }
        if (line.find("active 1") != std::string::npos) {
            seen.insert("active");
        }
        if (line.find("flags 15") != std::string::npos) {
            seen.insert("located");
        }
    }
    for (const char* what :
         {"xrSuggestInteractionProfileBindings = 0", "xrSuggestInteractionProfileBindings = -22",
          "xrSuggestInteractionProfileBindings = -47", "xrAttachSessionActionSets = 0",
          "xrAttachSessionActionSets = -47", "xrSyncActions = 0", "xrSyncActions = 8", "xrSyncActions = 3",
          "xrSyncActions = -12", "xrSyncActions = -46", "xrSyncActions = -17", "active", "located"}) {
        EXPECT_EQ(seen.count(what), 1u) << what;
    }
}

INSTANTIATE_TEST_SUITE_P(EachSource, RandomActions, kInputConfigurations, name_of);

}  // namespace
}  // namespace glove::test
