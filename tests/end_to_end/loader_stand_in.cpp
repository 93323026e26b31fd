// SPDX-License-Identifier: Apache-2.0
#include "end_to_end/loader_stand_in.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "runtime/functions.hpp"

namespace glove::test {
namespace {

namespace fs = std::filesystem;

using NegotiateRuntime = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, XrNegotiateRuntimeRequest*);
using NegotiateLayer = XrResult(XRAPI_PTR*)(const XrNegotiateLoaderInfo*, const char*, XrNegotiateApiLayerRequest*);

void require(bool condition, const std::string& what) {
    if (!condition) {
        throw std::runtime_error(what);
    }
}

// What every loader from 1.0.20 to 1.1.61 sends (rule 1.1.3).
XrNegotiateLoaderInfo loader_info() {
    XrNegotiateLoaderInfo info{};
    info.structType = XR_LOADER_INTERFACE_STRUCT_LOADER_INFO;
    info.structVersion = XR_LOADER_INFO_STRUCT_VERSION;
    info.structSize = sizeof info;
    info.minInterfaceVersion = 1;
    info.maxInterfaceVersion = 1;
    info.minApiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.maxApiVersion = XR_MAKE_VERSION(1, 1023, 4095);
    return info;
}

PFN_xrGetInstanceProcAddr negotiate_with_runtime(const SharedLibrary& library) {
    const auto negotiate = library.function<NegotiateRuntime>("xrNegotiateLoaderRuntimeInterface");
    require(negotiate != nullptr, "the runtime does not negotiate");
    const XrNegotiateLoaderInfo info = loader_info();
    XrNegotiateRuntimeRequest request{};
    request.structType = XR_LOADER_INTERFACE_STRUCT_RUNTIME_REQUEST;
    request.structVersion = XR_RUNTIME_INFO_STRUCT_VERSION;
    request.structSize = sizeof request;
    require(negotiate(&info, &request) == XR_SUCCESS && request.getInstanceProcAddr != nullptr,
            "the runtime refuses to negotiate");
    return request.getInstanceProcAddr;
}

XrNegotiateApiLayerRequest negotiate_with_layer(const SharedLibrary& library, const std::string& name) {
    const auto negotiate = library.function<NegotiateLayer>("xrNegotiateLoaderApiLayerInterface");
    require(negotiate != nullptr, "the layer does not negotiate");
    const XrNegotiateLoaderInfo info = loader_info();
    XrNegotiateApiLayerRequest request{};
    request.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_REQUEST;
    request.structVersion = XR_API_LAYER_INFO_STRUCT_VERSION;
    request.structSize = sizeof request;
    require(negotiate(&info, name.c_str(), &request) == XR_SUCCESS, "the layer refuses to negotiate");
    require(request.layerInterfaceVersion == 1 && request.layerApiVersion >= info.minApiVersion &&
                request.layerApiVersion <= info.maxApiVersion,
            "the layer has another version");
    require(request.getInstanceProcAddr != nullptr && request.createApiLayerInstance != nullptr,
            "the layer gives no entry points");
    return request;
}

// The end of the chain, between the layer and the runtime. Functions of the loader's, so what they need is global.
PFN_xrGetInstanceProcAddr g_runtime_get_proc = nullptr;

XRAPI_ATTR XrResult XRAPI_CALL terminator_create(const XrInstanceCreateInfo* info, const XrApiLayerCreateInfo* below,
                                                 XrInstance* instance) {
    // What the loader checks again of what the layers hand down (rule 1.2.5), and that ours took itself off the list.
    if (info == nullptr || info->type != XR_TYPE_INSTANCE_CREATE_INFO || info->createFlags != 0 ||
        info->applicationInfo.applicationName[0] == '\0' ||
        (info->enabledExtensionCount != 0 && info->enabledExtensionNames == nullptr) || below == nullptr ||
        below->structType != XR_LOADER_INTERFACE_STRUCT_API_LAYER_CREATE_INFO || below->nextInfo != nullptr) {
        return XR_ERROR_VALIDATION_FAILURE;
    }
    PFN_xrVoidFunction create = nullptr;
    if (g_runtime_get_proc(XR_NULL_HANDLE, "xrCreateInstance", &create) != XR_SUCCESS) {
        return XR_ERROR_RUNTIME_FAILURE;
    }
    return reinterpret_cast<PFN_xrCreateInstance>(create)(info, instance);
}

// With a null instance the runtime's own answer: so a layer learns its extensions.
XRAPI_ATTR XrResult XRAPI_CALL terminator_get_proc(XrInstance instance, const char* name,
                                                   PFN_xrVoidFunction* function) {
    if (name != nullptr && function != nullptr && std::strcmp(name, "xrGetInstanceProcAddr") == 0) {
        *function = reinterpret_cast<PFN_xrVoidFunction>(&terminator_get_proc);
        return XR_SUCCESS;
    }
    return g_runtime_get_proc(instance, name, function);
}

nlohmann::json read_manifest(const fs::path& file, const char* kind) {
    std::ifstream stream(file);
    return nlohmann::json::parse(stream).at(kind);
}

}  // namespace

#ifdef _WIN32

SharedLibrary::SharedLibrary(const fs::path& file)
    : handle_(
          LoadLibraryExW(file.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS)) {
    require(handle_ != nullptr, file.string() + ": error " + std::to_string(GetLastError()));
}

