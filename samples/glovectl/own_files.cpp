// SPDX-License-Identifier: Apache-2.0
#include "glovectl/own_files.hpp"

#if defined(_WIN32)
#include <windows.h>

#include <array>
#endif

#include "glovectl/layer_manifest.hpp"

namespace glove::ctl {

namespace fs = std::filesystem;

// bin/glovectl and share/openxr/1/api_layers/implicit.d/; on Windows all in one folder. See cmake/ApiLayer.cmake.
fs::path built_manifest() {
#if defined(_WIN32)
    std::array<wchar_t, 32768> program{};
    GetModuleFileNameW(nullptr, program.data(), static_cast<DWORD>(program.size()));
    return fs::path(program.data()).parent_path() / manifest_file_name();
#else
    const fs::path program = fs::read_symlink("/proc/self/exe");
    return program.parent_path().parent_path() / "share/openxr/1/api_layers/implicit.d" / manifest_file_name();
#endif
}

std::string text_of(const fs::path& path) {
    const std::u8string utf8 = path.u8string();
    return {utf8.begin(), utf8.end()};
}

}  // namespace glove::ctl
