// SPDX-License-Identifier: Apache-2.0
// What Windows' loader does with an installation below a user's own name, and glovectl says of it: through the registry
// and the real glovectl, which tries the real layer. The loader itself is not in the cross-build.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "folders.hpp"
#include "glovectl/layer_manifest.hpp"

namespace glove::ctl {
namespace {

namespace fs = std::filesystem;

class WindowsManifest : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(root_); }
    void TearDown() override {
        for (const fs::path& manifest : installed_) {  // a test that failed half-way leaves nothing behind either
            RegDeleteKeyValueW(HKEY_CURRENT_USER, L"SOFTWARE\\Khronos\\OpenXR\\1\\ApiLayers\\Implicit",
                               manifest.c_str());
        }
        std::error_code ignored;
        fs::remove_all(root_, ignored);
    }
    // The layer, as it is installed: everything in one folder.
    [[nodiscard]] fs::path install(const fs::path& name) {
        const fs::path built = fs::path(GLOVE_BUILD_DIR) / "bin";
        const fs::path folder = root_ / name;
        fs::create_directories(folder);
        for (const char* file : {"XrApiLayer_glove_hands.json", "XrApiLayer_glove_hands.dll", "glovectl.exe"}) {
            fs::copy_file(built / file, folder / file);
        }
        installed_.push_back(folder / "XrApiLayer_glove_hands.json");
        return folder;
    }
    // glovectl's output; it ends with the status.
    static std::string glovectl(const fs::path& folder, const wchar_t* arguments) {
        const fs::path out = folder / "out.txt";
        const std::wstring command = L"cmd /c \"\"" + (folder / "glovectl.exe").native() + L"\" " + arguments +
                                     L" > \"" + out.native() + L"\" 2>&1\"";
        const int status = _wsystem(command.c_str());
        std::ifstream in(out, std::ios::binary);
        return std::string{std::istreambuf_iterator<char>(in), {}} + "status " + std::to_string(status);
    }

    fs::path root_ = fs::temp_directory_path() / ("glove_hands_" + std::to_string(GetCurrentProcessId()));
    std::vector<fs::path> installed_;  // manifests
};

TEST_F(WindowsManifest, OnAPathThatIsNotPlainAsciiIsSkippedAndSaidToBe) {
    EXPECT_EQ(read_layer_manifest(install(L"plain") / "XrApiLayer_glove_hands.json").problem, "");
    const LayerManifest odd = read_layer_manifest(install(L"J\u00fcrgen \u624b") / "XrApiLayer_glove_hands.json");
    EXPECT_TRUE(odd.ours());
    EXPECT_NE(odd.problem.find("plain ASCII"), std::string::npos) << odd.problem;
}

TEST_F(WindowsManifest, RegisterTriesTheLibraryAndStatusSaysWhatIsWrongWithIt) {
    const fs::path folder = install(L"plain");
    const std::string registered = glovectl(folder, L"register");
    EXPECT_NE(registered.find("status 0"), std::string::npos) << registered;
    EXPECT_NE(glovectl(folder, L"status").find("the loader finds the layer once"), std::string::npos);

    std::ofstream(folder / "XrApiLayer_glove_hands.dll", std::ios::binary | std::ios::trunc) << "text";
    const std::string status = glovectl(folder, L"status");
    EXPECT_NE(status.find("its library cannot be loaded"), std::string::npos) << status;
    EXPECT_NE(status.find("error 193"), std::string::npos) << status;  // ERROR_BAD_EXE_FORMAT
    EXPECT_NE(glovectl(folder, L"unregister").find("status 0"), std::string::npos);
    const std::string refused = glovectl(folder, L"register");
    EXPECT_NE(refused.find("cannot be loaded, and OpenXR programs would stop there"), std::string::npos) << refused;
    EXPECT_NE(refused.find("status 1"), std::string::npos) << refused;
}

TEST_F(WindowsManifest, RegisterRefusesAPathThatTheLoaderCannotOpen) {
    const std::string refused = glovectl(install(L"J\u00fcrgen \u624b"), L"register");
    EXPECT_NE(refused.find("plain ASCII"), std::string::npos) << refused;
    EXPECT_NE(refused.find("status 1"), std::string::npos) << refused;
}

}  // namespace
}  // namespace glove::ctl