SharedLibrary::~SharedLibrary() {
    FreeLibrary(static_cast<HMODULE>(handle_));
}

PFN_xrVoidFunction SharedLibrary::look_up(const char* name) const {
    return reinterpret_cast<PFN_xrVoidFunction>(GetProcAddress(static_cast<HMODULE>(handle_), name));
}

bool SharedLibrary::is_loaded(const fs::path& file) {
    return GetModuleHandleW(file.c_str()) != nullptr;
}

#else

SharedLibrary::SharedLibrary(const fs::path& file) : handle_(::dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
    require(handle_ != nullptr, handle_ == nullptr ? ::dlerror() : "");
}

SharedLibrary::~SharedLibrary() {
    ::dlclose(handle_);
}

PFN_xrVoidFunction SharedLibrary::look_up(const char* name) const {
    return reinterpret_cast<PFN_xrVoidFunction>(::dlsym(handle_, name));
}

bool SharedLibrary::is_loaded(const fs::path& file) {
    void* handle = ::dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle != nullptr) {
        ::dlclose(handle);
    }
    return handle != nullptr;
}

#endif

fs::path library_of(const fs::path& manifest, const char* kind) {
    const fs::path path = read_manifest(manifest, kind).at("library_path").get<std::string>();
    // A path with a folder in it starts at the manifest's; a plain name would be left to the system.
    require(path.has_parent_path(), manifest.string() + " names a library without its folder");
    return fs::canonical(manifest.parent_path() / path).make_preferred();
}

LoaderStandIn::LoaderStandIn(fs::path layer_manifest, fs::path runtime_manifest)
    : layer_manifest_(std::move(layer_manifest)), runtime_manifest_(std::move(runtime_manifest)) {
}

LoaderStandIn::~LoaderStandIn() {
    if (instance_ != XR_NULL_HANDLE) {
        static_cast<void>(destroy_instance());
    }
}

XrResult LoaderStandIn::create_instance(const std::vector<const char*>& extensions) {
    require(g_runtime_get_proc == nullptr, "a second instance");
    runtime_ = std::make_unique<SharedLibrary>(library_of(runtime_manifest_, "runtime"));
    g_runtime_get_proc = negotiate_with_runtime(*runtime_);
    layer_ = std::make_unique<SharedLibrary>(library_of(layer_manifest_, "api_layer"));
    const auto name = read_manifest(layer_manifest_, "api_layer").at("name").get<std::string>();
    const XrNegotiateApiLayerRequest layer = negotiate_with_layer(*layer_, name);

    // The record has the layer's own name, and the functions of what is below it (rule 1.2.2).
    XrApiLayerNextInfo next{};
    next.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_NEXT_INFO;
    next.structVersion = XR_API_LAYER_NEXT_INFO_STRUCT_VERSION;
    next.structSize = sizeof next;
    name.copy(next.layerName, sizeof next.layerName - 1);
    next.nextGetInstanceProcAddr = &terminator_get_proc;
    next.nextCreateApiLayerInstance = &terminator_create;

    XrApiLayerCreateInfo layer_info{};
    layer_info.structType = XR_LOADER_INTERFACE_STRUCT_API_LAYER_CREATE_INFO;
    layer_info.structVersion = XR_API_LAYER_CREATE_INFO_STRUCT_VERSION;
    layer_info.structSize = sizeof layer_info;
    layer_info.nextInfo = &next;

    XrInstanceCreateInfo info{};
    info.type = XR_TYPE_INSTANCE_CREATE_INFO;
    std::strcpy(info.applicationInfo.applicationName, "loader stand-in");
    info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.enabledExtensionNames = extensions.empty() ? nullptr : extensions.data();

    const XrResult result = layer.createApiLayerInstance(&info, &layer_info, &instance_);
    // The records live for the call alone (rule 1.2.4).
    std::memset(static_cast<void*>(&next), 0xDD, sizeof next);
    std::memset(static_cast<void*>(&layer_info), 0xDD, sizeof layer_info);
    if (XR_FAILED(result)) {
        instance_ = XR_NULL_HANDLE;
        unload();
        return result;
    }
    layer_get_proc_ = layer.getInstanceProcAddr;
    ask_for_every_function();
    return result;
}

// As the loader fills its table right after the instance was made. It keeps no pointer of a look-up that failed.
void LoaderStandIn::ask_for_every_function() const {
    for (const std::string_view name : test_runtime::kFunctionNames) {
        PFN_xrVoidFunction function = nullptr;
        const XrResult result = layer_get_proc_(instance_, name.data(), &function);
        require(XR_SUCCEEDED(result) == (function != nullptr), std::string(name) + ": result and pointer disagree");
    }
}

XrResult LoaderStandIn::destroy_instance() {
    PFN_xrVoidFunction destroy = nullptr;
    if (const XrResult result = layer_get_proc_(instance_, "xrDestroyInstance", &destroy); XR_FAILED(result)) {
        return result;
    }
    const XrResult result = reinterpret_cast<PFN_xrDestroyInstance>(destroy)(instance_);
    instance_ = XR_NULL_HANDLE;
    unload();
    return result;
}

void LoaderStandIn::unload() {
    layer_get_proc_ = nullptr;
    layer_.reset();
    g_runtime_get_proc = nullptr;
    runtime_.reset();
}

}  // namespace glove::test
