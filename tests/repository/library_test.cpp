// SPDX-License-Identifier: Apache-2.0
// The layer's library as a loader opens and closes it.
// Does not cover: what the layer answers (tests/openxr), what it exports (exports.sh).
#include <gtest/gtest.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>

#include <fstream>
#include <string>
#endif

#include "folders.hpp"
#include "openxr/loader/loader_interface.hpp"

namespace glove {
namespace {

#ifdef _WIN32

using Library = HMODULE;

bool is_mapped() {
    return GetModuleHandleW(L"XrApiLayer_glove_hands.dll") != nullptr;
}

Library open_library() {
    return LoadLibraryW(L"" GLOVE_BUILD_DIR "/bin/XrApiLayer_glove_hands.dll");
}

auto function_of(Library library, const char* name) {
    return GetProcAddress(library, name);
}

bool close_library(Library library) {
    return FreeLibrary(library) != FALSE;
}

#else

using Library = void*;

bool is_mapped() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find("libXrApiLayer_glove_hands.so") != std::string::npos) {
            return true;
        }
    }
    return false;
}

Library open_library() {
    return dlopen(GLOVE_BUILD_DIR "/lib/libXrApiLayer_glove_hands.so", RTLD_LAZY | RTLD_LOCAL);  // as loaders do
}

auto function_of(Library library, const char* name) {
    return dlsym(library, name);
}

bool close_library(Library library) {
    return dlclose(library) == 0;
}

#endif

XrResult negotiate(Library library, XrNegotiateApiLayerRequest& request) {
    using Negotiate = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest*);
    const auto function = reinterpret_cast<Negotiate>(
        reinterpret_cast<PFN_xrVoidFunction>(function_of(library, "xrNegotiateLoaderApiLayerInterface")));
    if (function == nullptr) {
        return XR_ERROR_FUNCTION_UNSUPPORTED;
    }
    XrNegotiateLoaderInfo info{};
    info.structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO;
    info.structVersion = XR_LOADER_INFO_STRUCT_VERSION;
    info.structSize = sizeof info;
    info.minInterfaceVersion = 1;
    info.maxInterfaceVersion = 1;
    info.minApiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.maxApiVersion = XR_MAKE_VERSION(1, 1023, 4095);
    request = {};
    request.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST;
    request.structVersion = XR_API_LAYER_INFO_STRUCT_VERSION;
    request.structSize = sizeof request;
    return function(&info, "XR_APILAYER_NOVENDOR_glove_hands", &request);
}

TEST(LayerLibrary, LeavesTheProcessWhenItIsClosedAsOftenAsItIsOpened) {
    for (int round = 0; round < 3; ++round) {
        ASSERT_FALSE(is_mapped()) << "before round " << round;
        const Library library = open_library();
        ASSERT_NE(library, nullptr);
        ASSERT_TRUE(is_mapped());

        XrNegotiateApiLayerRequest request;
        ASSERT_EQ(negotiate(library, request), XR_SUCCESS);
        ASSERT_NE(request.getInstanceProcAddr, nullptr);
        PFN_xrVoidFunction function = nullptr;
        EXPECT_EQ(request.getInstanceProcAddr(XR_NULL_HANDLE, "xrGetInstanceProcAddr", &function),
                  XR_ERROR_HANDLE_INVALID);

        ASSERT_TRUE(close_library(library));
        ASSERT_FALSE(is_mapped()) << "after round " << round;
    }
}

}  // namespace
}  // namespace glove
