// SPDX-License-Identifier: Apache-2.0
// Glove datagrams, loopback, layer, test runtime and back, on every system we build for: the layer's library is the one
// its manifest names, a stand-in for the loader loads and unloads it, and the configuration lies where a user's does.
// Not covered: the real loader, other layers, every result code (tests/openxr, on Linux).
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <system_error>
#include <thread>

#include "end_to_end/loader_stand_in.hpp"
#include "fsnh_encoding.hpp"
#include "openxr/hand_answer.hpp"
#include "runtime/runtime_control.hpp"
#include "udp_socket.hpp"
#include "wait_for.hpp"

namespace glove::test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Names = std::vector<std::string>;
using test_runtime::HeadScript;
using test_runtime::RuntimeControl;

constexpr const char* kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr const char* kHeadless = XR_MND_HEADLESS_EXTENSION_NAME;
constexpr XrPosef kHere{{0, 0, 0, 1}, {0, 0, 0}};
#ifdef _WIN32
constexpr const char* kConvertTime = "xrConvertTimeToWin32PerformanceCounterKHR";
#else
constexpr const char* kConvertTime = "xrConvertTimeToTimespecTimeKHR";
#endif
constexpr float kMm = 1e-3f;

// Unturned in STAGE: a joint is at the wrist plus its place in the wrist's frame.
constexpr XrVector3f kLeftWrist{-0.2f, 1.1f, -0.3f};
constexpr XrVector3f kRightWrist{0.2f, 1.15f, -0.35f};
constexpr const char* kFixedWrists = R"(
    [wrist]
    source = "fixed"
    [wrist.fixed]
    space = "stage"
    left = { position_mm = [-200, 1100, -300], rotation_deg = [0, 0, 0] }
    right = { position_mm = [200, 1150, -350], rotation_deg = [0, 0, 0] }
    [age]
    tracked_ms = 200
    valid_ms = 1500
)";

constexpr XrSpaceLocationFlags kTracked =
    XR_SPACE_LOCATION_ORIENTATION_TRACKED_BIT | XR_SPACE_LOCATION_POSITION_TRACKED_BIT;

XrVector3f sum(const XrVector3f& a, const XrVector3f& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}

float distance(const XrVector3f& a, const XrVector3f& b) {
    return std::hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

// Gloves send neither the palm nor the fingers' metacarpals.
bool is_sent(std::size_t joint) {
    return joint != XR_HAND_JOINT_PALM_EXT && joint != XR_HAND_JOINT_INDEX_METACARPAL_EXT &&
           joint != XR_HAND_JOINT_MIDDLE_METACARPAL_EXT && joint != XR_HAND_JOINT_RING_METACARPAL_EXT &&
           joint != XR_HAND_JOINT_LITTLE_METACARPAL_EXT;
}

// Null unsets.
void set_environment(const char* name, const fs::path* value) {
#ifdef _WIN32
    SetEnvironmentVariableW(fs::path(name).c_str(), value == nullptr ? nullptr : value->c_str());
#else
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value->c_str(), 1);
#endif
}

class EndToEnd : public ::testing::Test {
protected:
    void SetUp() override {
        // Below the range the system itself gives out from, so that no sender's own port is ever the one we look for.
        const unsigned random = std::random_device{}();
        port_ = static_cast<std::uint16_t>(20'000 + random % 12'000);
        while (!port_is_free()) {
            ++port_;
        }
        scratch_ = fs::temp_directory_path() / ("glove_hands_" + std::to_string(random));
        fs::create_directories(scratch_ / "glove_hands");
        std::ofstream(scratch_ / "glove_hands" / "glove_hands.toml") << "[receiver]\nport = " << port_ << '\n'
                                                                     << kFixedWrists;
#ifdef _WIN32
        set_environment("LOCALAPPDATA", &scratch_);
#else
        set_environment("XDG_CONFIG_HOME", &scratch_);
        set_environment("XDG_STATE_HOME", &scratch_);
#endif
        set_environment("GLOVE_HANDS_CONFIG", nullptr);
        set_environment("GLOVE_HANDS_LOG", nullptr);

        // Never unloaded: the loader drops the runtime, and its script with it, between two instances.
        static const SharedLibrary& runtime = *new SharedLibrary(library_of(GLOVE_TEST_RUNTIME_MANIFEST, "runtime"));
        const auto control = runtime.function<PFN_glove_test_runtime_control>("glove_test_runtime_control");
        ASSERT_NE(control, nullptr);
        control_ = control();
        control_->reset();
    }

