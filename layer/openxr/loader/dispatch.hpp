// SPDX-License-Identifier: Apache-2.0
// The functions this layer answers and those it calls below. Nothing else in the layer lists them.
#pragma once

#include <exception>
#include <new>
#include <string_view>
#include <type_traits>

#include "openxr/loader/platform.hpp"
#include "openxr/loader/status_extension.hpp"
#include "support/log.hpp"

namespace glove {

// X(function, the feature that must be on for the application to get it)
#define GLOVE_INTERCEPTED(X)                           \
    X(xrDestroyInstance, core)                         \
    X(xrGetSystemProperties, core)                     \
    X(xrPollEvent, core)                               \
    X(xrCreateSession, core)                           \
    X(xrDestroySession, core)                          \
    X(xrCreateReferenceSpace, core)                    \
    X(xrDestroySpace, core)                            \
    X(xrCreateActionSet, input)                        \
    X(xrCreateAction, input)                           \
    X(xrDestroyAction, input)                          \
    X(xrDestroyActionSet, input)                       \
    X(xrSuggestInteractionProfileBindings, input)      \
    X(xrAttachSessionActionSets, input)                \
    X(xrSyncActions, input)                            \
    X(xrGetCurrentInteractionProfile, hidden_input)    \
    X(xrGetInputSourceLocalizedName, hidden_input)     \
    X(xrSetDebugUtilsObjectNameEXT, debug_utils)       \
    X(xrCreateHandTrackerEXT, hand_tracking)           \
    X(xrDestroyHandTrackerEXT, hand_tracking)          \
    X(xrLocateHandJointsEXT, hand_tracking)            \
    X(xrGetGloveHandStatusNOVENDOR, status)            \
    X(xrCreateHandMeshSpaceMSFT, tracker_extension)    \
    X(xrUpdateHandMeshMSFT, tracker_extension)         \
    X(xrGetHandMeshFB, tracker_extension)              \
    X(xrApplyForceFeedbackCurlMNDX, tracker_extension) \
    X(xrGetHandGestureQCOM, tracker_extension)

// Core functions: every runtime has them.
#define GLOVE_NEXT_CORE(X)                 \
    X(xrDestroyInstance)                   \
    X(xrGetSystemProperties)               \
    X(xrPollEvent)                         \
    X(xrCreateSession)                     \
    X(xrDestroySession)                    \
    X(xrCreateReferenceSpace)              \
    X(xrLocateSpace)                       \
    X(xrDestroySpace)                      \
    X(xrStringToPath)                      \
    X(xrPathToString)                      \
    X(xrCreateActionSet)                   \
    X(xrDestroyActionSet)                  \
    X(xrCreateAction)                      \
    X(xrDestroyAction)                     \
    X(xrCreateActionSpace)                 \
    X(xrSuggestInteractionProfileBindings) \
    X(xrAttachSessionActionSets)           \
    X(xrGetCurrentInteractionProfile)      \
    X(xrGetInputSourceLocalizedName)       \
    X(xrGetActionStatePose)                \
    X(xrGetActionStateFloat)               \
    X(xrGetActionStateBoolean)             \
    X(xrGetActionStateVector2f)            \
    X(xrSyncActions)

// Null unless the extension is on below us.
#define GLOVE_NEXT_OPTIONAL(X)      \
    X(xrSetDebugUtilsObjectNameEXT) \
    X(xrCreateHandTrackerEXT)       \
    X(xrDestroyHandTrackerEXT)      \
    X(xrLocateHandJointsEXT)        \
    X(xrCreateHandMeshSpaceMSFT)    \
    X(xrUpdateHandMeshMSFT)         \
    X(xrGetHandMeshFB)              \
    X(xrApplyForceFeedbackCurlMNDX) \
    X(xrGetHandGestureQCOM)         \
    X(GLOVE_CONVERT_TIME_FUNCTION)

enum class Feature { core, input, hidden_input, debug_utils, hand_tracking, status, tracker_extension };

// Declared from the list: a missing function or a wrong signature does not compile.
namespace intercept {
#define GLOVE_DECLARE(name, feature) extern std::remove_pointer_t<PFN_##name> name;
GLOVE_INTERCEPTED(GLOVE_DECLARE)
#undef GLOVE_DECLARE
}  // namespace intercept

struct Intercepted {
    PFN_xrVoidFunction function;  // null: not one of ours
    Feature feature;
};

[[nodiscard]] inline Intercepted find_intercepted(std::string_view wanted) noexcept {
#define GLOVE_MATCH(name, feature)                                                         \
    if (wanted == #name) {                                                                 \
        return {reinterpret_cast<PFN_xrVoidFunction>(&intercept::name), Feature::feature}; \
    }
    GLOVE_INTERCEPTED(GLOVE_MATCH)
#undef GLOVE_MATCH
    return {nullptr, Feature::core};
}

// The immediate next element of the chain. Never the runtime directly: layers below keep book of what they see.
struct NextTable {
#define GLOVE_POINTER(name) GLOVE_PFN(name) name = nullptr;
#define GLOVE_PFN(name) GLOVE_PFN_OF(name)
#define GLOVE_PFN_OF(name) PFN_##name
    GLOVE_NEXT_CORE(GLOVE_POINTER)
    GLOVE_NEXT_OPTIONAL(GLOVE_POINTER)
#undef GLOVE_POINTER
};

// No exception may reach the application: every intercepted function runs its body in here.
// `out_of_memory`: what the function may answer then; not every function lists XR_ERROR_OUT_OF_MEMORY (rule 4.8).
template <class Body>
XrResult guarded(const char* function, XrResult out_of_memory, Body&& body) noexcept {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        log::error("%s: out of memory", function);
        return out_of_memory;
    } catch (const std::exception& error) {
        log::error("%s: %s", function, error.what());
    } catch (...) {
        log::error("%s: unknown exception", function);
    }
    return XR_ERROR_RUNTIME_FAILURE;
}

// After a call below made something: where `keep` fails, `undo` destroys that again.
template <class Keep, class Undo>
void keep_or_undo(Keep&& keep, Undo&& undo) {
    try {
        keep();
    } catch (...) {
        undo();
        throw;
    }
}

}  // namespace glove
