// SPDX-License-Identifier: Apache-2.0
// An application without sense: long random sequences of right and wrong calls, on all kinds of runtimes, which fail
// now and then, while gloves and junk arrive. Nothing here knows which call comes next, so nothing here is exact where
// other tests are; what is checked after every call must hold whatever came before.
//   GLOVE_RANDOM_SEED   another sequence than the usual one
//   GLOVE_RANDOM_CALLS  how many calls
// The same seed makes the same calls; what the receiver's thread has taken by then may differ.
// Not covered: several threads (concurrency_test.cpp), pointers that are neither null nor good.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "openxr/glove_flood.hpp"
#include "openxr/loader/status_extension.hpp"
#include "openxr/loader_fixture.hpp"

namespace glove::test {
namespace {

using Codes = std::set<XrResult>;

// The registry of OpenXR 1.1.61; successes included.
const Codes kOfCreate{XR_SUCCESS,
                      XR_SESSION_LOSS_PENDING,
                      XR_ERROR_FEATURE_UNSUPPORTED,
                      XR_ERROR_FUNCTION_UNSUPPORTED,
                      XR_ERROR_HANDLE_INVALID,
                      XR_ERROR_INSTANCE_LOST,
                      XR_ERROR_LIMIT_REACHED,
                      XR_ERROR_OUT_OF_MEMORY,
                      XR_ERROR_RUNTIME_FAILURE,
                      XR_ERROR_SESSION_LOST,
                      XR_ERROR_VALIDATION_FAILURE};
const Codes kOfDestroy{XR_SUCCESS, XR_ERROR_FUNCTION_UNSUPPORTED, XR_ERROR_HANDLE_INVALID, XR_ERROR_RUNTIME_FAILURE};
const Codes kOfLocate{XR_SUCCESS,
                      XR_SESSION_LOSS_PENDING,
                      XR_ERROR_FUNCTION_UNSUPPORTED,
                      XR_ERROR_HANDLE_INVALID,
                      XR_ERROR_INSTANCE_LOST,
                      XR_ERROR_RUNTIME_FAILURE,
                      XR_ERROR_SESSION_LOST,
                      XR_ERROR_TIME_INVALID,
                      XR_ERROR_VALIDATION_FAILURE};
const Codes kOfSystemProperties{XR_SUCCESS,
                                XR_ERROR_HANDLE_INVALID,
                                XR_ERROR_INSTANCE_LOST,
                                XR_ERROR_OUT_OF_MEMORY,
                                XR_ERROR_RUNTIME_FAILURE,
                                XR_ERROR_SYSTEM_INVALID,
                                XR_ERROR_VALIDATION_FAILURE};
const Codes kOfPoll{XR_SUCCESS,
                    XR_EVENT_UNAVAILABLE,
                    XR_ERROR_HANDLE_INVALID,
                    XR_ERROR_INSTANCE_LOST,
                    XR_ERROR_RUNTIME_FAILURE,
                    XR_ERROR_VALIDATION_FAILURE};

struct Mishap {
    const char* function;  // of the runtime
    std::vector<XrResult> results;
};
// What the runtime fails with, by the call of the application that comes to it: what it may, and where the layer calls
// for itself, what it may not.
const std::map<std::string, std::vector<Mishap>> kMishaps{
    {"locate",
     {{"xrLocateSpace",
       {XR_SESSION_LOSS_PENDING, XR_ERROR_VALIDATION_FAILURE, XR_ERROR_RUNTIME_FAILURE, XR_ERROR_INSTANCE_LOST,
        XR_ERROR_SESSION_LOST, XR_ERROR_TIME_INVALID, XR_ERROR_LIMIT_REACHED, XR_ERROR_OUT_OF_MEMORY}},
      {"xrLocateHandJointsEXT",
       {XR_SESSION_LOSS_PENDING, XR_ERROR_RUNTIME_FAILURE, XR_ERROR_SESSION_LOST, XR_ERROR_TIME_INVALID}},
      {"xrConvertTimeToTimespecTimeKHR", {XR_ERROR_TIME_INVALID, XR_ERROR_RUNTIME_FAILURE}}}},
    {"create",
     {{"xrCreateHandTrackerEXT",
       {XR_SESSION_LOSS_PENDING, XR_ERROR_FEATURE_UNSUPPORTED, XR_ERROR_LIMIT_REACHED, XR_ERROR_OUT_OF_MEMORY,
        XR_ERROR_RUNTIME_FAILURE, XR_ERROR_SESSION_LOST}},
      {"xrCreateReferenceSpace",
       {XR_SESSION_LOSS_PENDING, XR_ERROR_OUT_OF_MEMORY, XR_ERROR_REFERENCE_SPACE_UNSUPPORTED, XR_ERROR_RUNTIME_FAILURE,
        XR_ERROR_FUNCTION_UNSUPPORTED}}}},
    {"destroy", {{"xrDestroyHandTrackerEXT", {XR_ERROR_RUNTIME_FAILURE, XR_ERROR_HANDLE_INVALID}}}},
    {"destroy session", {{"xrDestroySession", {XR_ERROR_RUNTIME_FAILURE}}}},
    {"create session", {{"xrCreateSession", {XR_ERROR_RUNTIME_FAILURE, XR_ERROR_LIMIT_REACHED}}}},
    {"system properties", {{"xrGetSystemProperties", {XR_ERROR_RUNTIME_FAILURE, XR_ERROR_OUT_OF_MEMORY}}}},
    {"poll", {{"xrPollEvent", {XR_ERROR_RUNTIME_FAILURE, XR_ERROR_INSTANCE_LOST}}}},
};

constexpr int kCallsPerInstance = 250;
constexpr XrStructureType kNobodysType = static_cast<XrStructureType>(1999999000);

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// A struct of an extension that nobody has.
struct Unknown {
    Unknown() { payload.fill(0xA5A5A5A5); }
    [[nodiscard]] bool untouched() const {
        return std::all_of(payload.begin(), payload.end(), [](std::uint32_t word) { return word == 0xA5A5A5A5; });
    }
    XrStructureType type = kNobodysType;
    void* next = nullptr;
    std::array<std::uint32_t, 8> payload;
};

class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t end) { return engine_() % end; }
    bool one_in(std::size_t n) { return below(n) == 0; }
    template <class Container>
    const auto& of(const Container& container) {
        return *std::next(std::begin(container), static_cast<std::ptrdiff_t>(below(std::size(container))));
    }
    template <class T>
    T of(std::initializer_list<T> choices) {
        return choices.begin()[below(choices.size())];
    }

private:
    std::mt19937_64 engine_;
};

