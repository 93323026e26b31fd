// SPDX-License-Identifier: Apache-2.0
// The layer among other layers, through the real loader: found twice, with neighbours that keep book and neighbours
// that fail. Not covered: a loader that unloads layers, and a neighbour that enables extensions of its own.
#include <algorithm>
#include <cstring>
#include <map>

#include "openxr/chain_fixture.hpp"

namespace glove::test {
namespace {

using Names = std::vector<std::string>;

constexpr const char* kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr const char* kHeadless = XR_MND_HEADLESS_EXTENSION_NAME;

class LayerFoundTwice : public ChainTest {
protected:
    // One tracker, one wrist space, one receiver, and each locate goes below once.
    void expect_one_copy_at_work(const Neighbour<RecorderControl>& lowest) {
        begin();
        wear_left_glove();
        EXPECT_EQ(runtime().live_spaces, 3u);  // one for each wrist, and the program's
        EXPECT_FALSE(port_is_free());
        EXPECT_EQ(log_text().find("taken"), std::string::npos) << log_text();

        const std::uint64_t before = lowest->calls("xrLocateSpace");
        HandAnswer answer;
        ASSERT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
        EXPECT_TRUE(answer.active());
        EXPECT_TRUE(is_whole(answer));
        EXPECT_EQ(lowest->calls("xrLocateSpace"), before + 1);
        EXPECT_EQ(lowest->unknown_handles(), Names{});
        EXPECT_EQ(lowest->look_ups_of_nobody(), 0u);
    }
    void expect_cycles(int cycles, const Neighbour<RecorderControl>& lowest) {
        const std::ptrdiff_t threads = thread_count();
        for (int i = 0; i < cycles; ++i) {
            SCOPED_TRACE(i);
            expect_one_copy_at_work(lowest);
            destroy_instance();
            ASSERT_EQ(lowest->live_handles(), 0u);
            ASSERT_TRUE(port_is_free());
            ASSERT_EQ(thread_count(), threads);
        }
    }
};

// Six instances: more than the layer has entry points for, so these come round again.
TEST_F(LayerFoundTwice, OneAfterTheOther) {
    const auto lowest = make_recorder("lowest");
    chain({kOurs, kOurs, lowest.folder});
    expect_cycles(6, lowest);
    EXPECT_EQ(lowest->calls("xrCreateInstance"), 6u);
}

TEST_F(LayerFoundTwice, WithAnotherLayerBetween) {
    const auto between = make_recorder("between");
    const auto lowest = make_recorder("lowest");
    chain({kOurs, between.folder, kOurs, lowest.folder});
    expect_cycles(6, lowest);
    EXPECT_EQ(between->unknown_handles(), Names{});
    EXPECT_EQ(between->calls("xrCreateHandTrackerEXT"), 0u);  // the upper copy answers
    for (const Names& enabled : between->enabled_extensions()) {
        EXPECT_EQ(std::count(enabled.begin(), enabled.end(), kHands), 0);
    }
}

TEST_F(LayerFoundTwice, ThreeTimes) {
    const auto lowest = make_recorder("lowest");
    chain({kOurs, kOurs, kOurs, lowest.folder});
    expect_cycles(4, lowest);
}

TEST_F(LayerFoundTwice, AboveARuntimeWithHandsOfItsOwn) {
    runtime().native_hands = NativeHands::supported;
    const auto between = make_recorder("between");
    const auto lowest = make_recorder("lowest");
    chain({kOurs, between.folder, kOurs, lowest.folder});
    begin();
    EXPECT_EQ(runtime().created_hand_trackers.get(), (std::vector{left(), right()}));
    HandAnswer answer;
    ASSERT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
    EXPECT_TRUE(answer.active());
    EXPECT_EQ(between->calls("xrLocateHandJointsEXT"), 1u);
    EXPECT_EQ(lowest->calls("xrLocateHandJointsEXT"), 1u);
    EXPECT_EQ(between->unknown_handles(), Names{});
    EXPECT_EQ(lowest->unknown_handles(), Names{});
}

TEST_F(LayerFoundTwice, ByAProgramThatDoesNotAskForHands) {
    const auto between = make_recorder("between");
    chain({kOurs, between.folder, kOurs});
    for (int i = 0; i < 6; ++i) {
        make_instance({kHeadless});
        make_session();
        EXPECT_EQ(look_for("xrCreateHandTrackerEXT"), XR_ERROR_FUNCTION_UNSUPPORTED);
        destroy_instance();
    }
    EXPECT_EQ(between->enabled_extensions(), std::vector(6, Names{kHeadless}));
    EXPECT_EQ(between->live_handles(), 0u);
}

class CreateFailsBelow : public ChainTest {
protected:
    void SetUp() override {
        ChainTest::SetUp();
        recorder_.emplace(make_recorder("recorder"));
        failer_.emplace(make_failer("failer"));
        chain({kOurs, recorder_->folder, failer_->folder});
        threads_ = thread_count();
    }
    void expect_nothing_left() const {
        EXPECT_EQ(thread_count(), threads_);
        EXPECT_TRUE(port_is_free());
        EXPECT_EQ((*recorder_)->live_handles(), 0u);
    }
    void expect_a_later_instance_works() {
        failer()->reset();
        begin();
        wear_left_glove();
        destroy_instance();
        expect_nothing_left();
        EXPECT_EQ((*recorder_)->unknown_handles(), Names{});
    }
    [[nodiscard]] const Neighbour<RecorderControl>& recorder() const { return *recorder_; }
    [[nodiscard]] const Neighbour<FailerControl>& failer() const { return *failer_; }

private:
    std::optional<Neighbour<RecorderControl>> recorder_;
    std::optional<Neighbour<FailerControl>> failer_;
    std::ptrdiff_t threads_ = 0;
};

TEST_F(CreateFailsBelow, WithOurAdditionItIsTriedWithout) {
    failer()->fail_extension(GLOVE_TIME_CONVERSION_EXTENSION, XR_ERROR_RUNTIME_FAILURE);
    begin();
    EXPECT_EQ(recorder()->enabled_extensions(),
              (std::vector<Names>{{kHeadless, GLOVE_TIME_CONVERSION_EXTENSION}, {kHeadless}}));
    wear_left_glove();
    EXPECT_EQ(look_for("xrConvertTimespecTimeToTimeKHR"), XR_ERROR_FUNCTION_UNSUPPORTED);
    destroy_instance();
    expect_nothing_left();
    expect_a_later_instance_works();
}

TEST_F(CreateFailsBelow, TheAnswerToTheProgramsOwnRequestIsThePrograms) {
    failer()->fail_extension(GLOVE_TIME_CONVERSION_EXTENSION, XR_ERROR_OUT_OF_MEMORY);
    runtime().fail("xrCreateInstance", XR_ERROR_LIMIT_REACHED, 1);
    EXPECT_EQ(try_instance({kHands, kHeadless}), XR_ERROR_LIMIT_REACHED);
    expect_nothing_left();
    expect_a_later_instance_works();
}

TEST_F(CreateFailsBelow, EveryCodeComesBackAndNothingIsLeft) {
    for (const XrResult code :
         {XR_ERROR_VALIDATION_FAILURE, XR_ERROR_RUNTIME_FAILURE, XR_ERROR_OUT_OF_MEMORY, XR_ERROR_LIMIT_REACHED,
          XR_ERROR_RUNTIME_UNAVAILABLE, XR_ERROR_NAME_INVALID, XR_ERROR_INITIALIZATION_FAILED,
          XR_ERROR_EXTENSION_NOT_PRESENT, XR_ERROR_API_VERSION_UNSUPPORTED, XR_ERROR_API_LAYER_NOT_PRESENT}) {
        SCOPED_TRACE(code);
        failer()->fail("xrCreateInstance", code);
        EXPECT_EQ(try_instance({kHands, kHeadless}), code);
        expect_nothing_left();
        EXPECT_EQ(try_instance({kHeadless}), code);  // passed on
        expect_nothing_left();
        failer()->reset();
        runtime().fail("xrCreateInstance", code, 2);  // once with our addition, once without
        EXPECT_EQ(try_instance({kHands, kHeadless}), code);
        expect_nothing_left();
    }
    expect_a_later_instance_works();
}

TEST_F(CreateFailsBelow, AHundredInstancesAndAHundredRefusalsInTurn) {
    for (int i = 0; i < 100; ++i) {
        failer()->fail("xrCreateInstance", XR_ERROR_RUNTIME_FAILURE);
        ASSERT_EQ(try_instance({kHands, kHeadless}), XR_ERROR_RUNTIME_FAILURE) << i;
        failer()->reset();
        begin();
        destroy_instance();
        expect_nothing_left();
        ASSERT_FALSE(HasFailure()) << i;
    }
    EXPECT_EQ(recorder()->unknown_handles(), Names{});
}

class Neighbours : public ChainTest {};

TEST_F(Neighbours, NothingOfOursComesToTheLayerBelowThatItHasNotSeenCreated) {
    const auto above = make_recorder("above");
    const auto below = make_recorder("below");
    chain({above.folder, kOurs, below.folder});
    begin();
    wear_left_glove();
    EXPECT_EQ(above->unknown_handles(), Names{});
    EXPECT_EQ(below->unknown_handles(), Names{});
    EXPECT_EQ(above->calls("xrCreateHandTrackerEXT"), 2u);
    EXPECT_GE(above->calls("xrLocateHandJointsEXT"), 1u);
    EXPECT_EQ(below->calls("xrCreateHandTrackerEXT"), 0u);
    EXPECT_EQ(below->calls("xrLocateHandJointsEXT"), 0u);

    // Spaces are the session's children: ours go before it, and the layer below sees them go.
    ASSERT_EQ(xrDestroySession(session()), XR_SUCCESS);
    EXPECT_EQ(below->calls("xrDestroySpace"), 2u);
    destroy_instance();
    EXPECT_EQ(above->live_handles(), 0u);
    EXPECT_EQ(below->live_handles(), 0u);
    EXPECT_EQ(below->unknown_handles(), Names{});
    EXPECT_EQ(below->look_ups_of_nobody(), 0u);
}

TEST_F(Neighbours, ALayerNamedInTheEnvironmentStandsBelowUs) {
    const auto explicit_one = make_recorder("explicit");
    chain({kOurs});
    set_environment("XR_API_LAYER_PATH", (explicit_one.folder + "/openxr/1/api_layers/implicit.d").c_str());
    set_environment("XR_ENABLE_API_LAYERS", explicit_one.name.c_str());
    begin();
    wear_left_glove();
    EXPECT_EQ(explicit_one->calls("xrLocateHandJointsEXT"), 0u);
    EXPECT_GE(explicit_one->calls("xrLocateSpace"), 1u);
    EXPECT_EQ(explicit_one->unknown_handles(), Names{});
}

TEST_F(Neighbours, FunctionsOfWhatIsNotEnabledAreMissingThoughTheLayerBelowHasAPointer) {
    const auto below = make_recorder("below");
    below->gives_out_everything = true;
    chain({kOurs, below.folder});
    constexpr std::array kHandFunctions{"xrCreateHandTrackerEXT", "xrDestroyHandTrackerEXT", "xrLocateHandJointsEXT",
                                        "xrGetGloveHandStatusNOVENDOR"};
    constexpr std::array kOfTrackers{"xrCreateHandMeshSpaceMSFT", "xrUpdateHandMeshMSFT", "xrGetHandMeshFB",
                                     "xrApplyForceFeedbackCurlMNDX", "xrGetHandGestureQCOM"};

    make_instance({kHeadless});
    for (const char* name : kHandFunctions) {
        EXPECT_EQ(look_for(name), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
    }
    EXPECT_EQ(look_for("xrGetHandMeshFB"), XR_SUCCESS);  // not ours to say: as without us
    destroy_instance();

    make_instance({"XR_NOVENDOR_glove_hands_status", kHeadless});
    for (const char* name : {"xrCreateHandTrackerEXT", "xrDestroyHandTrackerEXT", "xrLocateHandJointsEXT"}) {
        EXPECT_EQ(look_for(name), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
    }
    EXPECT_EQ(look_for("xrGetGloveHandStatusNOVENDOR"), XR_SUCCESS);
    destroy_instance();

    make_instance({kHands, kHeadless});
    for (const char* name : kOfTrackers) {
        EXPECT_EQ(look_for(name), XR_ERROR_FUNCTION_UNSUPPORTED) << name;
    }
    EXPECT_EQ(look_for("xrGetGloveHandStatusNOVENDOR"), XR_ERROR_FUNCTION_UNSUPPORTED);
    EXPECT_EQ(look_for("xrConvertTimeToTimespecTimeKHR"), XR_ERROR_FUNCTION_UNSUPPORTED);
    EXPECT_EQ(look_for("xrCreateHandTrackerEXT"), XR_SUCCESS);
}

// The pointer below is no proof of native hands: a runtime without them must not be asked for any.
TEST_F(Neighbours, APointerFromTheLayerBelowIsNoHandTrackingOfTheRuntimes) {
    const auto below = make_recorder("below");
    below->gives_out_everything = true;
    chain({kOurs, below.folder});
    begin();
    wear_left_glove();
    EXPECT_EQ(below->calls("xrCreateHandTrackerEXT"), 0u);
    EXPECT_EQ(below->calls("xrLocateHandJointsEXT"), 0u);
}

TEST_F(Neighbours, ALookUpThatFailsBelowGivesNoPointerAtAll) {
    const auto failer = make_failer("failer");
    chain({kOurs, failer.folder});
    failer->fail_look_up("xrGetHandMeshFB", XR_ERROR_FUNCTION_UNSUPPORTED);  // and leaves a pointer behind
    make_instance({kHands, kHeadless});
    EXPECT_EQ(look_for("xrGetHandMeshFB"), XR_ERROR_FUNCTION_UNSUPPORTED);
    EXPECT_EQ(look_for("xrNobodyKnows"), XR_ERROR_FUNCTION_UNSUPPORTED);
}

// Without hands for the program, too: a throw-away instance enables nothing.
TEST_F(Neighbours, ALayerAboveSeesWhatWeOfferOnceAlsoWhenWeAreFoundTwice) {
    const auto above = make_recorder("above");
    const auto below = make_recorder("below");
    for (const auto& elements :
         {std::vector<std::string>{above.folder, kOurs}, {above.folder, kOurs, below.folder, kOurs}}) {
        for (const bool others_have_hands : {false, true}) {
            chain(elements);
            above->looks_around = true;
            below->offers_hands = others_have_hands;
            make_instance({kHeadless});
            destroy_instance();
            const bool there_too = others_have_hands && elements.size() > 2;  // its version is the one that counts
            std::map<std::string, std::uint32_t> listed;
            for (const auto& [name, version] : above->listed_through_instance()) {
                EXPECT_TRUE(listed.emplace(name, version).second) << name << " is there twice";
            }
            EXPECT_EQ(listed, (std::map<std::string, std::uint32_t>{{kHands, there_too ? 77u : 4u},
                                                                    {"XR_EXT_hand_joints_motion_range", 1},
                                                                    {"XR_EXT_hand_tracking_data_source", 1},
                                                                    {"XR_NOVENDOR_glove_hands_status", 1},
                                                                    {kHeadless, 2},
                                                                    {GLOVE_TIME_CONVERSION_EXTENSION, 1}}));
            EXPECT_EQ(above->listed_through_none(), above->listed_through_instance());
            EXPECT_EQ(below->look_ups_of_nobody(), 0u);
            EXPECT_EQ(below->live_handles(), 0u);
        }
    }
}

// The hands of a layer below are what a runtime's own would be.
TEST_F(Neighbours, HandsThatALayerBelowOffersAreThereWithoutAGlove) {
    const auto below = make_recorder("below");
    below->offers_hands = true;
    for (const auto& elements : {std::vector<std::string>{kOurs, below.folder}, {kOurs, below.folder, kOurs}}) {
        chain(elements);
        begin();
        EXPECT_EQ(below->calls("xrCreateHandTrackerEXT"), 2u);
        EXPECT_EQ(runtime().enabled_extensions.get(), (Names{kHeadless, GLOVE_TIME_CONVERSION_EXTENSION}));
        HandAnswer answer;
        ASSERT_EQ(locate(left(), local(), runtime().now(), answer), XR_SUCCESS);
        ASSERT_TRUE(answer.active());
        const XrVector3f& tip = answer.joints[XR_HAND_JOINT_INDEX_TIP_EXT].pose.position;
        EXPECT_EQ(tip.x, RecorderControl::kServedJoint.position.x);
        EXPECT_EQ(tip.y, RecorderControl::kServedJoint.position.y);

        const ReferencePose glove = reference_pose(Hand::left, "flat");
        EXPECT_TRUE(wait_for([&] {
            send(glove);
            return locate(left(), local(), runtime().now(), answer) == XR_SUCCESS &&
                   is_hand(answer, glove.joint_in_wrist);
        }));
        destroy_instance();
        EXPECT_EQ(below->unknown_handles(), Names{});
        EXPECT_EQ(below->live_handles(), 0u);
        // A layer can be asked only once it has an instance.
        EXPECT_EQ(below->enabled_extensions(),
                  (std::vector<Names>{{kHeadless, GLOVE_TIME_CONVERSION_EXTENSION},
                                      {kHands, kHeadless, GLOVE_TIME_CONVERSION_EXTENSION}}));
        EXPECT_EQ(below->look_ups_of_nobody(), 0u);
        below->reset();
        below->offers_hands = true;
    }
}

TEST_F(Neighbours, AnInstanceIsMadeOnceWhereLayersBelowOfferNothing) {
    const auto below = make_recorder("below");
    chain({kOurs, below.folder});
    make_instance({kHands, kHeadless});
    EXPECT_EQ(below->calls("xrCreateInstance"), 1u);
    destroy_instance();
    below->offers_hands = true;
    make_instance({kHeadless});  // nobody asks for hands
    EXPECT_EQ(below->calls("xrCreateInstance"), 2u);
}

class HandTrackerFunctions : public ChainTest {
protected:
    using Mesh = XrHandTrackingMeshFB;

    // What the runtime lists beside, and what the application then enables.
    static constexpr std::array kExtensions{XR_FB_HAND_TRACKING_MESH_EXTENSION_NAME,
                                            XR_MSFT_HAND_TRACKING_MESH_EXTENSION_NAME, "XR_MNDX_force_feedback_curl",
                                            "XR_QCOM_hand_tracking_gesture"};
    void begin_with_all(NativeHands kind) {
        runtime().native_hands = kind;
        runtime().extra_extensions = Names(kExtensions.begin(), kExtensions.end());
        below_.emplace(make_recorder("below"));
        below()->gives_out_everything = true;  // else the runtime would have to have them
        chain({kOurs, below().folder});
        begin({kExtensions.begin(), kExtensions.end()});
    }
    // The five functions of other extensions that take a hand tracker.
    [[nodiscard]] std::map<std::string, XrResult> call_all(XrHandTrackerEXT tracker) const {
        const XrHandMeshSpaceCreateInfoMSFT space_info{XR_TYPE_HAND_MESH_SPACE_CREATE_INFO_MSFT, nullptr,
                                                       XR_HAND_POSE_TYPE_TRACKED_MSFT, kHere};
        XrSpace space = XR_NULL_HANDLE;
        const XrHandMeshUpdateInfoMSFT update{XR_TYPE_HAND_MESH_UPDATE_INFO_MSFT, nullptr, runtime().now(),
                                              XR_HAND_POSE_TYPE_TRACKED_MSFT};
        XrHandMeshMSFT microsoft{};
        microsoft.type = XR_TYPE_HAND_MESH_MSFT;
        Mesh facebook{};
        facebook.type = XR_TYPE_HAND_TRACKING_MESH_FB;
        std::array<std::byte, 64> other{};  // structs that these headers do not know
        using Apply = XrResult(XRAPI_PTR*)(XrHandTrackerEXT, const void*);
        using Gesture = XrResult(XRAPI_PTR*)(XrHandTrackerEXT, XrTime, void*);
        return {
            {"xrCreateHandMeshSpaceMSFT",
             proc<PFN_xrCreateHandMeshSpaceMSFT>("xrCreateHandMeshSpaceMSFT")(tracker, &space_info, &space)},
            {"xrUpdateHandMeshMSFT",
             proc<PFN_xrUpdateHandMeshMSFT>("xrUpdateHandMeshMSFT")(tracker, &update, &microsoft)},
            {"xrGetHandMeshFB", proc<PFN_xrGetHandMeshFB>("xrGetHandMeshFB")(tracker, &facebook)},
            {"xrApplyForceFeedbackCurlMNDX", proc<Apply>("xrApplyForceFeedbackCurlMNDX")(tracker, other.data())},
            {"xrGetHandGestureQCOM", proc<Gesture>("xrGetHandGestureQCOM")(tracker, runtime().now(), other.data())},
        };
    }
    [[nodiscard]] const Neighbour<RecorderControl>& below() const { return *below_; }

private:
    std::optional<Neighbour<RecorderControl>> below_;
};

TEST_F(HandTrackerFunctions, NeverTakeAHandleOfOursBelow) {
    begin_with_all(NativeHands::unsupported);
    wear_left_glove();
    for (const auto& [name, result] : call_all(left())) {
        EXPECT_EQ(result, XR_ERROR_FEATURE_UNSUPPORTED) << name;
        EXPECT_EQ(below()->calls(name), 0u) << name;
    }
    EXPECT_EQ(proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT")(left()), XR_SUCCESS);
    EXPECT_EQ(below()->calls("xrDestroyHandTrackerEXT"), 0u);
    EXPECT_EQ(below()->calls("xrLocateHandJointsEXT"), 0u);
    EXPECT_EQ(below()->unknown_handles(), Names{});
    EXPECT_EQ(runtime().unknown_handles, 0u);
}

TEST_F(HandTrackerFunctions, TakeTheRuntimesOwnHandleBelowAndItsAnswerBack) {
    begin_with_all(NativeHands::supported);
    for (const auto& [name, result] : call_all(left())) {
        EXPECT_EQ(result, XR_ERROR_FUNCTION_UNSUPPORTED) << name;  // the recorder's own answer
        EXPECT_EQ(below()->calls(name), 1u) << name;
    }
    EXPECT_EQ(below()->unknown_handles(), Names{});
}

TEST_F(HandTrackerFunctions, RefuseHandlesThatNobodyMade) {
    begin_with_all(NativeHands::supported);
    const auto destroy = proc<PFN_xrDestroyHandTrackerEXT>("xrDestroyHandTrackerEXT");
    ASSERT_EQ(destroy(left()), XR_SUCCESS);
    for (const XrHandTrackerEXT handle : {XrHandTrackerEXT{XR_NULL_HANDLE}, left()}) {
        for (const auto& [name, result] : call_all(handle)) {
            EXPECT_EQ(result, XR_ERROR_HANDLE_INVALID) << name;
            EXPECT_EQ(below()->calls(name), 0u) << name;
        }
        HandAnswer answer;
        EXPECT_EQ(locate(handle, local(), runtime().now(), answer), XR_ERROR_HANDLE_INVALID);
        EXPECT_TRUE(answer.untouched());
        EXPECT_EQ(destroy(handle), XR_ERROR_HANDLE_INVALID);
    }
    EXPECT_EQ(below()->unknown_handles(), Names{});
}

TEST_F(HandTrackerFunctions, ANameForAHandleOfOursStaysHere) {
    const auto below = make_recorder("below");
    chain({kOurs, below.folder});
    begin({XR_EXT_DEBUG_UTILS_EXTENSION_NAME});
    const auto set_name = proc<PFN_xrSetDebugUtilsObjectNameEXT>("xrSetDebugUtilsObjectNameEXT");
    const auto name = [&](XrObjectType type, auto handle) {
        const XrDebugUtilsObjectNameInfoEXT info{XR_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr, type,
                                                 reinterpret_cast<std::uintptr_t>(handle), "left"};
        return set_name(instance(), &info);
    };
    EXPECT_EQ(name(XR_OBJECT_TYPE_HAND_TRACKER_EXT, left()), XR_SUCCESS);
    EXPECT_EQ(name(XR_OBJECT_TYPE_UNKNOWN, left()), XR_SUCCESS);
    EXPECT_EQ(below->calls("xrSetDebugUtilsObjectNameEXT"), 0u);
    EXPECT_EQ(name(XR_OBJECT_TYPE_SESSION, session()), XR_SUCCESS);
    EXPECT_EQ(below->calls("xrSetDebugUtilsObjectNameEXT"), 1u);
    EXPECT_EQ(below->unknown_handles(), Names{});
}

class Stripping : public ChainTest {
protected:
    static constexpr std::array kRefinements{"XR_EXT_hand_joints_motion_range",
                                             "XR_EXT_hand_tracking_data_source",
                                             "XR_ULTRALEAP_hand_tracking_forearm",
                                             "XR_FB_hand_tracking_capsules",
                                             "XR_FB_hand_tracking_mesh",
                                             "XR_MSFT_hand_tracking_mesh",
                                             "XR_MNDX_force_feedback_curl",
                                             "XR_QCOM_hand_tracking_gesture",
                                             "XR_META_hand_tracking_unextrapolated_poses",
                                             "XR_META_hand_tracking_wide_motion_mode2"};
    static constexpr const char* kUnrelated = "XR_EXT_performance_settings";

    [[nodiscard]] Names arrives() {
        Names listed(kRefinements.begin(), kRefinements.end());
        listed.emplace_back(kUnrelated);
        runtime().extra_extensions = listed;
        std::vector<const char*> enabled(kRefinements.begin(), kRefinements.end());
        enabled.insert(enabled.end(), {kHands, kUnrelated, kHeadless});
        make_instance(enabled);
        return runtime().enabled_extensions.get();
    }
};

TEST_F(Stripping, OnlyWhatWeServeOurselvesIsTakenOut) {
    Names expected(kRefinements.begin() + 2, kRefinements.end());  // the motion range and the data source are ours
    expected.insert(expected.end(), {kUnrelated, kHeadless, GLOVE_TIME_CONVERSION_EXTENSION});
    EXPECT_EQ(arrives(), expected);
}

TEST_F(Stripping, ARuntimeWithHandTrackingGetsAllOfIt) {
    runtime().native_hands = NativeHands::supported;
    Names expected(kRefinements.begin(), kRefinements.end());
    expected.insert(expected.end(), {kHands, kUnrelated, kHeadless, GLOVE_TIME_CONVERSION_EXTENSION});
    EXPECT_EQ(arrives(), expected);
}

TEST_F(Stripping, NamesAreComparedToTheLetterAlsoWhenTheLayerIsFoundTwice) {
    chain({kOurs, kOurs});
    for (const char* name : {"XR_EXT_Hand_Tracking", "XR_EXT_hand_trackin", "XR_EXT_hand_tracking ", ""}) {
        EXPECT_EQ(try_instance({kHands, name, kHeadless}), XR_ERROR_EXTENSION_NOT_PRESENT) << name;
    }
    EXPECT_EQ(try_instance({kHands, kHeadless}), XR_SUCCESS);
}

// What a loader itself refuses, or layers it is asked for by name, must be the same with us as without.
class SameAsWithoutUs : public ChainTest {
protected:
    [[nodiscard]] static XrResult create(XrVersion version, const std::vector<const char*>& layers) {
        XrInstanceCreateInfo info{};
        info.type = XR_TYPE_INSTANCE_CREATE_INFO;
        std::strcpy(info.applicationInfo.applicationName, "chain test");
        info.applicationInfo.apiVersion = version;
        info.enabledApiLayerCount = static_cast<std::uint32_t>(layers.size());
        info.enabledApiLayerNames = layers.data();
        const char* const extension = kHeadless;
        info.enabledExtensionCount = 1;
        info.enabledExtensionNames = &extension;
        XrInstance instance = XR_NULL_HANDLE;
        const XrResult result = xrCreateInstance(&info, &instance);
        if (XR_SUCCEEDED(result)) {
            EXPECT_EQ(xrDestroyInstance(instance), XR_SUCCESS);
        }
        return result;
    }
};

TEST_F(SameAsWithoutUs, AProgramThatAsksForOpenXR11) {
    const XrResult with_us = create(XR_MAKE_VERSION(1, 1, 0), {});
    hide_layer();
    EXPECT_EQ(with_us, create(XR_MAKE_VERSION(1, 1, 0), {}));
    EXPECT_EQ(with_us, XR_ERROR_API_VERSION_UNSUPPORTED);  // loader 1.0.20, and this runtime
}

// Loaders before 1.0.30 know a layer by name only from explicit manifests, ours as any other's.
TEST_F(SameAsWithoutUs, AnImplicitLayerNamedByTheProgram) {
    const auto other = make_recorder("other");
    chain({other.folder});
    const XrResult naming_another = create(XR_MAKE_VERSION(1, 0, 0), {other.name.c_str()});
    chain({kOurs});
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {kOurName}), naming_another);
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {}), XR_SUCCESS);
}

TEST_F(SameAsWithoutUs, AnImplicitLayerNamedByTheProgramWhereExplicitOnesExist) {
    const auto other = make_recorder("other");
    const auto elsewhere = make_recorder("elsewhere");
    set_environment("XR_API_LAYER_PATH", (elsewhere.folder + "/openxr/1/api_layers/implicit.d").c_str());
    chain({other.folder});
    const XrResult naming_another = create(XR_MAKE_VERSION(1, 0, 0), {other.name.c_str()});
    chain({kOurs});
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {kOurName}), naming_another);
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {kOurName, elsewhere.name.c_str()}), naming_another);
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {}), XR_SUCCESS);
}

