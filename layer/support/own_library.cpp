// SPDX-License-Identifier: Apache-2.0
#include "support/own_library.hpp"

#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace glove {

namespace {

const char g_inside_this_library = 0;

}  // namespace

#ifdef _WIN32

KeepsOwnLibrary::KeepsOwnLibrary() noexcept {
    HMODULE module = nullptr;
    if (GetModuleHandleExA(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, &g_inside_this_library, &module) != 0) {
        handle_ = module;
    }
}

KeepsOwnLibrary::~KeepsOwnLibrary() {
    if (handle_ != nullptr) {
        FreeLibrary(static_cast<HMODULE>(handle_));
    }
}

#else

KeepsOwnLibrary::KeepsOwnLibrary() noexcept {
    Dl_info info{};
    if (dladdr(&g_inside_this_library, &info) != 0 && info.dli_fname != nullptr) {
        handle_ = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }
}

KeepsOwnLibrary::~KeepsOwnLibrary() {
    if (handle_ != nullptr) {
        dlclose(handle_);
    }
}

#endif

}  // namespace glove