template <class Handle>
Handle made_up(std::uint64_t number) {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(number));
    } else {
        return number;
    }
}

// The handles of one kind, of the instance that is.
template <class Handle, class Data>
class Handles {
public:
    void add(Handle handle, const Data& data) { live_.emplace_back(handle, data); }
    void end(Handle handle) {
        std::erase_if(live_, [handle](const auto& entry) { return entry.first == handle; });
        dead_.push_back(handle);
    }
    void end_all() {
        while (!live_.empty()) {
            end(live_.back().first);
        }
    }
    [[nodiscard]] Data* find(Handle handle) {
        const auto found =
            std::find_if(live_.begin(), live_.end(), [handle](const auto& entry) { return entry.first == handle; });
        return found == live_.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool empty() const { return live_.empty(); }
    [[nodiscard]] std::size_t size() const { return live_.size(); }

    // Mostly one that lives; else none, one that lived, one of another kind, one that never was.
    Handle any(Random& random, std::uint64_t of_another_kind) {
        if (!live_.empty() && !random.one_in(10)) {
            return random.of(live_).first;
        }
        switch (random.below(4)) {
            case 0:
                return XR_NULL_HANDLE;
            case 1:
                return dead_.empty() ? Handle{XR_NULL_HANDLE} : random.of(dead_);
            case 2:
                return made_up<Handle>(of_another_kind);
            default:
                return made_up<Handle>(random.of<std::uint64_t>({1, 0xDEAD'BEEF, 0x6CFF'FFFF'0000'0010, ~0ull}));
        }
    }
    Handle live(Random& random) { return random.of(live_).first; }

private:
    std::vector<std::pair<Handle, Data>> live_;  // in the order of creation: the same in each run
    std::vector<Handle> dead_;
};

class RandomCaller : public LoaderTest {
protected:
    struct SessionData {
        XrSessionState delivered = XR_SESSION_STATE_UNKNOWN;
    };
    struct TrackerData {
        // A mishap came between at its creation: it may be without a wrist, and then nobody looks at the base space.
        bool odd;
    };
    struct Nothing {};

