// SPDX-License-Identifier: Apache-2.0
// A loader of one layer and one runtime, for systems whose loader is not at hand: it negotiates, chains and asks as the
// Khronos loader does (rules 1.1 to 1.3), and as those from 1.0.33 on it unloads both when the instance ends.
// Not done: finding manifests, disable_environment, several layers (tests/openxr has all that with the real one).
#pragma once

#include <openxr/openxr.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "openxr/loader/loader_interface.hpp"

namespace glove::test {

class SharedLibrary {
public:
    // Throws when it cannot be opened.
    explicit SharedLibrary(const std::filesystem::path& file);
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;

    // Null when there is none.
    template <class Function>
    [[nodiscard]] Function function(const char* name) const {
        return reinterpret_cast<Function>(look_up(name));
    }

    [[nodiscard]] static bool is_loaded(const std::filesystem::path& file);

private:
    [[nodiscard]] PFN_xrVoidFunction look_up(const char* name) const;

    void* handle_ = nullptr;
};

// The library that a manifest of a layer ("api_layer") or a runtime ("runtime") names.
[[nodiscard]] std::filesystem::path library_of(const std::filesystem::path& manifest, const char* kind);

// At most one has an instance at a time, as in a process with the real loader.
class LoaderStandIn {
public:
    LoaderStandIn(std::filesystem::path layer_manifest, std::filesystem::path runtime_manifest);
    ~LoaderStandIn();  // as a program's end: an instance that still lives is destroyed
    LoaderStandIn(const LoaderStandIn&) = delete;
    LoaderStandIn& operator=(const LoaderStandIn&) = delete;

    // Throws when a library cannot be loaded or breaks a rule that the loader relies on.
    [[nodiscard]] XrResult create_instance(const std::vector<const char*>& extensions);
    [[nodiscard]] XrResult destroy_instance();

    [[nodiscard]] XrInstance instance() const { return instance_; }
    // What the layer says.
    [[nodiscard]] XrResult get_proc(XrInstance instance, const char* name, PFN_xrVoidFunction* function) const {
        return layer_get_proc_(instance, name, function);
    }

private:
    void ask_for_every_function() const;
    void unload();

    std::filesystem::path layer_manifest_;
    std::filesystem::path runtime_manifest_;
    std::unique_ptr<SharedLibrary> runtime_;
    std::unique_ptr<SharedLibrary> layer_;
    PFN_xrGetInstanceProcAddr layer_get_proc_ = nullptr;
    XrInstance instance_ = XR_NULL_HANDLE;
};

}  // namespace glove::test
