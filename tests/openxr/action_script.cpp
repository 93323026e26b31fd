// SPDX-License-Identifier: Apache-2.0
#include "openxr/action_script.hpp"

#include <algorithm>
#include <utility>

#include "openxr/action_calls.hpp"
#include "openxr/headless_program.hpp"

namespace glove::test {
namespace {

const std::string kLeft = "/user/hand/left";
const std::string kRight = "/user/hand/right";
const std::vector<std::string> kBoth{kLeft, kRight};
// Of an extension that the script never enables, whoever else in its process may.
const std::string kTrackerRole = "/user/vive_tracker_htcx/role/left_wrist";
const std::string kTrackerSerial = "/devices/htc/vive_tracker.left_wrist";
const std::string kTracker = "/interaction_profiles/htc/vive_tracker_htcx";
const std::string kSimple = "/interaction_profiles/khr/simple_controller";
const std::string kTouch = "/interaction_profiles/oculus/touch_controller";
const std::string kIndex = "/interaction_profiles/valve/index_controller";

constexpr XrInputSourceLocalizedNameFlags kWholeName = XR_INPUT_SOURCE_LOCALIZED_NAME_USER_PATH_BIT |
                                                       XR_INPUT_SOURCE_LOCALIZED_NAME_INTERACTION_PROFILE_BIT |
                                                       XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT;

using Binding = std::pair<XrAction, std::string>;
using Bindings = std::vector<Binding>;

// What a game may have: one set to play, one for its menu, which takes inputs away when it is open, and one it has
// little use for.
struct Game {
    XrActionSet play, menu, debug;
    XrAction grip, aim, fire, squeeze, walk, rumble;  // of play, by hand
    XrAction anywhere;                                // of play, a pose of the right hand without subaction paths
    XrAction choose, cursor;                          // of menu
    XrAction probe;                                   // of debug
    XrSpace left_grip, right_grip, right_aim, pointer, anywhere_space, room;
};

class Script {
public:
    Script(const ScriptWorld& world, const ScriptOptions& options)
        : world_(world),
          options_(options),
          call_(options.with_poses),
          program_(call_, options.with_hands, options.frame) {}

    ScriptRun run() {
        act("a game", [this] { play_game(); });
        act("an application with hands only", [this] { attach_nothing(); });
        act("poses that no action asks for", [this] { bind_no_pose(); });
        act("a pose of each hand by itself", [this] { bind_one_hand(); });
        act("one pose for both hands", [this] { bind_hands_together(); });
        act("sets without bindings", [this] { attach_without_bindings(); });
        for (int i = 0; i < 3; ++i) {
            act("again", [this] { play_shortly(); });
        }
        ScriptRun result{call_.lines(), 0, program_.active_hands()};
        result.calls = static_cast<std::size_t>(std::count_if(
            result.lines.begin(), result.lines.end(), [](const std::string& line) { return line.starts_with("xr"); }));
        return result;
    }

private:
    template <class Act>
    void act(const char* title, Act&& body) {
        call_.say(std::string("---- ") + title);
        world_.hold(0, "");
        world_.hold(1, "");
        program_.begin_instance(options_.extensions);
        body();
        program_.end_instance();
    }

    void frames(int count) {
        for (int i = 0; i < count; ++i) {
            program_.frame();
        }
    }

    void play_game() {
        try_names();
        Game game = make_game();
        suggest_wrongly(game);
        suggest(game);
        program_.begin_session();
        ask_before_attach(game);
        call_.attach({game.play, game.menu, game.debug});
        ask_after_attach(game);
        make_spaces(game);
        observe(game);
        sync_and_observe(game, {{game.play, ""}});  // nobody holds anything
        hold_and_press(game);
        open_menu(game);
        change_hands(game);
        lose_focus(game);
        recentre(game);
        destroy_in_odd_order(game);
        program_.end_session();
        play_again(game);
    }

