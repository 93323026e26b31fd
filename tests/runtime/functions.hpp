// SPDX-License-Identifier: Apache-2.0
// Every function the test runtime has, and the extension that brings it; "" is OpenXR 1.0 itself. Nothing else in the
// runtime lists them: declarations, name look-up, call counters and scripted errors all come from here.
#pragma once

#ifdef _WIN32
#include <windows.h>
// openxr_platform.h names IUnknown.
#include <unknwn.h>
#define XR_USE_PLATFORM_WIN32
#else
#include <ctime>
#define XR_USE_TIMESPEC
#endif
#include <openxr/openxr.h>
#include <openxr/openxr_platform.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>

#ifdef _WIN32
#define GLOVE_TIME_CONVERSION_EXTENSION XR_KHR_WIN32_CONVERT_PERFORMANCE_COUNTER_TIME_EXTENSION_NAME
#define GLOVE_TIME_CONVERSION_FUNCTIONS(X)                                        \
    X(xrConvertWin32PerformanceCounterToTimeKHR, GLOVE_TIME_CONVERSION_EXTENSION) \
    X(xrConvertTimeToWin32PerformanceCounterKHR, GLOVE_TIME_CONVERSION_EXTENSION)
#else
#define GLOVE_TIME_CONVERSION_EXTENSION XR_KHR_CONVERT_TIMESPEC_TIME_EXTENSION_NAME
#define GLOVE_TIME_CONVERSION_FUNCTIONS(X)                             \
    X(xrConvertTimespecTimeToTimeKHR, GLOVE_TIME_CONVERSION_EXTENSION) \
    X(xrConvertTimeToTimespecTimeKHR, GLOVE_TIME_CONVERSION_EXTENSION)
#endif

#define GLOVE_RUNTIME_FUNCTIONS(X)                                                      \
    X(xrGetInstanceProcAddr, "")                                                        \
    X(xrEnumerateInstanceExtensionProperties, "")                                       \
    X(xrCreateInstance, "")                                                             \
    X(xrDestroyInstance, "")                                                            \
    X(xrGetInstanceProperties, "")                                                      \
    X(xrPollEvent, "")                                                                  \
    X(xrResultToString, "")                                                             \
    X(xrStructureTypeToString, "")                                                      \
    X(xrGetSystem, "")                                                                  \
    X(xrGetSystemProperties, "")                                                        \
    X(xrEnumerateEnvironmentBlendModes, "")                                             \
    X(xrCreateSession, "")                                                              \
    X(xrDestroySession, "")                                                             \
    X(xrEnumerateReferenceSpaces, "")                                                   \
    X(xrCreateReferenceSpace, "")                                                       \
    X(xrGetReferenceSpaceBoundsRect, "")                                                \
    X(xrCreateActionSpace, "")                                                          \
    X(xrLocateSpace, "")                                                                \
    X(xrDestroySpace, "")                                                               \
    X(xrEnumerateViewConfigurations, "")                                                \
    X(xrGetViewConfigurationProperties, "")                                             \
    X(xrEnumerateViewConfigurationViews, "")                                            \
    X(xrEnumerateSwapchainFormats, "")                                                  \
    X(xrCreateSwapchain, "")                                                            \
    X(xrDestroySwapchain, "")                                                           \
    X(xrEnumerateSwapchainImages, "")                                                   \
    X(xrAcquireSwapchainImage, "")                                                      \
    X(xrWaitSwapchainImage, "")                                                         \
    X(xrReleaseSwapchainImage, "")                                                      \
    X(xrBeginSession, "")                                                               \
    X(xrEndSession, "")                                                                 \
    X(xrRequestExitSession, "")                                                         \
    X(xrWaitFrame, "")                                                                  \
    X(xrBeginFrame, "")                                                                 \
    X(xrEndFrame, "")                                                                   \
    X(xrLocateViews, "")                                                                \
    X(xrStringToPath, "")                                                               \
    X(xrPathToString, "")                                                               \
    X(xrCreateActionSet, "")                                                            \
    X(xrDestroyActionSet, "")                                                           \
    X(xrCreateAction, "")                                                               \
    X(xrDestroyAction, "")                                                              \
    X(xrSuggestInteractionProfileBindings, "")                                          \
    X(xrAttachSessionActionSets, "")                                                    \
    X(xrGetCurrentInteractionProfile, "")                                               \
    X(xrGetActionStateBoolean, "")                                                      \
    X(xrGetActionStateFloat, "")                                                        \
    X(xrGetActionStateVector2f, "")                                                     \
    X(xrGetActionStatePose, "")                                                         \
    X(xrSyncActions, "")                                                                \
    X(xrEnumerateBoundSourcesForAction, "")                                             \
    X(xrGetInputSourceLocalizedName, "")                                                \
    X(xrApplyHapticFeedback, "")                                                        \
    X(xrStopHapticFeedback, "")                                                         \
    GLOVE_TIME_CONVERSION_FUNCTIONS(X)                                                  \
    X(xrEnumerateViveTrackerPathsHTCX, XR_HTCX_VIVE_TRACKER_INTERACTION_EXTENSION_NAME) \
    X(xrCreateHandTrackerEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)                      \
    X(xrDestroyHandTrackerEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)                     \
    X(xrLocateHandJointsEXT, XR_EXT_HAND_TRACKING_EXTENSION_NAME)

namespace glove::test_runtime {

#define GLOVE_ENUMERATE(name, extension) name,
enum class Function : std::size_t { GLOVE_RUNTIME_FUNCTIONS(GLOVE_ENUMERATE) count_ };
#undef GLOVE_ENUMERATE

inline constexpr std::size_t kFunctionCount = static_cast<std::size_t>(Function::count_);

#define GLOVE_NAME(name, extension) #name,
inline constexpr std::array<std::string_view, kFunctionCount> kFunctionNames{GLOVE_RUNTIME_FUNCTIONS(GLOVE_NAME)};
#undef GLOVE_NAME

// Declared from the list: a missing function or a wrong signature does not link.
namespace entry {
#define GLOVE_DECLARE(name, extension) extern std::remove_pointer_t<PFN_##name> name;
GLOVE_RUNTIME_FUNCTIONS(GLOVE_DECLARE)
#undef GLOVE_DECLARE
}  // namespace entry

}  // namespace glove::test_runtime