    void run(std::uint64_t seed, std::uint64_t calls) {
        random_.emplace(seed);
        const GloveFlood gloves(port(), GloveFlood::Sends::hands_and_junk);
        std::uint64_t made = 0;
        while (made < calls && !HasFailure()) {
            begin_instance();
            for (int i = 0; instance() != XR_NULL_HANDLE && i < kCallsPerInstance && !HasFailure(); ++i, ++made) {
                const ::testing::ScopedTrace trace(__FILE__, __LINE__, "call " + std::to_string(made));
                call_something();
            }
            end_instance();
        }
    }

    // How often what happened; a test that never came to a point has not tested it.
    std::map<std::string, std::uint64_t> happened_;

private:
    void begin_instance() {
        Random& random = *random_;
        runtime().reset();
        native_ = random.of({NativeHands::absent, NativeHands::unsupported, NativeHands::supported});
        runtime().native_hands = native_;
        runtime().lists_time_conversion = !random.one_in(3);
        runtime().has_stage = !random.one_in(3);
        write_config(
            random.of({"", "[age]\ntracked_ms = 10\nvalid_ms = 10\n", "[wrist]\nsource = \"fixed\"\n",
                       "[wrist]\nsource = \"fixed\"\n[wrist.fixed]\nspace = \"stage\"\n", "[hand]\nsize_mm = 1e9\n"}));
        has_hands_ = !random.one_in(8);
        has_status_ = random.one_in(2);
        has_debug_ = random.one_in(3);
        std::vector<const char*> extensions{XR_MND_HEADLESS_EXTENSION_NAME};
        if (has_hands_) {
            extensions.push_back(XR_EXT_HAND_TRACKING_EXTENSION_NAME);
        }
        if (has_status_) {
            extensions.push_back(XR_NOVENDOR_GLOVE_HANDS_STATUS_EXTENSION_NAME);
        }
        if (has_debug_) {
            extensions.push_back(XR_EXT_DEBUG_UTILS_EXTENSION_NAME);
        }
        if (random.one_in(10)) {
            runtime().fail("xrCreateInstance", XR_ERROR_RUNTIME_FAILURE, random.of({1, 2}));
        }
        const XrResult result = try_instance(extensions);
        runtime().fail("xrCreateInstance", XR_SUCCESS, 0);
        ++happened_[XR_SUCCEEDED(result) ? "instance" : "no instance"];
        if (XR_FAILED(result)) {
            EXPECT_EQ(result, XR_ERROR_RUNTIME_FAILURE);
            EXPECT_EQ(instance(), XrInstance{XR_NULL_HANDLE});
            return;
        }
        const XrSystemGetInfo wanted{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
        ASSERT_EQ(xrGetSystem(instance(), &wanted, &the_system_), XR_SUCCESS);
        create_tracker_ = ask_for<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT", has_hands_);
        destroy_tracker_ = ask_for<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT", has_hands_);
        locate_joints_ = ask_for<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT", has_hands_);
        get_status_ = ask_for<PFN_xrGetGloveHandStatusNOVENDOR>("xrGetGloveHandStatusNOVENDOR", has_status_);
        set_name_ = ask_for<PFN_xrSetDebugUtilsObjectNameEXT>("xrSetDebugUtilsObjectNameEXT", has_debug_);
    }

    void end_instance() {
        trackers_ = {};
        spaces_ = {};
        sessions_ = {};
        if (instance() != XR_NULL_HANDLE) {
            const std::uint64_t unknown = runtime().unknown_handles;
            destroy_instance();
            EXPECT_EQ(runtime().unknown_handles, unknown);
        }
        EXPECT_EQ(runtime().live_sessions, 0u);
        EXPECT_EQ(runtime().live_spaces, 0u);
        EXPECT_EQ(runtime().live_hand_trackers, 0u);
    }

    template <class Function>
    Function ask_for(const char* name, bool is_on) {
        PFN_xrVoidFunction function = nullptr;
        const XrResult result = xrGetInstanceProcAddr(instance(), name, &function);
        EXPECT_EQ(result, is_on ? XR_SUCCESS : XR_ERROR_FUNCTION_UNSUPPORTED) << name;
        EXPECT_EQ(function != nullptr, is_on) << name;
        return reinterpret_cast<Function>(function);
    }

    // One call: with a mishap below, or with an outcome that `due` says. `due` is what is wrong with the arguments, in
    // any order, for the specification gives none; empty: nothing is. `passed_on`: the application's own wrong handles
    // that may come to the runtime.
    template <class Call>
    XrResult check(const char* function, const Codes& permitted, const Codes& due, std::uint64_t passed_on,
                   Call&& call) {
        const std::uint64_t unknown = runtime().unknown_handles;
        const auto mishaps = kMishaps.find(function);
        mishap_ = mishaps != kMishaps.end() && random_->one_in(8);
        const char* failing = "nothing";
        if (mishap_) {
            const Mishap& mishap = random_->of(mishaps->second);
            failing = mishap.function;
            runtime().fail(failing, random_->of(mishap.results), random_->of({1, RuntimeControl::kAlways}));
        }
        const XrResult result = call();
        if (mishap_) {
            runtime().fail(failing, XR_SUCCESS, 0);
        }
        const std::string what =
            std::string(function) + " returned " + std::to_string(result) + "; fails below: " + failing;
        EXPECT_EQ(permitted.count(result), 1u) << what;
        if (has_hands_ || has_status_) {  // else the layer only passes on
            EXPECT_LE(runtime().unknown_handles, unknown + passed_on) << what;
        }
        if (!due.empty()) {
            EXPECT_TRUE(XR_FAILED(result)) << what;
        }
        if (!mishap_) {
            EXPECT_EQ(due.empty() ? XR_SUCCEEDED(result) : due.count(result) == 1, true) << what;
        }
        ++happened_[std::string(function) + ' ' + std::to_string(result)];
        return result;
    }

    void call_something() {
        Random& random = *random_;
        // Without a session, a space and a tracker there is not much to be wrong about.
        if (random.one_in(2)) {
            if (sessions_.empty()) {
                return open_session();
            }
            if (spaces_.empty()) {
                return make_space();
            }
            if (trackers_.empty() && has_hands_) {
                return create_tracker();
            }
        }
        switch (random.below(24)) {
            case 0:
            case 1:
                return has_hands_ ? create_tracker() : look_up();
            case 2:
                return has_hands_ ? destroy_tracker() : look_up();
            case 3:
                return open_session();
            case 4:
                return random.one_in(4) ? end_session() : poll();
            case 5:
                return poll();
            case 6:
                return make_space();
            case 7:
                return random.one_in(3) ? destroy_space() : locate_space();
            case 8:
                return system_properties();
            case 9:
                return look_up();
            case 10:
                return has_status_ ? status() : look_up();
            case 11:
                return has_debug_ ? set_name() : look_up();
            case 12:
                return change_the_world();
            default:
                return has_hands_ ? locate_hand() : poll();
        }
    }

    std::uint64_t any_handle() {
        return random_->of<std::uint64_t>({key(instance()), sessions_.empty() ? 2 : key(sessions_.live(*random_)),
                                           spaces_.empty() ? 3 : key(spaces_.live(*random_))});
    }
    template <class Handle>
    static std::uint64_t key(Handle handle) {
        if constexpr (std::is_pointer_v<Handle>) {
            return reinterpret_cast<std::uintptr_t>(handle);
        } else {
            return handle;
        }
    }
    // Sometimes.
    bool wrong() { return random_->one_in(20); }

    void create_tracker() {
        Random& random = *random_;
        const XrSession session = sessions_.any(random, any_handle());
        Unknown unknown;
        XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, random.one_in(4) ? &unknown : nullptr,
                                        random.of({XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT}),
                                        XR_HAND_JOINT_SET_DEFAULT_EXT};
        XrHandTrackerEXT tracker = made_up<XrHandTrackerEXT>(77);
        const XrHandTrackerCreateInfoEXT* in = &info;
        XrHandTrackerEXT* out = &tracker;
        Codes due;
        if (sessions_.find(session) == nullptr) {
            due.insert(XR_ERROR_HANDLE_INVALID);
        }
        const auto spoil = [&](auto&& change) {
            if (wrong()) {
                change();
                due.insert(XR_ERROR_VALIDATION_FAILURE);
            }
        };
        spoil([&] { info.hand = static_cast<XrHandEXT>(random.of({0, 3, 0x7FFFFFFF})); });
        spoil([&] { info.type = random.of({XR_TYPE_UNKNOWN, XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT}); });
        spoil([&] { info.handJointSet = static_cast<XrHandJointSetEXT>(random.of({1, 1000149000, 0x7FFFFFFF})); });
        spoil([&] { in = nullptr; });
        spoil([&] { out = nullptr; });

        const XrResult result = check("create", kOfCreate, due, 0, [&] { return create_tracker_(session, in, out); });
        EXPECT_TRUE(unknown.untouched());
        if (XR_FAILED(result)) {
            EXPECT_EQ(tracker, made_up<XrHandTrackerEXT>(77));
            return;
        }
        EXPECT_NE(tracker, XrHandTrackerEXT{XR_NULL_HANDLE});
        EXPECT_EQ(trackers_.find(tracker), nullptr) << "a handle that lives already";
        trackers_.add(tracker, {mishap_});
    }

