// SPDX-License-Identifier: Apache-2.0
// The layer's entry points without a loader: this test negotiates and makes the chain itself, so it can say what no
// loader says and ask what loader 1.0.20 does not pass on (null arguments). Not covered: that loaders do the same.
#include <dlfcn.h>

#include <array>
#include <cstring>
#include <functional>
#include <optional>
#include <stdexcept>

#include "layers/functions.hpp"
#include "openxr/chain_fixture.hpp"

namespace glove::test {
namespace {

using Negotiate = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest*);

template <class Function>
Function symbol(const std::string& library, const char* name) {
    void* image = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* found = image == nullptr ? nullptr : ::dlsym(image, name);
    if (found == nullptr) {
        throw std::runtime_error(library + " has no " + name);
    }
    return reinterpret_cast<Function>(found);
}

// As loaders 1.0.20 and 1.1.61 say it.
XrNegotiateLoaderInfo loader_info() {
    return {XR_LOADER_INTERFACE_STRUCT_LOADER_INFO,
            XR_LOADER_INFO_STRUCT_VERSION,
            sizeof(XrNegotiateLoaderInfo),
            1,
            1,
            XR_MAKE_VERSION(1, 0, 0),
            XR_MAKE_VERSION(1, 0x3ff, 0xfff)};
}

XrNegotiateApiLayerRequest empty_request() {
    return {XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST,
            XR_API_LAYER_INFO_STRUCT_VERSION,
            sizeof(XrNegotiateApiLayerRequest),
            0,
            0,
            nullptr,
            nullptr};
}

XrNegotiateApiLayerRequest negotiated(const std::string& library) {
    const XrNegotiateLoaderInfo loader = loader_info();
    XrNegotiateApiLayerRequest request = empty_request();
    if (symbol<Negotiate>(library, "xrNegotiateLoaderApiLayerInterface")(&loader, "", &request) != XR_SUCCESS) {
        throw std::runtime_error(library + " refuses");
    }
    return request;
}

// The end of the chain, as the loader's terminators: straight into the runtime.
PFN_xrGetInstanceProcAddr runtime_get_proc() {
    using NegotiateRuntime = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, XrNegotiateRuntimeRequest*);
    static const PFN_xrGetInstanceProcAddr get_proc = [] {
        const XrNegotiateLoaderInfo loader = loader_info();
        XrNegotiateRuntimeRequest request{};
        request.structType = XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST;
        request.structVersion = XR_RUNTIME_INFO_STRUCT_VERSION;
        request.structSize = sizeof request;
        if (symbol<NegotiateRuntime>(GLOVE_TEST_RUNTIME_LIBRARY, "xrNegotiateLoaderRuntimeInterface")(
                &loader, &request) != XR_SUCCESS) {
            throw std::runtime_error("the runtime refuses");
        }
        return request.getInstanceProcAddr;
    }();
    return get_proc;
}

XRAPI_ATTR XrResult XRAPI_CALL create_in_runtime(const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo*,
                                                 XrInstance* instance) {
    PFN_xrVoidFunction create = nullptr;
    const XrResult result = runtime_get_proc()(XR_NULL_HANDLE, "xrCreateInstance", &create);
    return XR_FAILED(result) ? result : reinterpret_cast<PFN_xrCreateInstance>(create)(info, instance);
}

struct Answer {
    XrResult result;
    PFN_xrVoidFunction function;
    bool operator==(const Answer&) const = default;
};
const PFN_xrVoidFunction kGarbage = reinterpret_cast<PFN_xrVoidFunction>(&create_in_runtime);

Answer ask(PFN_xrGetInstanceProcAddr get_proc, XrInstance instance, const char* name) {
    Answer answer{XR_SUCCESS, kGarbage};
    answer.result = get_proc(instance, name, &answer.function);
    return answer;
}

class Negotiation : public ChainTest {
protected:
    const Negotiate negotiate_ = symbol<Negotiate>(GLOVE_LAYER_LIBRARY, "xrNegotiateLoaderApiLayerInterface");
};

