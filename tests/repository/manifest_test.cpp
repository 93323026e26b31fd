// SPDX-License-Identifier: Apache-2.0
// The manifest in the build tree and in the install tree, by the rules of the loaders from 1.0.20 on.
// Does not cover: whether a loader finds and takes it (tests/openxr, tests/monado).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "folders.hpp"
#include "openxr/loader/extensions.hpp"
#include "openxr/loader/status_extension.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

#ifdef _WIN32
constexpr const char* kBuildTree = "bin";
constexpr const char* kInstallTree = "installed";
constexpr const char* kLibraryPath = ".\\XrApiLayer_glove_hands.dll";  // not a plain name: those are searched for
#else
constexpr const char* kBuildTree = "share/openxr/1/api_layers/implicit.d";
constexpr const char* kInstallTree = "installed/share/openxr/1/api_layers/implicit.d";
constexpr const char* kLibraryPath = "../../../../../lib/libXrApiLayer_glove_hands.so";
#endif

class Manifest : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        file_ = fs::path(GLOVE_BUILD_DIR) / GetParam() / "XrApiLayer_glove_hands.json";
        std::ifstream stream(file_);
        ASSERT_TRUE(stream) << file_;
        manifest_ = nlohmann::json::parse(stream);
        layer_ = manifest_.at("api_layer");
    }
    // Of a value that must be a string, since a number rejects the file.
    std::string text(const char* key) const { return layer_.at(key).get_ref<const std::string&>(); }

    fs::path file_;
    nlohmann::json manifest_;
    nlohmann::json layer_;
};

TEST_P(Manifest, SaysWhatTheLoaderInsistsOn) {
    EXPECT_EQ(manifest_.at("file_format_version"), nlohmann::json("1.0.0"));
    EXPECT_EQ(text("name"), "XR_APILAYER_NOVENDOR_glove_hands");
    EXPECT_EQ(text("api_version"), "1.0") << "a higher one is refused by older loaders";
    EXPECT_LT(text("description").size(), 256U);
    EXPECT_FALSE(text("description").empty());
}

TEST_P(Manifest, GivesItsVersionAsAStringThatHoldsAnInteger) {
    const std::string version = text("implementation_version");
    EXPECT_FALSE(version.empty());
    EXPECT_EQ(version.find_first_not_of("0123456789"), std::string::npos) << version;
}

TEST_P(Manifest, NamesTheVariableThatSwitchesTheLayerOff) {
    EXPECT_EQ(text("disable_environment"), "DISABLE_GLOVE_HANDS");
    EXPECT_FALSE(layer_.contains("enable_environment")) << "the layer would be off unless asked for";
}

TEST_P(Manifest, PointsAtTheLibraryByAPathFromItsOwnFolder) {
    // A full path would break when the tree is moved, a plain name is looked for in the system's folders.
    EXPECT_EQ(text("library_path"), kLibraryPath);
    EXPECT_TRUE(fs::is_regular_file(file_.parent_path() / fs::path(kLibraryPath)));
}

TEST_P(Manifest, ListsTheExtensionsThatTheLayerAnswers) {
    std::set<std::string> listed;
    for (const auto& extension : layer_.at("instance_extensions")) {
        const auto& name = extension.at("name").get_ref<const std::string&>();
        EXPECT_TRUE(listed.insert(name).second) << name << " is listed twice";
        const auto& version = extension.at("extension_version").get_ref<const std::string&>();
        if (name == XR_EXT_HAND_TRACKING_EXTENSION_NAME) {
            EXPECT_EQ(version, "4") << "the revision with the joints' order and radius as they are today";
        } else {
            EXPECT_EQ(version, "1");
        }
    }
    EXPECT_EQ(listed, std::set<std::string>(std::begin(kOwnExtensions), std::end(kOwnExtensions)));
}

INSTANTIATE_TEST_SUITE_P(BuildTree, Manifest, testing::Values(kBuildTree));
INSTANTIATE_TEST_SUITE_P(InstallTree, Manifest, testing::Values(kInstallTree));

}  // namespace
}  // namespace glove