    void TearDown() override {
        if (loader_.instance() != XR_NULL_HANDLE) {
            EXPECT_EQ(loader_.destroy_instance(), XR_SUCCESS);
        }
        std::error_code ignored;
        fs::remove_all(scratch_, ignored);
    }

    template <class Function>
    [[nodiscard]] Function proc(const char* name) const {
        PFN_xrVoidFunction function = nullptr;
        succeed(loader_.get_proc(loader_.instance(), name, &function), name);
        return reinterpret_cast<Function>(function);
    }
    static void succeed(XrResult result, const char* what) {
        if (result != XR_SUCCESS) {
            throw std::runtime_error(std::string(what) + " returned " + std::to_string(result));
        }
    }

    // Instance, focused session, both trackers.
    void begin() {
        succeed(loader_.create_instance({kHands, kHeadless}), "xrCreateInstance");
        const XrSystemGetInfo wanted{XR_TYPE_SYSTEM_GET_INFO, nullptr, XR_FORM_FACTOR_HEAD_MOUNTED_DISPLAY};
        XrSystemId system = XR_NULL_SYSTEM_ID;
        succeed(proc<PFN_xrGetSystem>("xrGetSystem")(loader_.instance(), &wanted, &system), "xrGetSystem");
        const XrSessionCreateInfo create{XR_TYPE_SESSION_CREATE_INFO, nullptr, 0, system};
        succeed(proc<PFN_xrCreateSession>("xrCreateSession")(loader_.instance(), &create, &session_),
                "xrCreateSession");
        poll_until(XR_SESSION_STATE_READY);
        const XrSessionBeginInfo begin{XR_TYPE_SESSION_BEGIN_INFO, nullptr, XR_VIEW_CONFIGURATION_TYPE_PRIMARY_STEREO};
        succeed(proc<PFN_xrBeginSession>("xrBeginSession")(session_, &begin), "xrBeginSession");
        poll_until(XR_SESSION_STATE_FOCUSED);
        left_ = make_tracker(XR_HAND_LEFT_EXT);
        right_ = make_tracker(XR_HAND_RIGHT_EXT);
        stage_ = make_space(XR_REFERENCE_SPACE_TYPE_STAGE);
        view_ = make_space(XR_REFERENCE_SPACE_TYPE_VIEW);
    }
    void poll_until(XrSessionState state) const {
        const auto poll = proc<PFN_xrPollEvent>("xrPollEvent");
        const auto next_state = [&]() -> XrSessionState {
            XrEventDataBuffer buffer{};
            buffer.type = XR_TYPE_EVENT_DATA_BUFFER;
            if (poll(loader_.instance(), &buffer) != XR_SUCCESS ||
                buffer.type != XR_TYPE_EVENT_DATA_SESSION_STATE_CHANGED) {
                return XR_SESSION_STATE_UNKNOWN;
            }
            return reinterpret_cast<const XrEventDataSessionStateChanged&>(buffer).state;
        };
        if (!wait_for([&] { return next_state() == state; })) {
            throw std::runtime_error("the session never reached state " + std::to_string(state));
        }
    }
    [[nodiscard]] XrHandTrackerEXT make_tracker(XrHandEXT hand) const {
        const XrHandTrackerCreateInfoEXT info{XR_TYPE_HAND_TRACKER_CREATE_INFO_EXT, nullptr, hand,
                                              XR_HAND_JOINT_SET_DEFAULT_EXT};
        XrHandTrackerEXT tracker = XR_NULL_HANDLE;
        succeed(proc<PFN_xrCreateHandTrackerEXT>("xrCreateHandTrackerEXT")(session_, &info, &tracker),
                "xrCreateHandTrackerEXT");
        return tracker;
    }
    [[nodiscard]] XrSpace make_space(XrReferenceSpaceType type) const {
        const XrReferenceSpaceCreateInfo info{XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, kHere};
        XrSpace space = XR_NULL_HANDLE;
        succeed(proc<PFN_xrCreateReferenceSpace>("xrCreateReferenceSpace")(session_, &info, &space),
                "xrCreateReferenceSpace");
        return space;
    }