TEST_F(Negotiation, AgreesWithWhatLoadersSay) {
    const XrNegotiateLoaderInfo loader = loader_info();
    XrNegotiateApiLayerRequest request = empty_request();
    ASSERT_EQ(negotiate_(&loader, kOurName, &request), XR_SUCCESS);
    EXPECT_EQ(request.layerInterfaceVersion, 1u);
    EXPECT_EQ(XR_VERSION_MAJOR(request.layerApiVersion), 1);
    EXPECT_EQ(XR_VERSION_MINOR(request.layerApiVersion), 0);
    EXPECT_NE(request.getInstanceProcAddr, nullptr);
    EXPECT_NE(request.createApiLayerInstance, nullptr);
    EXPECT_EQ(negotiate_(&loader, nullptr, &request), XR_SUCCESS);  // the name is of no use to us
}

TEST_F(Negotiation, EveryWrongFieldOfTheLoaderIsRefused) {
    const std::array<std::function<void(XrNegotiateLoaderInfo&)>, 9> faults{
        [](auto& it) { it.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST; },
        [](auto& it) { it.structVersion = 0; },
        [](auto& it) { it.structVersion = 2; },
        [](auto& it) { it.structSize -= 1; },
        [](auto& it) { it.structSize += 8; },
        [](auto& it) { it.minInterfaceVersion = it.maxInterfaceVersion = 2; },
        [](auto& it) { it.minInterfaceVersion = it.maxInterfaceVersion = 0; },
        [](auto& it) { it.minApiVersion = XR_MAKE_VERSION(1, 1, 0); },
        [](auto& it) { it.maxApiVersion = XR_MAKE_VERSION(0, 0x3ff, 0); },
    };
    for (std::size_t i = 0; i < faults.size(); ++i) {
        XrNegotiateLoaderInfo loader = loader_info();
        faults[i](loader);
        XrNegotiateApiLayerRequest request = empty_request();
        EXPECT_EQ(negotiate_(&loader, kOurName, &request), XR_ERROR_INITIALIZATION_FAILED) << i;
        EXPECT_EQ(request.getInstanceProcAddr, nullptr) << i;
        EXPECT_EQ(request.createApiLayerInstance, nullptr) << i;
    }
}