    void destroy_tracker() {
        const XrHandTrackerEXT tracker = trackers_.any(*random_, any_handle());
        const bool is_live = trackers_.find(tracker) != nullptr;
        const XrResult result = check("destroy", kOfDestroy, is_live ? Codes{} : Codes{XR_ERROR_HANDLE_INVALID}, 0,
                                      [&] { return destroy_tracker_(tracker); });
        if (is_live && XR_FAILED(result)) {
            EXPECT_EQ(native_, NativeHands::supported);  // and it lives on
        } else if (is_live) {
            trackers_.end(tracker);
        }
    }

    XrTime some_time() {
        constexpr XrTime kMs = 1'000'000;
        const XrTime now = runtime().now();
        if (!random_->one_in(5)) {
            return now + kMs * static_cast<XrTime>(random_->below(120)) - 60 * kMs;
        }
        return random_->of<XrTime>({0, -1, std::numeric_limits<XrTime>::min(), -now, 1, now - 3'600'000 * kMs,
                                    now + 3'600'000 * kMs, std::numeric_limits<XrTime>::max()});
    }

    void locate_hand() {
        Random& random = *random_;
        const XrHandTrackerEXT tracker = trackers_.any(random, any_handle());
        const XrSpace base = spaces_.any(random, any_handle());
        const TrackerData* const known = trackers_.find(tracker);
        const bool base_is_live = spaces_.find(base) != nullptr;

        HandAnswer answer;
        Unknown before, between;
        XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, random.one_in(6) ? &before : nullptr, base,
                                       some_time()};
        const bool with_velocities = !random.one_in(3);
        answer.location_part.next = with_velocities ? &answer.velocity_part : nullptr;
        if (random.one_in(4)) {
            between.next = answer.location_part.next;
            answer.location_part.next = &between;
        }
        const XrHandJointsLocateInfoEXT* in = &info;
        XrHandJointLocationsEXT* out = &answer.location_part;

