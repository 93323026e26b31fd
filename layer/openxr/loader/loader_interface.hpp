// SPDX-License-Identifier: Apache-2.0
// What loader, layers and runtimes say to each other while an instance is made (loader specification, "Negotiation").
// Headers from 1.0.33 on have it; Debian 12's 1.0.20 does not, so it is declared here with the same layout.
#pragma once

#include <openxr/openxr.h>

#include <cstddef>
#include <cstdint>

#if defined(__has_include)
#if __has_include(<openxr/openxr_loader_negotiation.h>)
#define GLOVE_HAS_NEGOTIATION_HEADER 1
#endif
#endif

#ifdef GLOVE_HAS_NEGOTIATION_HEADER
#include <openxr/openxr_loader_negotiation.h>
#else

enum XrLoaderInterfaceStructs : std::int32_t {
    XR_LOADER_INTERFACE_STRUCT_UNINTIALIZED = 0,
    XR_LOADER_INTERFACE_STRUCT_LOADER_INFO = 1,
    XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST = 2,
    XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST = 3,
    XR_LOADER_INTERFACE_STRUCT_API_LAYER_CREATE_INFO = 4,
    XR_LOADER_INTERFACE_STRUCT_API_LAYER_NEXT_INFO = 5,
};

#define XR_CURRENT_LOADER_API_LAYER_VERSION 1
#define XR_CURRENT_LOADER_RUNTIME_VERSION 1
#define XR_LOADER_INFO_STRUCT_VERSION 1
#define XR_API_LAYER_INFO_STRUCT_VERSION 1
#define XR_RUNTIME_INFO_STRUCT_VERSION 1
#define XR_API_LAYER_NEXT_INFO_STRUCT_VERSION 1
#define XR_API_LAYER_CREATE_INFO_STRUCT_VERSION 1
#define XR_API_LAYER_MAX_SETTINGS_PATH_SIZE 512

struct XrNegotiateLoaderInfo {
    XrLoaderInterfaceStructs structType;
    std::uint32_t structVersion;
    std::size_t structSize;
    std::uint32_t minInterfaceVersion;
    std::uint32_t maxInterfaceVersion;
    XrVersion minApiVersion;
    XrVersion maxApiVersion;
};

struct XrApiLayerCreateInfo;
using PFN_xrCreateApiLayerInstance = XrResult(XRAPI_PTR*)(const XrInstanceCreateInfo* info,
                                                          const XrApiLayerCreateInfo* layerInfo, XrInstance* instance);

struct XrNegotiateApiLayerRequest {
    XrLoaderInterfaceStructs structType;
    std::uint32_t structVersion;
    std::size_t structSize;
    std::uint32_t layerInterfaceVersion;
    XrVersion layerApiVersion;
    PFN_xrGetInstanceProcAddr getInstanceProcAddr;
    PFN_xrCreateApiLayerInstance createApiLayerInstance;
};

struct XrNegotiateRuntimeRequest {
    XrLoaderInterfaceStructs structType;
    std::uint32_t structVersion;
    std::size_t structSize;
    std::uint32_t runtimeInterfaceVersion;
    XrVersion runtimeApiVersion;
    PFN_xrGetInstanceProcAddr getInstanceProcAddr;
};

struct XrApiLayerNextInfo {
    XrLoaderInterfaceStructs structType;
    std::uint32_t structVersion;
    std::size_t structSize;
    char layerName[XR_MAX_API_LAYER_NAME_SIZE];
    PFN_xrGetInstanceProcAddr nextGetInstanceProcAddr;
    PFN_xrCreateApiLayerInstance nextCreateApiLayerInstance;
    XrApiLayerNextInfo* next;
};

struct XrApiLayerCreateInfo {
    XrLoaderInterfaceStructs structType;
    std::uint32_t structVersion;
    std::size_t structSize;
    void* loaderInstance;
    char settings_file_location[XR_API_LAYER_MAX_SETTINGS_PATH_SIZE];
    XrApiLayerNextInfo* nextInfo;
};

#endif

// The layout is an agreement between separately built modules.
#if UINTPTR_MAX > 0xFFFFFFFFu
static_assert(sizeof(XrNegotiateLoaderInfo) == 40);
static_assert(sizeof(XrNegotiateApiLayerRequest) == 48);
static_assert(sizeof(XrNegotiateRuntimeRequest) == 40);
static_assert(sizeof(XrApiLayerNextInfo) == 296);
static_assert(sizeof(XrApiLayerCreateInfo) == 544);
#else
static_assert(sizeof(XrNegotiateApiLayerRequest) == 32);
static_assert(sizeof(XrApiLayerNextInfo) == 280);
static_assert(sizeof(XrApiLayerCreateInfo) == 532);
#ifdef _WIN32
static_assert(sizeof(XrNegotiateLoaderInfo) == 40);
static_assert(sizeof(XrNegotiateRuntimeRequest) == 32);
#else  // where 8-byte integers are aligned to 4
static_assert(sizeof(XrNegotiateLoaderInfo) == 36);
static_assert(sizeof(XrNegotiateRuntimeRequest) == 28);
#endif
#endif