TEST_F(Negotiation, EveryWrongFieldOfTheRequestIsRefused) {
    const XrNegotiateLoaderInfo loader = loader_info();
    const std::array<std::function<void(XrNegotiateApiLayerRequest&)>, 5> faults{
        [](auto& it) { it.structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO; },
        [](auto& it) { it.structVersion = 0; },
        [](auto& it) { it.structVersion = 2; },
        [](auto& it) { it.structSize -= 1; },
        [](auto& it) { it.structSize += 8; },
    };
    for (std::size_t i = 0; i < faults.size(); ++i) {
        XrNegotiateApiLayerRequest request = empty_request();
        faults[i](request);
        EXPECT_EQ(negotiate_(&loader, kOurName, &request), XR_ERROR_INITIALIZATION_FAILED) << i;
        EXPECT_EQ(request.getInstanceProcAddr, nullptr) << i;
    }
    XrNegotiateApiLayerRequest request = empty_request();
    EXPECT_EQ(negotiate_(nullptr, kOurName, &request), XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(negotiate_(&loader, kOurName, nullptr), XR_ERROR_INITIALIZATION_FAILED);
}

TEST_F(Negotiation, PatchVersionsDoNotCount) {
    XrNegotiateLoaderInfo loader = loader_info();
    loader.minApiVersion = XR_MAKE_VERSION(1, 0, 61);
    loader.maxApiVersion = XR_MAKE_VERSION(1, 0, 0);
    XrNegotiateApiLayerRequest request = empty_request();
    EXPECT_EQ(negotiate_(&loader, kOurName, &request), XR_SUCCESS);
}

TEST_F(Negotiation, EachOfFourInARowGetsEntryPointsOfItsOwn) {
    std::vector<PFN_xrGetInstanceProcAddr> seen;
    for (int i = 0; i < 4; ++i) {
        const PFN_xrGetInstanceProcAddr get_proc = negotiated(GLOVE_LAYER_LIBRARY).getInstanceProcAddr;
        EXPECT_EQ(std::count(seen.begin(), seen.end(), get_proc), 0) << i;
        seen.push_back(get_proc);
    }
}

// ours - recorder - failer - runtime
class EntryPoints : public ChainTest {
protected:
    void SetUp() override {
        ChainTest::SetUp();
        recorder_.emplace(make_recorder("recorder"));
        failer_.emplace(make_failer("failer"));
        below_ = negotiated(recorder_->folder + "/librecorder.so");
        lowest_ = negotiated(failer_->folder + "/libfailer.so");
        ours_ = negotiated(GLOVE_LAYER_LIBRARY);
        records_ = {record("ours", below_.getInstanceProcAddr, below_.createApiLayerInstance),
                    record("recorder", lowest_.getInstanceProcAddr, lowest_.createApiLayerInstance),
                    record("failer", runtime_get_proc(), &create_in_runtime)};
        records_[0].next = &records_[1];
        records_[1].next = &records_[2];
        layer_info_.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_CREATE_INFO;
        layer_info_.structVersion = XR_API_LAYER_CREATE_INFO_STRUCT_VERSION;
        layer_info_.structSize = sizeof layer_info_;
        layer_info_.nextInfo = &records_[0];
    }
    void TearDown() override {
        if (instance_ != XR_NULL_HANDLE) {
            destroy();
        }
        ChainTest::TearDown();
    }
    [[nodiscard]] XrResult create(const std::vector<const char*>& extensions) {
        XrInstanceCreateInfo info{};
        info.type = XR_TYPE_INSTANCE_CREATE_INFO;
        std::strcpy(info.applicationInfo.applicationName, "entry test");
        info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
        info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
        info.enabledExtensionNames = extensions.data();
        return ours_.createApiLayerInstance(&info, &layer_info_, &instance_);
    }
    void destroy() {
        const Answer answer = ask_us(instance_, "xrDestroyInstance");
        ASSERT_EQ(answer.result, XR_SUCCESS);
        EXPECT_EQ(reinterpret_cast<PFN_xrDestroyInstance>(answer.function)(instance_), XR_SUCCESS);
        instance_ = XR_NULL_HANDLE;
    }
    [[nodiscard]] Answer ask_us(XrInstance instance, const char* name) const {
        return ask(ours_.getInstanceProcAddr, instance, name);
    }
    [[nodiscard]] Answer ask_below(const char* name) const { return ask(below_.getInstanceProcAddr, instance_, name); }

    static constexpr Answer kInvalid{XR_ERROR_HANDLE_INVALID, nullptr};
    static constexpr Answer kMissing{XR_ERROR_FUNCTION_UNSUPPORTED, nullptr};
    static constexpr Answer kMisused{XR_ERROR_VALIDATION_FAILURE, nullptr};

    std::optional<Neighbour<RecorderControl>> recorder_;
    std::optional<Neighbour<FailerControl>> failer_;
    XrNegotiateApiLayerRequest ours_{};
    XrNegotiateApiLayerRequest below_{};
    XrNegotiateApiLayerRequest lowest_{};
    std::array<XrApiLayerNextInfo, 3> records_{};
    XrApiLayerCreateInfo layer_info_{};
    XrInstance instance_ = XR_NULL_HANDLE;

private:
    static XrApiLayerNextInfo record(const char* name, PFN_xrGetInstanceProcAddr get_proc,
                                     PFN_xrCreateApiLayerInstance create) {
        XrApiLayerNextInfo info{};
        info.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_NEXT_INFO;
        info.structVersion = XR_API_LAYER_NEXT_INFO_STRUCT_VERSION;
        info.structSize = sizeof info;
        std::strcpy(info.layerName, name);
        info.nextGetInstanceProcAddr = get_proc;
        info.nextCreateApiLayerInstance = create;
        return info;
    }
};

constexpr const char* kHands = XR_EXT_HAND_TRACKING_EXTENSION_NAME;
constexpr const char* kStatus = "XR_NOVENDOR_glove_hands_status";
constexpr std::array kOfOurExtensions{"xrCreateHandTrackerEXT", "xrDestroyHandTrackerEXT", "xrLocateHandJointsEXT",
                                      "xrGetGloveHandStatusNOVENDOR"};

TEST_F(EntryPoints, BeforeAnyInstanceEveryLookUpFailsWithANullPointer) {
    const XrInstance nobody = reinterpret_cast<XrInstance>(std::uintptr_t{0x1234});
    for (const std::string_view name : test_layer::kFunctionNames) {
        EXPECT_EQ(ask_us(XR_NULL_HANDLE, name.data()), kInvalid) << name;
        EXPECT_EQ(ask_us(nobody, name.data()), kInvalid) << name;
    }
    EXPECT_EQ(ask_us(XR_NULL_HANDLE, "xrInitializeLoaderKHR"), kInvalid);
    EXPECT_EQ(ask_us(XR_NULL_HANDLE, nullptr), kMisused);
    EXPECT_EQ(ours_.getInstanceProcAddr(XR_NULL_HANDLE, "xrCreateInstance", nullptr), XR_ERROR_VALIDATION_FAILURE);
    EXPECT_EQ(ours_.getInstanceProcAddr(XR_NULL_HANDLE, nullptr, nullptr), XR_ERROR_VALIDATION_FAILURE);
}

TEST_F(EntryPoints, MisusedLookUpsFailWithANullPointer) {
    for (const char* extension : {kHands, XR_MND_HEADLESS_EXTENSION_NAME}) {
        ASSERT_EQ(create({extension}), XR_SUCCESS);
        const XrInstance nobody = reinterpret_cast<XrInstance>(std::uintptr_t{0x1234});
        EXPECT_EQ(ask_us(XR_NULL_HANDLE, "xrDestroyInstance"), kInvalid);
        EXPECT_EQ(ask_us(nobody, "xrDestroyInstance"), kInvalid);
        EXPECT_EQ(ask_us(instance_, nullptr), kMisused);
        EXPECT_EQ(ask_us(nobody, nullptr), kMisused);
        EXPECT_EQ(ours_.getInstanceProcAddr(instance_, "xrDestroyInstance", nullptr), XR_ERROR_VALIDATION_FAILURE);
        EXPECT_EQ(ask_us(instance_, ""), kMissing);
        EXPECT_EQ(ask_us(instance_, "xrNobodyKnows"), kMissing);
        const XrInstance ended = instance_;
        destroy();
        EXPECT_EQ(ask_us(ended, "xrDestroyInstance").function, nullptr);
        EXPECT_EQ((*recorder_)->look_ups_of_nobody(), 0u);
    }
}

TEST_F(EntryPoints, AnInstanceWithHandsGetsOurLookUpAndOurEnd) {
    ASSERT_EQ(create({kHands}), XR_SUCCESS);
    EXPECT_EQ(ask_us(instance_, "xrGetInstanceProcAddr"),
              (Answer{XR_SUCCESS, reinterpret_cast<PFN_xrVoidFunction>(ours_.getInstanceProcAddr)}));
    const Answer end = ask_us(instance_, "xrDestroyInstance");
    EXPECT_EQ(end.result, XR_SUCCESS);
    EXPECT_NE(end.function, ask_below("xrDestroyInstance").function);
    const XrInstance ended = instance_;
    destroy();
    EXPECT_EQ(ask_us(ended, "xrDestroyInstance"), kInvalid);
    EXPECT_EQ(ask_us(ended, "xrPollEvent"), kInvalid);
    EXPECT_EQ(reinterpret_cast<PFN_xrDestroyInstance>(end.function)(ended), XR_ERROR_HANDLE_INVALID);
}

// The rest of the interface is not ours to touch, with hands as without.
TEST_F(EntryPoints, WhatWeDoNotAnswerIsThePointerFromBelow) {
    constexpr std::array kAnswered{"xrGetInstanceProcAddr", "xrEnumerateInstanceExtensionProperties",
                                   "xrDestroyInstance", "xrGetSystemProperties", "xrPollEvent", "xrCreateSession",
                                   "xrDestroySession",
                                   // For hands that hang before the head.
                                   "xrCreateReferenceSpace", "xrDestroySpace",
                                   // For hands that follow controllers.
                                   "xrCreateActionSet", "xrCreateAction", "xrDestroyAction", "xrDestroyActionSet",
                                   "xrSuggestInteractionProfileBindings", "xrAttachSessionActionSets", "xrSyncActions"};
    ASSERT_EQ(create({kHands}), XR_SUCCESS);
    int same = 0;
    for (const std::string_view name : test_layer::kFunctionNames) {
        if (std::count(kAnswered.begin(), kAnswered.end(), name) != 0 ||
            std::count(kOfOurExtensions.begin(), kOfOurExtensions.end(), name) != 0) {
            continue;
        }
        const Answer answer = ask_us(instance_, name.data());
        if (name.starts_with("xrConvert")) {  // on for us alone
            EXPECT_EQ(answer, kMissing) << name;
            continue;
        }
        EXPECT_EQ(answer, ask_below(name.data())) << name;
        same += answer.result == XR_SUCCESS;
    }
    EXPECT_GT(same, 30);
}

TEST_F(EntryPoints, AnInstanceWithoutOurExtensionsGetsEveryPointerFromBelow) {
    (*recorder_)->gives_out_everything = true;
    ASSERT_EQ(create({XR_MND_HEADLESS_EXTENSION_NAME, GLOVE_TIME_CONVERSION_EXTENSION}), XR_SUCCESS);
    // Else a layer above could not see what we offer, nor we the instance's end.
    constexpr std::array kOfTheChain{"xrGetInstanceProcAddr", "xrEnumerateInstanceExtensionProperties",
                                     "xrDestroyInstance"};
    int same = 0;
    for (const std::string_view name : test_layer::kFunctionNames) {
        const Answer answer = ask_us(instance_, name.data());
        if (std::count(kOfTheChain.begin(), kOfTheChain.end(), name) != 0) {
            EXPECT_EQ(answer.result, XR_SUCCESS) << name;
            EXPECT_NE(answer, ask_below(name.data())) << name;
            continue;
        }
        if (std::count(kOfOurExtensions.begin(), kOfOurExtensions.end(), name) != 0) {
            EXPECT_EQ(answer, kMissing) << name;  // though there is a pointer below
            continue;
        }
        EXPECT_EQ(answer, ask_below(name.data())) << name;
        same += answer.result == XR_SUCCESS;
    }
    EXPECT_GT(same, 50);
    EXPECT_EQ(ask_us(instance_, "xrGetGloveHandStatusNOVENDOR"), kMissing);
}

TEST_F(EntryPoints, FunctionsOfOursAreThereExactlyWhenTheirExtensionIsEnabled) {
    (*recorder_)->gives_out_everything = true;
    for (const bool hands : {false, true}) {
        for (const bool status : {false, true}) {
            std::vector<const char*> extensions;
            if (hands) {
                extensions.push_back(kHands);
            }
            if (status) {
                extensions.push_back(kStatus);
            }
            ASSERT_EQ(create(extensions), XR_SUCCESS);
            for (const char* name : kOfOurExtensions) {
                const bool expected = std::string_view(name) == "xrGetGloveHandStatusNOVENDOR" ? status : hands;
                const Answer answer = ask_us(instance_, name);
                EXPECT_EQ(answer == kMissing, !expected) << name;
                EXPECT_EQ(answer.result == XR_SUCCESS && answer.function != nullptr, expected) << name;
                EXPECT_TRUE(!expected || answer.function != ask_below(name).function) << name;
            }
            destroy();
        }
    }
}

TEST_F(EntryPoints, AFailedLookUpBelowIsANullPointerWhateverWasLeftBehind) {
    (*failer_)->fail_look_up("xrResultToString", XR_ERROR_RUNTIME_FAILURE);
    // Straight above the failer, which leaves a pointer.
    records_[0] = records_[1];
    ASSERT_EQ(create({kHands}), XR_SUCCESS);
    EXPECT_EQ(ask_us(instance_, "xrResultToString"), (Answer{XR_ERROR_RUNTIME_FAILURE, nullptr}));
}

TEST_F(EntryPoints, AnElementWithoutACoreFunctionIsPassedOnAsItIs) {
    (*failer_)->fail_look_up("xrLocateSpace", XR_ERROR_FUNCTION_UNSUPPORTED);
    ASSERT_EQ(create({kHands}), XR_SUCCESS);
    EXPECT_EQ(ask_us(instance_, "xrPollEvent"), ask_below("xrPollEvent"));
    EXPECT_EQ(ask_us(instance_, "xrLocateSpace"), kMissing);
    EXPECT_EQ(ask_us(instance_, "xrCreateHandTrackerEXT"), kMissing);
    EXPECT_NE(log_text().find("core functions"), std::string::npos);
}

TEST_F(EntryPoints, EveryWrongFieldOfACreationIsRefusedBeforeTheCallBelow) {
    const auto layer_info = layer_info_;
    const auto record = records_[0];
    const std::array<std::function<void()>, 9> faults{
        [&] { layer_info_.structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO; },
        [&] { layer_info_.structVersion = 0; },
        [&] { layer_info_.structSize -= 8; },
        [&] { layer_info_.nextInfo = nullptr; },
        [&] { records_[0].structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO; },
        [&] { records_[0].structVersion = 0; },
        [&] { records_[0].structSize -= 8; },
        [&] { records_[0].nextGetInstanceProcAddr = nullptr; },
        [&] { records_[0].nextCreateApiLayerInstance = nullptr; },
    };
    for (std::size_t i = 0; i < faults.size(); ++i) {
        faults[i]();
        EXPECT_EQ(create({kHands}), XR_ERROR_INITIALIZATION_FAILED) << i;
        layer_info_ = layer_info;
        records_[0] = record;
    }
    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    EXPECT_EQ(ours_.createApiLayerInstance(&info, nullptr, &instance_), XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(ours_.createApiLayerInstance(nullptr, &layer_info_, &instance_), XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ(ours_.createApiLayerInstance(&info, &layer_info_, nullptr), XR_ERROR_INITIALIZATION_FAILED);
    EXPECT_EQ((*recorder_)->calls("xrCreateInstance"), 0u);
    EXPECT_EQ(create({kHands}), XR_SUCCESS);
}

std::size_t g_size_below = 0;
std::uint32_t g_version_below = 0;
XRAPI_ATTR XrResult XRAPI_CALL create_and_read(const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo* layer_info,
                                               XrInstance* instance) {
    std::vector<std::byte> all(layer_info->structSize);
    std::memcpy(all.data(), layer_info, all.size());
    g_size_below = layer_info->structSize;
    g_version_below = layer_info->structVersion;
    return create_in_runtime(info, layer_info, instance);
}

// A later loader's struct has more in it than our copy, which is what the next element reads.
TEST_F(EntryPoints, OfACreationStructThatGrewWhatWeKnowGoesDown) {
    layer_info_.structSize += 64;
    layer_info_.structVersion += 1;
    records_[0].structSize += 64;
    records_[0].structVersion += 1;
    records_[0].nextGetInstanceProcAddr = runtime_get_proc();
    records_[0].nextCreateApiLayerInstance = &create_and_read;
    records_[0].next = nullptr;
    for (const char* extension : {kHands, XR_MND_HEADLESS_EXTENSION_NAME}) {
        g_size_below = 0;
        ASSERT_EQ(create({extension}), XR_SUCCESS);
        EXPECT_EQ(g_size_below, sizeof(XrApiLayerCreateInfo));
        EXPECT_EQ(g_version_below, XrVersion{XR_API_LAYER_CREATE_INFO_STRUCT_VERSION});
        destroy();
    }
}

// A layer above has asked for these: a loader itself would not let them through.
TEST_F(EntryPoints, NamesThatNobodyListsAreTheRuntimesToRefuse) {
    for (const char* name :
         {"XR_ULTRALEAP_hand_tracking_forearm", "XR_FB_hand_tracking_aim", "XR_FB_hand_tracking_capsules",
          "XR_FB_hand_tracking_mesh", "XR_MSFT_hand_tracking_mesh", "XR_MNDX_force_feedback_curl",
          "XR_QCOM_hand_tracking_gesture", "XR_META_hand_tracking_wide_motion_mode", "XR_EXT_nobody_knows"}) {
        EXPECT_EQ(create({kHands, name}), XR_ERROR_EXTENSION_NOT_PRESENT) << name;
        EXPECT_EQ((*recorder_)->live_handles(), 0u) << name;
    }
    EXPECT_EQ(create({kHands, "XR_EXT_hand_joints_motion_range", "XR_EXT_hand_tracking_data_source", kStatus}),
              XR_SUCCESS);
}

TEST_F(EntryPoints, ExtensionsAreEnumeratedInTwoCalls) {
    constexpr auto kEnumerate = "xrEnumerateInstanceExtensionProperties";
    for (const char* extension : {kHands, XR_MND_HEADLESS_EXTENSION_NAME}) {
        ASSERT_EQ(create({extension}), XR_SUCCESS);
        const Answer answer = ask_us(instance_, kEnumerate);
        ASSERT_EQ(answer.result, XR_SUCCESS);
        EXPECT_EQ(ask_us(XR_NULL_HANDLE, kEnumerate), answer);  // as long as there is an instance
        const auto enumerate = reinterpret_cast<PFN_xrEnumerateInstanceExtensionProperties>(answer.function);

        for (const auto& [layer, all] : {std::pair{static_cast<const char*>(nullptr), 6u}, {kOurName, 4u}}) {
            std::uint32_t count = 77;
            EXPECT_EQ(enumerate(layer, 0, &count, nullptr), XR_SUCCESS);
            EXPECT_EQ(count, all);
            std::vector<XrExtensionProperties> properties(all + 1, {XR_TYPE_EXTENSION_PROPERTIES, nullptr, "-", 0});
            for (std::uint32_t capacity = 1; capacity < all; ++capacity) {
                count = 77;
                EXPECT_EQ(enumerate(layer, capacity, &count, properties.data()), XR_ERROR_SIZE_INSUFFICIENT);
                EXPECT_EQ(count, all);
                EXPECT_STREQ(properties[0].extensionName, "-");
            }
            for (const std::uint32_t capacity : {all, all + 1}) {
                count = 77;
                EXPECT_EQ(enumerate(layer, capacity, &count, properties.data()), XR_SUCCESS);
                EXPECT_EQ(count, all);
                EXPECT_STREQ(properties[all].extensionName, "-");
                for (const char* name : {kHands, kStatus}) {
                    EXPECT_EQ(std::count_if(properties.begin(), properties.end(),
                                            [name](const auto& it) { return it.extensionName == std::string(name); }),
                              1);
                }
            }
            EXPECT_EQ(enumerate(layer, 0, nullptr, nullptr), XR_ERROR_VALIDATION_FAILURE);
            EXPECT_EQ(enumerate(layer, all, &count, nullptr), XR_ERROR_VALIDATION_FAILURE);
        }
        std::uint32_t count = 0;
        EXPECT_EQ(enumerate("XR_APILAYER_TEST_other", 0, &count, nullptr), XR_ERROR_API_LAYER_NOT_PRESENT);

        destroy();
        EXPECT_EQ(ask_us(XR_NULL_HANDLE, kEnumerate), kInvalid);
        EXPECT_EQ(enumerate(nullptr, 0, &count, nullptr), XR_ERROR_RUNTIME_UNAVAILABLE);
        EXPECT_EQ(enumerate(kOurName, 0, &count, nullptr), XR_SUCCESS);
        EXPECT_EQ((*recorder_)->look_ups_of_nobody(), 0u);
    }
}

// The next element gets its own record, not ours (rule 1.2.3): the recorder and the failer would otherwise call
// themselves. What the loader gave us stays as it was.
TEST_F(EntryPoints, TheLoadersRecordsAreReadAndNotWritten) {
    const auto layer_info = layer_info_;
    const auto records = records_;
    ASSERT_EQ(create({kHands}), XR_SUCCESS);
    EXPECT_EQ(std::memcmp(&layer_info, &layer_info_, sizeof layer_info), 0);
    EXPECT_EQ(std::memcmp(records.data(), records_.data(), sizeof records), 0);
    EXPECT_EQ((*recorder_)->calls("xrCreateInstance"), 1u);
}

// Twenty are more than the layer keeps in mind.
TEST_F(EntryPoints, InstancesWithAndWithoutHandsInTurn) {
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(create({XR_MND_HEADLESS_EXTENSION_NAME}), XR_SUCCESS) << i;
        EXPECT_EQ(ask_us(instance_, "xrPollEvent"), ask_below("xrPollEvent")) << i;
        EXPECT_EQ(ask_us(instance_, "xrCreateHandTrackerEXT"), kMissing) << i;
        destroy();
        ASSERT_EQ(create({kHands}), XR_SUCCESS) << i;
        EXPECT_NE(ask_us(instance_, "xrPollEvent"), ask_below("xrPollEvent")) << i;
        EXPECT_EQ(ask_us(instance_, "xrCreateHandTrackerEXT").result, XR_SUCCESS) << i;
        destroy();
        EXPECT_EQ((*recorder_)->live_handles(), 0u) << i;
    }
    EXPECT_EQ((*recorder_)->unknown_handles(), std::vector<std::string>{});
}

}  // namespace
}  // namespace glove::test