        Codes due;
        if (known == nullptr) {
            due.insert(XR_ERROR_HANDLE_INVALID);
        }
        if (info.time <= 0) {
            due.insert(XR_ERROR_TIME_INVALID);
        }
        const auto spoil = [&](auto&& change) {
            if (wrong()) {
                change();
                due.insert(XR_ERROR_VALIDATION_FAILURE);
            }
        };
        spoil([&] { info.type = XR_TYPE_UNKNOWN; });
        spoil([&] { answer.location_part.type = XR_TYPE_HAND_JOINT_VELOCITIES_EXT; });
        spoil([&] { answer.location_part.jointCount = random.of({0u, 25u, 27u, ~0u}); });
        spoil([&] { answer.location_part.jointLocations = nullptr; });
        spoil([&] { in = nullptr; });
        spoil([&] { out = nullptr; });
        if (with_velocities) {
            spoil([&] { answer.velocity_part.jointCount = random.of({0u, 25u, 27u, ~0u}); });
            spoil([&] { answer.velocity_part.jointVelocities = nullptr; });
        }
        const bool base_counts = known == nullptr || !known->odd;
        if (!base_is_live && base_counts) {
            due.insert(XR_ERROR_HANDLE_INVALID);
        }
        if (!base_is_live && !base_counts && due.empty()) {
            return;  // nothing can be said of it
        }

        const XrHandJointLocationsEXT said = answer.location_part;
        // The wrist below and the runtime's own hand are both asked with the application's base space.
        const XrResult result =
            check("locate", kOfLocate, due, base_is_live ? 0 : 2, [&] { return locate_joints_(tracker, in, out); });
        EXPECT_TRUE(before.untouched() && between.untouched());
        EXPECT_EQ(answer.location_part.type, said.type);
        EXPECT_EQ(answer.location_part.next, said.next);
        EXPECT_EQ(answer.location_part.jointCount, said.jointCount);
        EXPECT_EQ(answer.location_part.jointLocations, said.jointLocations);
        if (XR_FAILED(result)) {
            EXPECT_TRUE(answer.untouched()) << result;
            return;
        }
        if (!with_velocities) {
            for (std::size_t i = 0; i < HandAnswer::kJoints; ++i) {
                EXPECT_TRUE(is_pattern(answer.velocities[i])) << i;
                answer.velocities[i] = {};  // is_whole() wants to see some
            }
        }
        EXPECT_TRUE(is_whole(answer));
        if (answer.active()) {
            ++happened_["active, kind " + std::to_string(static_cast<int>(native_))];
            if (native_ != NativeHands::supported) {
                EXPECT_EQ(sessions_.find(sessions_.live(random))->delivered, XR_SESSION_STATE_FOCUSED);
            }
        }
    }