    void try_names() {
        const XrActionSet set = call_.create_set("taken", "Taken", 0);
        call_.create_set("taken", "Another", 0);
        call_.create_set("another", "Taken", 0);
        call_.create_set("Upper", "Upper", 0);
        call_.create_set("with space", "With space", 0);
        call_.create_set("", "Nothing", 0);
        call_.create_set("nothing", "", 0);
        call_.create_action(set, "taken", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        call_.create_action(set, "taken", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        call_.create_action(set, "Upper", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        call_.create_action(set, "twice", XR_ACTION_TYPE_BOOLEAN_INPUT, {kLeft, kLeft});
        call_.create_action(set, "no_user", XR_ACTION_TYPE_BOOLEAN_INPUT, {"/user/nobody"});
        call_.create_action(set, "no_tracker", XR_ACTION_TYPE_POSE_INPUT, {kTrackerRole});
        call_.create_action(set, "no_serial", XR_ACTION_TYPE_POSE_INPUT, {kLeft, kTrackerSerial});
        call_.create_action(set, "not_even_one", XR_ACTION_TYPE_POSE_INPUT, {kTrackerRole, kTrackerRole});
        call_.create_action(set, "an_input", XR_ACTION_TYPE_POSE_INPUT, {kLeft + "/input/grip/pose"});
        call_.destroy(set);
        call_.create_set("taken", "Taken", 0);  // free again
    }

    Game make_game() {
        Game game{};
        game.play = call_.create_set("play", "Play", 1);
        game.menu = call_.create_set("menu", "Menu", 5);
        game.debug = call_.create_set("debug", "Debug", 0);
        game.grip = call_.create_action(game.play, "grip", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        game.aim = call_.create_action(game.play, "aim", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        game.fire = call_.create_action(game.play, "fire", XR_ACTION_TYPE_BOOLEAN_INPUT, kBoth);
        game.squeeze = call_.create_action(game.play, "squeeze", XR_ACTION_TYPE_FLOAT_INPUT, kBoth);
        game.walk = call_.create_action(game.play, "walk", XR_ACTION_TYPE_VECTOR2F_INPUT, kBoth);
        game.rumble = call_.create_action(game.play, "rumble", XR_ACTION_TYPE_VIBRATION_OUTPUT, kBoth);
        game.anywhere = call_.create_action(game.play, "anywhere", XR_ACTION_TYPE_POSE_INPUT, {});
        game.choose = call_.create_action(game.menu, "choose", XR_ACTION_TYPE_BOOLEAN_INPUT, kBoth);
        game.cursor = call_.create_action(game.menu, "cursor", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        game.probe = call_.create_action(game.debug, "probe", XR_ACTION_TYPE_FLOAT_INPUT, {});
        return game;
    }

    static Bindings of_both(XrAction action, const std::string& input) {
        return {{action, kLeft + input}, {action, kRight + input}};
    }
    static Bindings joined(const std::vector<Bindings>& parts) {
        Bindings all;
        for (const Bindings& part : parts) {
            all.insert(all.end(), part.begin(), part.end());
        }
        return all;
    }

    void suggest_wrongly(const Game& game) {
        call_.suggest(kSimple, {});
        call_.suggest(kSimple, of_both(game.fire, "/input/trigger/value"));
        call_.suggest(kSimple, {{game.fire, kLeft + "/input/select/click"}, {game.fire, "/user/hand/right"}});
        call_.suggest("/interaction_profiles/nobody/knows", of_both(game.fire, "/input/select/click"));
        call_.suggest(kTracker, {{game.anywhere, kTrackerRole + "/input/grip/pose"}});
        call_.suggest(kTracker, {{game.anywhere, kLeft + "/input/grip/pose"}});
        call_.suggest(kTracker, {});
        call_.suggest(kSimple, {{game.grip, kTrackerRole + "/input/grip/pose"}});
        call_.suggest(kTouch, {{game.fire, kRight + "/input/x/click"}});
        call_.suggest(kTouch, {{game.grip, "/user/head/input/grip/pose"}});
        call_.suggest(kTouch, {{XR_NULL_HANDLE, kRight + "/input/a/click"}});
    }

    void suggest(const Game& game) {
        call_.suggest(kSimple,
                      joined({of_both(game.fire, "/input/select/click"), of_both(game.choose, "/input/select/click"),
                              of_both(game.cursor, "/input/aim/pose"), of_both(game.aim, "/input/aim/pose")}));
        call_.suggest(kTouch, of_both(game.grip, "/input/aim/pose"));  // replaced by the next
        call_.suggest(
            kTouch,
            joined({of_both(game.grip, "/input/grip/pose"),
                    of_both(game.aim, "/input/aim/pose"),
                    of_both(game.fire, "/input/trigger/value"),
                    of_both(game.squeeze, "/input/squeeze/value"),
                    of_both(game.walk, "/input/thumbstick"),
                    of_both(game.rumble, "/output/haptic"),
                    of_both(game.choose, "/input/trigger/touch"),
                    of_both(game.cursor, "/input/grip/pose"),
                    {{game.anywhere, kRight + "/input/grip/pose"}, {game.probe, kLeft + "/input/squeeze/value"}}}));
        call_.suggest(kTouch, {{game.fire, kRight + "/input/nothing/click"}});  // fails, and the one before stays
        call_.suggest(kIndex,
                      joined({of_both(game.fire, "/input/trigger/click"), of_both(game.aim, "/input/aim/pose"),
                              of_both(game.squeeze, "/input/squeeze/force"), of_both(game.walk, "/input/trackpad")}));
    }

    void ask_before_attach(const Game& game) {
        call_.get_profile(kLeft);
        ask_for_trackers(game);
        call_.get_state(game.fire, XR_ACTION_TYPE_BOOLEAN_INPUT, "");
        call_.get_sources(game.fire);
        call_.sync({{game.play, ""}});
        call_.attach({});
        call_.destroy(call_.create_space(game.grip, kLeft));
    }

    void ask_after_attach(const Game& game) {
        call_.attach({game.play});
        call_.suggest(kSimple, of_both(game.fire, "/input/select/click"));
        call_.create_action(game.play, "late", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        const XrActionSet late = call_.create_set("late", "Late", 0);
        const XrAction of_late = call_.create_action(late, "late", XR_ACTION_TYPE_POSE_INPUT, {});
        call_.sync({{game.play, ""}, {late, ""}});
        call_.create_space(of_late, "");
        call_.get_state(of_late, XR_ACTION_TYPE_POSE_INPUT, "");
        call_.get_state(game.fire, XR_ACTION_TYPE_FLOAT_INPUT, "");
        call_.get_state(game.fire, XR_ACTION_TYPE_BOOLEAN_INPUT, "/user/gamepad");
        call_.get_state(game.anywhere, XR_ACTION_TYPE_POSE_INPUT, kLeft);
        call_.get_profile("/user/nobody");
        call_.get_profile("");
        call_.get_profile("/user/head");
        call_.get_name(kLeft + "/input/trigger/value", 0);
        call_.destroy(late);
    }

    void ask_for_trackers(const Game& game) {
        call_.look_up("xrEnumerateViveTrackerPathsHTCX");
        for (const std::string& user : {kTrackerRole, kTrackerSerial}) {
            call_.get_profile(user);
            for (const char* input : {"/input/grip/pose", "/input/trigger/value", "/output/haptic", ""}) {
                call_.get_name(user + input, kWholeName);
            }
            call_.get_name(user + "/input/grip/pose", 0);
            call_.get_state(game.grip, XR_ACTION_TYPE_POSE_INPUT, user);
            call_.get_state(game.fire, XR_ACTION_TYPE_BOOLEAN_INPUT, user);
            call_.create_space(game.grip, user);
            call_.sync({{game.play, user}});
            call_.apply_haptics(game.rumble, user);
            call_.stop_haptics(game.rumble, user);
        }
        call_.get_sources(game.anywhere);
        call_.get_profile(kTracker);
    }

    void make_spaces(Game& game) {
        game.left_grip = call_.create_space(game.grip, kLeft);
        game.right_grip = call_.create_space(game.grip, kRight);
        game.right_aim = call_.create_space(game.aim, kRight);
        game.pointer = call_.create_space(game.cursor, kLeft);
        game.anywhere_space = call_.create_space(game.anywhere, "");
        game.room = call_.create_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        call_.create_space(game.fire, kLeft);
        call_.create_space(game.grip, "/user/head");
        call_.create_space(game.anywhere, kRight);
    }

    void observe(const Game& game) {
        for (const std::string& user : {std::string(), kLeft, kRight}) {
            call_.get_state(game.grip, XR_ACTION_TYPE_POSE_INPUT, user);
            call_.get_state(game.aim, XR_ACTION_TYPE_POSE_INPUT, user);
            call_.get_state(game.fire, XR_ACTION_TYPE_BOOLEAN_INPUT, user);
            call_.get_state(game.squeeze, XR_ACTION_TYPE_FLOAT_INPUT, user);
            call_.get_state(game.walk, XR_ACTION_TYPE_VECTOR2F_INPUT, user);
            call_.get_state(game.choose, XR_ACTION_TYPE_BOOLEAN_INPUT, user);
            call_.get_state(game.cursor, XR_ACTION_TYPE_POSE_INPUT, user);
        }
        call_.get_state(game.probe, XR_ACTION_TYPE_FLOAT_INPUT, "");
        call_.get_state(game.anywhere, XR_ACTION_TYPE_POSE_INPUT, "");
        for (const XrAction action : {game.grip, game.fire, game.rumble, game.choose, game.probe}) {
            call_.get_sources(action);
        }
        call_.get_profile(kLeft);
        call_.get_profile(kRight);
        for (const XrSpace space : {game.left_grip, game.right_grip, game.right_aim, game.pointer}) {
            call_.locate(space, game.room, program_.time());
        }
        call_.locate(game.anywhere_space, game.left_grip, program_.time());
        call_.get_profile(kTrackerRole);
        call_.get_name(kTrackerRole + "/input/grip/pose", kWholeName);
    }

    void sync_and_observe(const Game& game, const std::vector<std::pair<XrActionSet, std::string>>& sets) {
        program_.frame();
        call_.sync(sets);
        (void)call_.poll();
        observe(game);
    }

    void hold_and_press(const Game& game) {
        world_.hold(0, kTouch);
        world_.hold(1, kTouch);
        sync_and_observe(game, {{game.play, ""}});
        call_.get_name(kLeft + "/input/trigger/value", kWholeName);
        call_.get_name(kRight + "/input/grip/pose", XR_INPUT_SOURCE_LOCALIZED_NAME_COMPONENT_BIT);
        world_.press(0, "trigger/value", 0.75f);
        world_.press(1, "squeeze/value", 0.25f);
        world_.press(1, "thumbstick/x", -0.5f);
        observe(game);  // nothing yet
        sync_and_observe(game, {{game.play, ""}});
        ask_for_trackers(game);
        sync_and_observe(game, {{game.play, ""}});  // the edges are over
        world_.press(0, "trigger/value", 0);
        sync_and_observe(game, {{game.play, kLeft}});
        sync_and_observe(game, {{game.play, kRight}});
        sync_and_observe(game, {{game.play, kLeft}, {game.debug, ""}});
        call_.sync({{game.play, "/user/gamepad"}});
        call_.sync({{game.debug, kLeft}});
        call_.sync({{XR_NULL_HANDLE, ""}});
        call_.apply_haptics(game.rumble, kLeft);
        call_.stop_haptics(game.rumble, "");
        call_.apply_haptics(game.fire, kLeft);
    }

    void open_menu(const Game& game) {
        world_.press(0, "trigger/value", 1);
        world_.press(0, "trigger/touch", 1);
        sync_and_observe(game, {{game.play, ""}, {game.menu, ""}});
        sync_and_observe(game, {{game.menu, ""}, {game.debug, ""}, {game.play, ""}});
        sync_and_observe(game, {{game.menu, kLeft}, {game.play, ""}});
        world_.press(0, "trigger/value", 0);
        sync_and_observe(game, {{game.menu, ""}});
        if (options_.with_empty_syncs) {
            sync_and_observe(game, {});
        }
        sync_and_observe(game, {{game.play, ""}});  // closed
    }

    void change_hands(const Game& game) {
        world_.hold(0, "");
        sync_and_observe(game, {{game.play, ""}});
        world_.hold(0, kIndex);
        sync_and_observe(game, {{game.play, ""}});
        world_.press(0, "trigger/click", 1);
        sync_and_observe(game, {{game.play, ""}, {game.menu, ""}});
        world_.hold(1, "/interaction_profiles/htc/vive_controller");  // suggested by nobody
        sync_and_observe(game, {{game.play, ""}});
        world_.hold(0, kTouch);
        world_.hold(1, kTouch);
        sync_and_observe(game, {{game.play, ""}});
    }

    void lose_focus(const Game& game) {
        world_.press(1, "trigger/value", 1);
        world_.focus(false);
        observe(game);
        sync_and_observe(game, {{game.play, ""}});
        call_.apply_haptics(game.rumble, kLeft);
        world_.focus(true);
        observe(game);
        sync_and_observe(game, {{game.play, ""}});
        world_.press(1, "trigger/value", 0);
    }

    void recentre(const Game& game) {
        world_.recentre();
        sync_and_observe(game, {{game.play, ""}});
        frames(3);
        sync_and_observe(game, {{game.play, ""}});
    }

    void destroy_in_odd_order(Game& game) {
        call_.destroy(game.grip);
        call_.sync({{game.play, ""}});
        call_.locate(game.left_grip, game.room, program_.time());
        call_.destroy(game.left_grip);
        call_.destroy(game.debug);  // while attached
        if (options_.with_dead_handles) {
            call_.destroy(game.debug);
            call_.destroy(game.probe);
            call_.destroy(game.left_grip);
            call_.get_state(game.grip, XR_ACTION_TYPE_POSE_INPUT, kLeft);
            call_.create_space(game.grip, kLeft);
            call_.sync({{game.play, ""}, {game.debug, ""}});
        }
        call_.sync({{game.play, ""}, {game.menu, ""}});
        call_.locate(game.pointer, game.room, program_.time());
        call_.create_set("debug", "Debug", 0);
    }

    // The next session: what was attached stays as it was suggested, and what is new may be suggested.
    void play_again(const Game& game) {
        const XrActionSet more = call_.create_set("more", "More", 2);
        const XrAction hand = call_.create_action(more, "hand", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        const XrAction press = call_.create_action(more, "press", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        program_.begin_session();
        call_.suggest(kTouch, of_both(game.aim, "/input/aim/pose"));
        call_.suggest(kSimple, joined({of_both(hand, "/input/grip/pose"), of_both(press, "/input/menu/click")}));
        call_.attach({game.play, game.menu, more});
        const XrSpace aim = call_.create_space(game.aim, kLeft);
        const XrSpace of_hand = call_.create_space(hand, kRight);
        const XrSpace room = call_.create_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        for (int i = 0; i < 4; ++i) {
            world_.hold(1, i < 2 ? kTouch : kSimple);
            program_.frame();
            call_.sync({{game.play, ""}, {more, ""}});
            (void)call_.poll();
            call_.get_profile(kLeft);
            call_.get_profile(kRight);
            call_.get_sources(hand);
            call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, kRight);
            call_.get_state(press, XR_ACTION_TYPE_BOOLEAN_INPUT, "");
            call_.locate(aim, room, program_.time());
            call_.locate(of_hand, room, program_.time());
        }
        program_.end_session();
        program_.begin_session();  // a third one, for which nothing is new
        call_.attach({more});
        call_.sync({{more, ""}});
        call_.get_profile(kRight);
        call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, "");
        program_.frame();
    }

    void attach_nothing() {
        program_.begin_session();
        world_.hold(0, kSimple);
        frames(20);
        call_.get_profile(kLeft);
        call_.sync({});
        const XrActionSet set = call_.create_set("late", "Late", 0);
        const XrAction hand = call_.create_action(set, "hand", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        call_.sync({{set, ""}});
        call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, "");
        // At last it does: nobody may have taken its place.
        call_.suggest(kSimple, of_both(hand, "/input/grip/pose"));
        call_.attach({set});
        program_.frame();
        call_.sync({{set, ""}});
        (void)call_.poll();
        call_.get_profile(kLeft);
        call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, kLeft);
    }

    // Nothing of its own that a hand could follow.
    void bind_no_pose() {
        const XrActionSet set = call_.create_set("buttons", "Buttons", 3);
        const XrAction fire = call_.create_action(set, "fire", XR_ACTION_TYPE_BOOLEAN_INPUT, kBoth);
        call_.suggest(kSimple, of_both(fire, "/input/select/click"));
        call_.suggest(kTouch, of_both(fire, "/input/trigger/value"));
        program_.begin_session();
        call_.attach({set});
        world_.hold(0, kTouch);
        world_.hold(1, kIndex);
        for (int i = 0; i < 6; ++i) {
            world_.press(0, "trigger/value", i % 2 == 0 ? 1.0f : 0.0f);
            world_.press(1, "trigger/value", i % 3 == 0 ? 1.0f : 0.0f);
            program_.frame();
            call_.sync({{set, i % 4 == 3 ? kLeft : ""}});
            (void)call_.poll();
            call_.get_sources(fire);
            call_.get_profile(kLeft);
            call_.get_profile(kRight);
            call_.get_state(fire, XR_ACTION_TYPE_BOOLEAN_INPUT, kLeft);
            call_.get_state(fire, XR_ACTION_TYPE_BOOLEAN_INPUT, kRight);
        }
    }

    // Poses without subaction paths, of which the left hand's is a stranger's favourite.
    void bind_one_hand() {
        const XrActionSet low = call_.create_set("low", "Low", 0);
        const XrActionSet high = call_.create_set("high", "High", 4'000'000'000u);
        const XrAction left = call_.create_action(low, "left", XR_ACTION_TYPE_POSE_INPUT, {});
        const XrAction right = call_.create_action(high, "right", XR_ACTION_TYPE_POSE_INPUT, {});
        const XrAction both = call_.create_action(high, "both", XR_ACTION_TYPE_POSE_INPUT, {});
        call_.suggest(kSimple, joined({{{left, kLeft + "/input/grip/pose"}, {right, kRight + "/input/grip/pose"}},
                                       of_both(both, "/input/aim/pose")}));
        program_.begin_session();
        call_.attach({high, low});
        const XrSpace room = call_.create_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        const std::vector<XrSpace> spaces{call_.create_space(left, ""), call_.create_space(right, ""),
                                          call_.create_space(both, "")};
        for (int i = 0; i < 6; ++i) {
            world_.hold(0, i < 3 ? "" : kSimple);
            world_.hold(1, i < 1 ? "" : kSimple);
            program_.frame();
            call_.sync(i == 4 ? std::vector<std::pair<XrActionSet, std::string>>{{low, ""}}
                              : std::vector<std::pair<XrActionSet, std::string>>{{low, ""}, {high, ""}});
            (void)call_.poll();
            for (const XrSpace space : spaces) {
                call_.locate(space, room, program_.time());
            }
        }
    }

    // A pose that is one hand's or the other's, nobody says which: who wants to know of each hand must bind the same
    // inputs again, and leave them to this one all the same.
    void bind_hands_together() {
        const XrActionSet set = call_.create_set("hands", "Hands", 0);
        const XrAction either = call_.create_action(set, "either", XR_ACTION_TYPE_POSE_INPUT, {});
        const XrAction click = call_.create_action(set, "click", XR_ACTION_TYPE_BOOLEAN_INPUT, {});
        for (const std::string& profile : {kSimple, kTouch}) {
            call_.suggest(profile, of_both(either, "/input/grip/pose"));
        }
        call_.suggest(kSimple, joined({of_both(either, "/input/grip/pose"), of_both(click, "/input/menu/click")}));
        program_.begin_session();
        call_.attach({set});
        const XrSpace space = call_.create_space(either, "");
        const XrSpace room = call_.create_space(XR_REFERENCE_SPACE_TYPE_LOCAL);
        for (int i = 0; i < 6; ++i) {
            world_.hold(0, i % 3 == 0 ? "" : kTouch);
            world_.hold(1, i % 2 == 0 ? kSimple : kTouch);
            program_.frame();
            call_.sync({{set, ""}});
            (void)call_.poll();
            call_.get_state(either, XR_ACTION_TYPE_POSE_INPUT, "");
            call_.get_state(click, XR_ACTION_TYPE_BOOLEAN_INPUT, "");
            call_.get_sources(either);
            call_.locate(space, room, program_.time());
        }
    }

    void attach_without_bindings() {
        const XrActionSet set = call_.create_set("idle", "Idle", 0);
        const XrAction hand = call_.create_action(set, "hand", XR_ACTION_TYPE_POSE_INPUT, kBoth);
        program_.begin_session();
        call_.attach({set, set});
        call_.attach({set});
        world_.hold(0, kSimple);
        for (int i = 0; i < 3; ++i) {
            program_.frame();
            call_.sync({{set, ""}, {set, kLeft}});
            (void)call_.poll();
            call_.get_profile(kLeft);
            call_.get_sources(hand);
            call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, kLeft);
        }
        program_.end_session();
        program_.begin_session();
        call_.suggest(kSimple, of_both(hand, "/input/grip/pose"));
        call_.attach({set});
        program_.frame();
        call_.sync({{set, ""}});
        call_.get_state(hand, XR_ACTION_TYPE_POSE_INPUT, kLeft);
    }

    void play_shortly() {
        const Game game = make_game();
        suggest(game);
        program_.begin_session();
        call_.attach({game.play, game.menu});
        world_.hold(1, kTouch);
        for (int i = 0; i < 3; ++i) {
            program_.frame();
            call_.sync({{game.play, ""}});
            (void)call_.poll();
            call_.get_profile(kRight);
            call_.get_state(game.grip, XR_ACTION_TYPE_POSE_INPUT, kRight);
        }
    }

    const ScriptWorld& world_;
    const ScriptOptions& options_;
    ActionCalls call_;
    HeadlessProgram program_;
};

}  // namespace

ScriptRun play_actions(const ScriptWorld& world, const ScriptOptions& options) {
    return Script(world, options).run();
}

}  // namespace glove::test