// The names a program gives are the loader's to judge: they go down as they came.
TEST_F(SameAsWithoutUs, AnExplicitLayerNamedByTheProgramStandsBelowUs) {
    const auto elsewhere = make_recorder("elsewhere");
    set_environment("XR_API_LAYER_PATH", (elsewhere.folder + "/openxr/1/api_layers/implicit.d").c_str());
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {elsewhere.name.c_str()}), XR_SUCCESS);
    EXPECT_EQ(elsewhere->calls("xrCreateInstance"), 1u);
    EXPECT_EQ(create(XR_MAKE_VERSION(1, 0, 0), {"XR_APILAYER_TEST_nobody"}), XR_ERROR_API_LAYER_NOT_PRESENT);
}

class ProgramOfItsOwn : public ChainTest {};

TEST_F(ProgramOfItsOwn, EndsWellWhenItDestroysEverything) {
    const Outcome outcome = run_with_gloves({"hands"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "hands seen: 2\n");
    EXPECT_EQ(outcome.err, "");
}

TEST_F(ProgramOfItsOwn, EndsWellWhenItDestroysNothing) {
    for (int i = 0; i < 10; ++i) {
        const Outcome outcome = run_with_gloves({"hands", "leave"});
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.out, "hands seen: 2\n");
        EXPECT_EQ(outcome.err, "");
    }
}

TEST_F(ProgramOfItsOwn, EndsWellWhenItDestroysNothingAndTheLayerIsThereTwice) {
    chain({kOurs, kOurs});
    const Outcome outcome = run_with_gloves({"hands", "leave"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "hands seen: 2\n");
}

TEST_F(ProgramOfItsOwn, EndsWellWithoutHands) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"leave"}, {"native"}}) {
        EXPECT_EQ(run_with_gloves(arguments).status, 0);
    }
}

}  // namespace
}  // namespace glove::test