    // Every byte of the answer is checked.
    void locate(XrHandTrackerEXT tracker, XrSpace base, XrTime time, HandAnswer& answer) const {
        const XrHandJointsLocateInfoEXT info{XR_TYPE_HAND_JOINTS_LOCATE_INFO_EXT, nullptr, base, time};
        succeed(proc<PFN_xrLocateHandJointsEXT>("xrLocateHandJointsEXT")(tracker, &info, &answer.location_part),
                "xrLocateHandJointsEXT");
        EXPECT_TRUE(is_whole(answer));
    }
    // Of the index finger's tip, now.
    [[nodiscard]] XrSpaceLocationFlags flags(XrHandTrackerEXT tracker) const {
        HandAnswer answer;
        locate(tracker, stage_, control_->now(), answer);
        return answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].locationFlags;
    }
    // Stamped with the steady clock's time, which it returns as XrTime.
    XrTime send(Hand hand, const JointPoses& joint_in_wrist) {
        const XrTime now = control_->now();
        FsnhHeader header;
        header.hand = hand;
        header.frame_index = ++frame_index_;
        header.timestamp_ns = static_cast<std::uint64_t>(now - control_->epoch_ns.get());
        glove_.send(wrist_datagram(header, to_sender(hand, joint_in_wrist)), port_);
        return now;
    }
    XrTime send(const ReferencePose& pose) {
        return send(pose.hand, pose.joint_in_wrist);
    }
    void wear(const ReferencePose& pose) {
        const XrHandTrackerEXT tracker = pose.hand == Hand::left ? left_ : right_;
        const XrVector3f tip = sum(pose.hand == Hand::left ? kLeftWrist : kRightWrist,
                                   pose.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT].position);
        const bool arrived = wait_for([&] {
            send(pose);
            HandAnswer answer;
            locate(tracker, stage_, control_->now(), answer);
            return answer.active() &&
                   distance(answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].pose.position, tip) < 0.1f * kMm;
        });
        if (!arrived) {
            throw std::runtime_error(pose.name + " did not arrive; the log says:\n" + log_text());
        }
    }

    [[nodiscard]] bool port_is_free() const {
        return is_free_udp_port(port_);
    }
    [[nodiscard]] std::string log_text() const {
        std::ifstream log(scratch_ / "glove_hands" / "glove_hands.log");
        return {std::istreambuf_iterator<char>(log), std::istreambuf_iterator<char>()};
    }

    LoaderStandIn loader_{GLOVE_LAYER_MANIFEST, GLOVE_TEST_RUNTIME_MANIFEST};
    RuntimeControl* control_ = nullptr;
    XrSession session_ = XR_NULL_HANDLE;
    XrHandTrackerEXT left_ = XR_NULL_HANDLE;
    XrHandTrackerEXT right_ = XR_NULL_HANDLE;
    XrSpace stage_ = XR_NULL_HANDLE;
    XrSpace view_ = XR_NULL_HANDLE;

private:
    fs::path scratch_;
    std::uint16_t port_ = 0;
    UdpSocket glove_;
    std::uint32_t frame_index_ = 0;
};