    static bool is_pattern(const XrHandJointVelocityEXT& velocity) {
        std::array<unsigned char, sizeof velocity> bytes;
        std::memcpy(bytes.data(), &velocity, sizeof velocity);
        return std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0xA5; });
    }

    // The next right step on the way to the focus, mostly.
    void open_session() {
        Random& random = *random_;
        if (sessions_.empty() || wrong()) {
            XrSessionCreateInfo info{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, the_system_};
            Codes due;
            if (!sessions_.empty()) {
                due.insert(XR_ERROR_LIMIT_REACHED);  // so is the test runtime
            }
            if (wrong()) {
                info.systemId = 99;
                due.insert(XR_ERROR_SYSTEM_INVALID);
            }
            if (wrong()) {
                info.type = XR_TYPE_UNKNOWN;
                due.insert(XR_ERROR_VALIDATION_FAILURE);
            }
            XrSession session = made_up<XrSession>(77);
            const XrResult result = check("create session",
                                          {XR_SUCCESS, XR_ERROR_LIMIT_REACHED, XR_ERROR_SYSTEM_INVALID,
                                           XR_ERROR_VALIDATION_FAILURE, XR_ERROR_RUNTIME_FAILURE},
                                          due, 0, [&] { return xrCreateSession(instance(), &info, &session); });
            if (XR_SUCCEEDED(result)) {
                sessions_.add(session, {});
            } else {
                EXPECT_EQ(session, made_up<XrSession>(77));
            }
            return;
        }
        const XrSession session = sessions_.live(random);
        for (int i = 0; i < 4; ++i) {
            poll();
        }
        const XrSessionState state = sessions_.find(session)->delivered;
        if (state == XR_SESSION_STATE_READY) {
            const XrSessionBeginInfo begin{XR_TYPE_SESSION_BEGIN_INFO, nullptr,
                                           XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
            (void)xrBeginSession(session, &begin);  // an error when it runs already
        } else if (state == XR_SESSION_STATE_STOPPING) {
            (void)xrEndSession(session);
        } else if (random.one_in(20)) {
            (void)xrRequestExitSession(session);
        }
    }

    void end_session() {
        const XrSession session = sessions_.any(*random_, any_handle());
        const bool is_live = sessions_.find(session) != nullptr;
        const XrResult result = check("destroy session", kOfDestroy, is_live ? Codes{} : Codes{XR_ERROR_HANDLE_INVALID},
                                      0, [&] { return xrDestroySession(session); });
        if (is_live && XR_SUCCEEDED(result)) {
            sessions_.end(session);
            trackers_.end_all();
            spaces_.end_all();
        }
    }

    void poll() {
        XrEventDataBuffer buffer{};
        buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
        XrInstance of = instance();
        XrEventDataBuffer* out = &buffer;
        Codes due;
        if (wrong()) {
            out = nullptr;
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        if (wrong()) {
            of = made_up<XrInstance>(0xDEAD'BEEF);
            due.insert(XR_ERROR_HANDLE_INVALID);
        }
        const XrResult result = check("poll", kOfPoll, due, 0, [&] { return xrPollEvent(of, out); });
        const auto& event = reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer);
        if (result == XR_SUCCESS && event.type == XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
            if (SessionData* const session = sessions_.find(event.session)) {
                session->delivered = event.state;
            }
        }
    }

    void make_space() {
        if (sessions_.empty() || spaces_.size() > 8) {
            return;
        }
        const float x = static_cast<float>(random_->below(100)) * 0.01f;
        const XrReferenceSpaceCreateInfo info{
            XR_TYPE_REFERENCE_SPACE_CREATE_INFO,
            nullptr,
            random_->of({XR_REFERENCE_SPACE_TYPE_LOCAL, XR_REFERENCE_SPACE_TYPE_VIEW}),
            {{0, 0.6f, 0, 0.8f}, {x, 1, -x}}};
        XrSpace space = XR_NULL_HANDLE;
        if (XR_SUCCEEDED(xrCreateReferenceSpace(sessions_.live(*random_), &info, &space))) {
            spaces_.add(space, {});
        }
    }

    void destroy_space() {
        if (!spaces_.empty()) {
            const XrSpace space = spaces_.live(*random_);
            EXPECT_EQ(xrDestroySpace(space), XR_SUCCESS);
            spaces_.end(space);
        }
    }

    // Not the layer's to answer: it must come and go as if there were none.
    void locate_space() {
        if (!spaces_.empty()) {
            XrSpaceLocation location{XR_TYPE_SPACE_LOCATION, nullptr, 0, {}};
            EXPECT_EQ(xrLocateSpace(spaces_.live(*random_), spaces_.live(*random_), runtime().now(), &location),
                      XR_SUCCESS);
        }
    }

    void system_properties() {
        XrSystemHandTrackingPropertiesEXT hands{XR_TYPE_SYSTEM_HAND_TRACKING_PROPERTIES_EXT, nullptr, 0xA5A5A5A5u};
        Unknown unknown;
        unknown.next = &hands;
        XrSystemProperties properties{};
        properties.type = XR_TYPE_SYSTEM_PROPERTIES;
        properties.next = random_->one_in(2) ? static_cast<void*>(&unknown) : &hands;
        XrSystemProperties* out = &properties;
        XrSystemId of = the_system_;
        Codes due;
        if (wrong()) {
            of = 99;
            due.insert(XR_ERROR_SYSTEM_INVALID);
        }
        if (wrong()) {
            properties.type = XR_TYPE_UNKNOWN;
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        if (wrong()) {
            out = nullptr;
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        const XrResult result = check("system properties", kOfSystemProperties, due, 0,
                                      [&] { return xrGetSystemProperties(instance(), of, out); });
        EXPECT_TRUE(unknown.untouched());
        EXPECT_EQ(hands.next, nullptr);
        if (XR_FAILED(result) || !has_hands_) {
            EXPECT_EQ(hands.supportsHandTracking, 0xA5A5A5A5u);
        } else {
            EXPECT_EQ(hands.supportsHandTracking, XrBool32{XR_TRUE});
        }
    }

    void look_up() {
        struct Name {
            const char* name;
            bool is_on;
        };
        const auto [name, is_on] = random_->of<Name>({{"xrCreateHandTrackerEXT", has_hands_},
                                                      {"xrDestroyHandTrackerEXT", has_hands_},
                                                      {"xrLocateHandJointsEXT", has_hands_},
                                                      {"xrGetGloveHandStatusNOVENDOR", has_status_},
                                                      {"xrSetDebugUtilsObjectNameEXT", has_debug_},
                                                      {"xrGetInstanceProcAddr", true},
                                                      {"xrDestroyInstance", true},
                                                      {"xrPollEvent", true},
                                                      {"xrLocateSpace", true},
                                                      {"xrUpdateHandMeshMSFT", false},
                                                      {"xrGetHandMeshFB", false},
                                                      {"xrConvertTimeToTimespecTimeKHR", false},
                                                      {"xrlocatehandjointsext", false},
                                                      {"", false}});
        (void)ask_for<PFN_xrVoidFunction>(name, is_on);
    }

    void status() {
        XrGloveHandStatusNOVENDOR answer;
        std::memset(&answer, 0xA5, sizeof answer);
        answer.size = sizeof answer;
        XrGloveHandStatusNOVENDOR* out = &answer;
        XrHandEXT hand = random_->of({XR_HAND_LEFT_EXT, XR_HAND_RIGHT_EXT});
        XrInstance of = instance();
        Codes due;
        if (wrong()) {
            answer.size = random_->of({0u, 8u, ~0u});
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        if (wrong()) {
            hand = static_cast<XrHandEXT>(random_->of({0, 3}));
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        if (wrong()) {
            out = nullptr;
            due.insert(XR_ERROR_VALIDATION_FAILURE);
        }
        if (wrong()) {
            of = random_->of({XrInstance{XR_NULL_HANDLE}, made_up<XrInstance>(0xDEAD'BEEF)});
            due.insert(XR_ERROR_HANDLE_INVALID);
        }
        const XrGloveHandStatusNOVENDOR before = answer;
        const XrResult result = check("status", {XR_SUCCESS, XR_ERROR_HANDLE_INVALID, XR_ERROR_VALIDATION_FAILURE}, due,
                                      0, [&] { return get_status_(of, hand, out); });
        if (XR_FAILED(result)) {
            EXPECT_EQ(std::memcmp(&answer, &before, sizeof answer), 0);
            return;
        }
        EXPECT_NE(std::memchr(answer.source, '\0', sizeof answer.source), nullptr);
        EXPECT_LE(answer.samples, answer.datagrams);
        EXPECT_GE(answer.age_ns, -1);
        EXPECT_TRUE(answer.tracked == XR_TRUE || answer.tracked == XR_FALSE);
        EXPECT_TRUE(answer.port == port() || answer.port == 0) << answer.port;
    }

    void set_name() {
        const XrHandTrackerEXT tracker = trackers_.any(*random_, any_handle());
        const XrDebugUtilsObjectNameInfoEXT info{XR_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr,
                                                 random_->of({XR_OBJECT_TYPE_HAND_TRACKER_EXT, XR_OBJECT_TYPE_UNKNOWN}),
                                                 key(tracker), "a hand\n\x1b[31m"};
        const XrResult result = set_name_(instance(), &info);
        if (trackers_.find(tracker) != nullptr && native_ == NativeHands::absent) {
            EXPECT_EQ(result, XR_SUCCESS);
        }
    }

    void change_the_world() {
        Random& random = *random_;
        runtime().focused = !random.one_in(3);
        runtime().head.change([&](HeadScript& head) {
            head.location_flags = random.of<XrSpaceLocationFlags>({15, 15, 15, 11, 7, 3, 10, 5, 2, 1, 0});
            head.linear_velocity = {0, 0, random.one_in(3) ? 0.5f : 0};
            head.angular_velocity = {0, random.one_in(3) ? 0.5f : 0, 0};
        });
        for (auto& hand : runtime().hands) {
            hand.change([&](NativeHandScript& script) { script.active = random.one_in(2); });
        }
        // So that gloves are heard at all in so short a life.
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }

    std::optional<Random> random_;
    bool mishap_ = false;  // of the last check()

    NativeHands native_ = NativeHands::absent;
    bool has_hands_ = false;
    bool has_status_ = false;
    bool has_debug_ = false;
    XrSystemId the_system_ = XR_NULL_SYSTEM_ID;
    Handles<XrSession, SessionData> sessions_;
    Handles<XrSpace, Nothing> spaces_;
    Handles<XrHandTrackerEXT, TrackerData> trackers_;

    PFN_xrCreateHandTrackerEXT create_tracker_ = nullptr;
    PFN_xrDestroyHandTrackerEXT destroy_tracker_ = nullptr;
    PFN_xrLocateHandJointsEXT locate_joints_ = nullptr;
    PFN_xrGetGloveHandStatusNOVENDOR get_status_ = nullptr;
    PFN_xrSetDebugUtilsObjectNameEXT set_name_ = nullptr;
};

TEST_F(RandomCaller, GetsWholeAnswersAndPermittedCodesWhateverItCalls) {
    const std::uint64_t seed = from_environment("GLOVE_RANDOM_SEED", 20250307);
    const std::uint64_t calls = from_environment("GLOVE_RANDOM_CALLS", 20'000);
    std::printf("GLOVE_RANDOM_SEED=%" PRIu64 " GLOVE_RANDOM_CALLS=%" PRIu64 "\n", seed, calls);
    const ::testing::ScopedTrace trace(__FILE__, __LINE__, "seed " + std::to_string(seed));
    run(seed, calls);
    for (const auto& [what, times] : happened_) {
        std::printf("%8" PRIu64 "  %s\n", times, what.c_str());
    }
    if (calls < 10'000) {
        return;
    }
    for (const char* what : {"active, kind 0", "active, kind 1", "active, kind 2", "no instance"}) {
        EXPECT_GT(happened_[what], 0u) << what;
    }
    const auto expect_each = [&](const std::string& function, const Codes& results) {
        for (const XrResult result : results) {
            EXPECT_GT(happened_[function + ' ' + std::to_string(result)], 0u) << function << ' ' << result;
        }
    };
    expect_each("create", {XR_SUCCESS, XR_ERROR_HANDLE_INVALID, XR_ERROR_VALIDATION_FAILURE, XR_ERROR_SESSION_LOST});
    expect_each("destroy", {XR_SUCCESS, XR_ERROR_HANDLE_INVALID});
    expect_each("locate", {XR_SUCCESS, XR_SESSION_LOSS_PENDING, XR_ERROR_HANDLE_INVALID, XR_ERROR_VALIDATION_FAILURE,
                           XR_ERROR_TIME_INVALID, XR_ERROR_RUNTIME_FAILURE, XR_ERROR_SESSION_LOST});
}

}  // namespace
}  // namespace glove::test