TEST_F(EndToEnd, FunctionsAreFoundByTheRules) {
    begin();
    EXPECT_EQ(control_->enabled_extensions.get(), (Names{kHeadless, GLOVE_TIME_CONVERSION_EXTENSION}));

    const auto get = proc<PFN_xrGetInstanceProcAddr>("xrGetInstanceProcAddr");
    const auto expect = [&](XrInstance instance, const char* name, XrResult expected) {
        auto function = reinterpret_cast<PFN_xrVoidFunction>(get);  // to be overwritten
        EXPECT_EQ(get(instance, name, &function), expected) << (name == nullptr ? "no name" : name);
        EXPECT_EQ(function != nullptr, expected == XR_SUCCESS) << (name == nullptr ? "no name" : name);
    };
    const XrInstance instance = loader_.instance();
    for (const char* name : {"xrCreateHandTrackerEXT", "xrDestroyHandTrackerEXT", "xrLocateHandJointsEXT",
                             "xrDestroyInstance", "xrCreateSession", "xrPollEvent", "xrLocateSpace", "xrWaitFrame"}) {
        expect(instance, name, XR_SUCCESS);
        expect(XR_NULL_HANDLE, name, XR_ERROR_HANDLE_INVALID);
        expect(reinterpret_cast<XrInstance>(session_), name, XR_ERROR_HANDLE_INVALID);
    }
    expect(instance, "xrGetGloveHandStatusNOVENDOR", XR_ERROR_FUNCTION_UNSUPPORTED);  // not enabled
    expect(instance, "xrThereIsNoSuchFunction", XR_ERROR_FUNCTION_UNSUPPORTED);
    expect(instance, nullptr, XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(get(instance, "xrPollEvent", nullptr), XR_ERROR_VALIDATION_FAILURE);
}

TEST_F(EndToEnd, AProgramWithoutHandsSeesTheRuntimeAlone) {
    ASSERT_EQ(loader_.create_instance({kHeadless}), XR_SUCCESS);
    EXPECT_EQ(control_->enabled_extensions.get(), Names{kHeadless});
    PFN_xrVoidFunction function = nullptr;
    EXPECT_EQ(loader_.get_proc(loader_.instance(), "xrCreateHandTrackerEXT", &function), XR_ERROR_FUNCTION_UNSUPPORTED);
    EXPECT_EQ(function, nullptr);
    EXPECT_TRUE(port_is_free());
}

TEST_F(EndToEnd, ARefusedInstanceLeavesNothing) {
    control_->fail("xrCreateInstance", XR_ERROR_LIMIT_REACHED);
    EXPECT_EQ(loader_.create_instance({kHands, kHeadless}), XR_ERROR_LIMIT_REACHED);
    EXPECT_FALSE(SharedLibrary::is_loaded(library_of(GLOVE_LAYER_MANIFEST, "api_layer")));
    EXPECT_TRUE(port_is_free());
}

TEST_F(EndToEnd, MeasuredHandsComeBackInTwoSpaces) {
    // A quarter turn to the left about the vertical: what is at (x, y, z) from the head is seen at (-z, y, x).
    constexpr XrVector3f kHead{0.3f, 1.6f, 0.1f};
    control_->head.change([&](HeadScript& head) { head.in_stage = {{0, std::sqrt(0.5f), 0, std::sqrt(0.5f)}, kHead}; });
    begin();
    for (const Hand hand : {Hand::left, Hand::right}) {
        for (const char* name : {"flat", "fist"}) {
            const ReferencePose pose = reference_pose(hand, name);
            SCOPED_TRACE(pose.name);
            wear(pose);
            const XrHandTrackerEXT tracker = hand == Hand::left ? left_ : right_;
            HandAnswer in_stage;
            HandAnswer in_view;
            const XrTime now = control_->now();
            locate(tracker, stage_, now, in_stage);
            locate(tracker, view_, now, in_view);
            ASSERT_TRUE(in_stage.active());
            ASSERT_TRUE(in_view.active());
            for (std::size_t joint = 0; joint < HandAnswer::kJoints; ++joint) {
                if (!is_sent(joint)) {
                    continue;
                }
                const XrPosef& expected = pose.joint_in_wrist[joint];
                const XrVector3f place = sum(hand == Hand::left ? kLeftWrist : kRightWrist, expected.position);
                const XrPosef& actual = in_stage.joints[joint].pose;
                EXPECT_LT(distance(actual.position, place), 0.1f * kMm) << joint;
                const Matrix actual_axes = matrix_of(actual.orientation);
                const Matrix expected_axes = matrix_of(expected.orientation);
                for (std::size_t row = 0; row < 3; ++row) {
                    for (std::size_t column = 0; column < 3; ++column) {
                        EXPECT_NEAR(actual_axes[row][column], expected_axes[row][column], 2e-3) << joint;
                    }
                }
                const XrVector3f seen{-(place.z - kHead.z), place.y - kHead.y, place.x - kHead.x};
                EXPECT_LT(distance(in_view.joints[joint].pose.position, seen), 0.1f * kMm) << joint;
            }
        }
    }
    EXPECT_EQ(control_->unknown_handles, 0u);
}

TEST_F(EndToEnd, AStillHandMovesAgainstAMovingHead) {
    begin();
    constexpr XrVector3f kHeadVelocity{0.25f, 0, -0.5f};
    const XrTime start = control_->now();
    XrVector3f head_at_start{};
    control_->head.change([&](HeadScript& head) {
        head.linear_velocity = kHeadVelocity;
        head.at = start;
        head_at_start = head.in_stage.position;
    });
    const ReferencePose pose = reference_pose(Hand::right, "flat");
    wear(pose);
    const XrTime now = control_->now();
    HandAnswer in_stage;
    HandAnswer in_view;
    locate(right_, stage_, now, in_stage);
    locate(right_, view_, now, in_view);
    ASSERT_TRUE(in_view.active());
    const float seconds = static_cast<float>(now - start) * 1e-9f;
    for (const std::size_t joint : {XR_HAND_JOINT_WRIST_EXT, XR_HAND_JOINT_INDEX_TIP_EXT}) {
        EXPECT_EQ(in_view.velocities[joint].velocityFlags,
                  XrSpaceVelocityFlags{XR_SPACE_VELOCITY_LINEAR_VALID_BIT | XR_SPACE_VELOCITY_ANGULAR_VALID_BIT});
        EXPECT_LT(distance(in_stage.velocities[joint].linearVelocity, {0, 0, 0}), 1e-3f);
        EXPECT_LT(distance(in_view.velocities[joint].linearVelocity, {-0.25f, 0, 0.5f}), 1e-3f);
        const XrVector3f& p = in_stage.joints[joint].pose.position;
        const XrVector3f expected{p.x - head_at_start.x - kHeadVelocity.x * seconds, p.y - head_at_start.y,
                                  p.z - head_at_start.z - kHeadVelocity.z * seconds};
        EXPECT_LT(distance(in_view.joints[joint].pose.position, expected), 0.1f * kMm);
    }
}

// Holds the conversion of XrTime to this system's clock, which on Windows is the performance counter.
TEST_F(EndToEnd, AFingerIsWhereItWasAtTheTimeAskedFor) {
    begin();
    constexpr float kSpeed = 0.2f;  // m/s along X
    const ReferencePose pose = reference_pose(Hand::left, "flat");
    wear(pose);  // so the receiver listens
    const float start_x = kLeftWrist.x + pose.joint_in_wrist[XR_HAND_JOINT_INDEX_TIP_EXT].position.x;
    const XrTime start = control_->now();
    const auto x_at = [&](XrTime time) { return start_x + kSpeed * static_cast<float>(time - start) * 1e-9f; };
    XrTime sent = 0;
    const auto send_moved = [&] {
        JointPoses joints = pose.joint_in_wrist;
        const XrTime about_now = control_->now();
        joints[XR_HAND_JOINT_INDEX_TIP_EXT].position.x += x_at(about_now) - start_x;
        sent = send(Hand::left, joints);
    };
    const auto tip_at = [&](XrTime time, HandAnswer& answer) -> const XrVector3f& {
        locate(left_, stage_, time, answer);
        return answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].pose.position;
    };
    // At the newest sample, however far ahead one asks.
    const auto newest_has_arrived = [&] {
        HandAnswer answer;
        return std::abs(tip_at(sent + 1'000'000'000, answer).x - x_at(sent)) < 0.1f * kMm;
    };
    const auto move_on = [&] {
        for (int i = 0; i < 15; ++i) {
            send_moved();
            ASSERT_TRUE(wait_for(newest_has_arrived)) << log_text();
            std::this_thread::sleep_for(5ms);
        }
    };
    move_on();
    ASSERT_FALSE(HasFatalFailure());
    EXPECT_TRUE(wait_for([&] {
        send_moved();
        HandAnswer answer;
        static_cast<void>(tip_at(control_->now(), answer));
        return distance(answer.velocities[XR_HAND_JOINT_INDEX_TIP_EXT].linearVelocity, {kSpeed, 0, 0}) < 0.01f;
    }));
    move_on();
    ASSERT_FALSE(HasFatalFailure());
    // Ten milliseconds of error would show, the datagrams' way does not.
    const XrTime earlier = sent - 20'000'000;
    HandAnswer answer;
    EXPECT_NEAR(tip_at(earlier, answer).x, x_at(earlier), 2 * kMm);
    EXPECT_GT(control_->calls(kConvertTime), 0u);
}

TEST_F(EndToEnd, WithoutTheFocusHandsAreInactive) {
    begin();
    const ReferencePose pose = reference_pose(Hand::left, "flat");
    wear(pose);
    control_->focused = false;
    poll_until(XR_SESSION_STATE_VISIBLE);
    send(pose);
    EXPECT_EQ(flags(left_), 0u);
    control_->focused = true;
    poll_until(XR_SESSION_STATE_FOCUSED);
    wear(pose);
}

TEST_F(EndToEnd, ASilentGloveIsHeldThenInactiveAndTheOtherHandIsNotTouched) {
    begin();
    const ReferencePose left = reference_pose(Hand::left, "flat");
    const ReferencePose right = reference_pose(Hand::right, "flat");
    XrTime last_sent = 0;
    ASSERT_TRUE(wait_for([&] {
        last_sent = send(left);
        return flags(left_) == test_runtime::kValidAndTracked;
    }));
    EXPECT_EQ(flags(right_), 0u);
    EXPECT_TRUE(wait_for([&] { return flags(left_) == (test_runtime::kValidAndTracked & ~kTracked); }));
    EXPECT_GT(control_->now() - last_sent, 150'000'000);
    wear(right);
    EXPECT_TRUE(wait_for([&] {
        send(right);
        return flags(left_) == 0;
    }));
    EXPECT_GT(control_->now() - last_sent, 1'400'000'000);
    wear(right);
    wear(left);
}

TEST_F(EndToEnd, TwentyInstancesInTurnLeaveNeitherPortNorLibrary) {
    const fs::path library = library_of(GLOVE_LAYER_MANIFEST, "api_layer");
    const ReferencePose pose = reference_pose(Hand::left, "flat");
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        ASSERT_FALSE(SharedLibrary::is_loaded(library));
        ASSERT_TRUE(port_is_free());
        begin();
        wear(pose);
        ASSERT_TRUE(SharedLibrary::is_loaded(library));
        ASSERT_FALSE(port_is_free());
        ASSERT_EQ(loader_.destroy_instance(), XR_SUCCESS);
        ASSERT_EQ(control_->live_spaces, 0u);
    }
    EXPECT_FALSE(SharedLibrary::is_loaded(library));
    EXPECT_TRUE(port_is_free());
    EXPECT_EQ(control_->unknown_handles, 0u);
    EXPECT_NE(log_text().find("\"loader stand-in\" asks for hands"), std::string::npos) << log_text();
}

}  // namespace
}  // namespace glove::test
