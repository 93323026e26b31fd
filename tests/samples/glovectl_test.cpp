// SPDX-License-Identifier: Apache-2.0
// The real glovectl, in an installation of its own: its folders are scratch and its layer's library is an empty file,
// which the loader asks no more of as long as it only lists layers. What status says is held against the real loader.
// Not covered: Windows; writing to /usr/share; lists of folders compiled into other loaders.
#include <gtest/gtest.h>
#include <openxr/openxr.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "glovectl/registration.hpp"
#include "samples/run_program.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::Outcome;

constexpr const char* kManifest = "XrApiLayer_glove_hands.json";
constexpr const char* kLayers = "openxr/1/api_layers/implicit.d";

std::string content_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& content) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
}

class Glovectl : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directories(root_ / "bin");
        fs::copy_file(GLOVE_BUILD_DIR "/bin/glovectl", root_ / "bin/glovectl");
        write(built_, content_of(fs::path(GLOVE_BUILD_DIR "/share") / kLayers / kManifest));
        write(library_, "");
        // For glovectl, and for the loader in this process. A loader that is asked now reads them anew.
        for (const auto& [name, value] : std::map<std::string, fs::path>{
                 {"HOME", home_}, {"XDG_CONFIG_DIRS", root_ / "etc_xdg"}, {"XDG_DATA_DIRS", root_ / "usr_share"}}) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        for (const char* name : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XR_RUNTIME_JSON",
                                 "DISABLE_GLOVE_HANDS", "GLOVE_HANDS_CONFIG", "GLOVE_HANDS_LOG", "SUDO_USER"}) {
            unsetenv(name);
        }
    }

    [[nodiscard]] Outcome glovectl(const std::vector<std::string>& arguments) const {
        // run() starts at the build's bin folder.
        return test::run(fs::relative(root_ / "bin/glovectl", GLOVE_BUILD_DIR "/bin"), arguments);
    }

    [[nodiscard]] json status() const { return json::parse(glovectl({"status", "--json"}).out); }

    // Everything below the root, as a list of names.
    [[nodiscard]] std::vector<std::string> all_files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator(root_)) {
            if (!entry.is_directory()) {
                names.push_back(entry.path().string());
            }
        }
        std::sort(names.begin(), names.end());
        return names;
    }

    // What the loader lists, as often as it lists it.
    static int times_the_loader_lists_it() {
        std::uint32_t count = 0;
        EXPECT_EQ(xrEnumerateApiLayerProperties(0, &count, nullptr), XR_SUCCESS);
        XrApiLayerProperties empty{};
        empty.type = XR_TYPE_API_LAYER_PROPERTIES;
        std::vector<XrApiLayerProperties> layers(count, empty);
        EXPECT_EQ(xrEnumerateApiLayerProperties(count, &count, layers.data()), XR_SUCCESS);
        int times = 0;
        for (const XrApiLayerProperties& layer : layers) {
            times += std::string(layer.layerName) == "XR_APILAYER_NOVENDOR_glove_hands" ? 1 : 0;
        }
        return times;
    }

    // Status must come to the loader's own result.
    void expect_loader_and_status_find_it(int times) const {
        EXPECT_EQ(times_the_loader_lists_it(), times);
        const Outcome outcome = glovectl({"status"});
        EXPECT_EQ(outcome.status, times == 1 ? 0 : 1) << outcome.out;
        EXPECT_EQ(status()["layer"]["usable"], times == 1);
    }

    test::ScratchFolder folder_;
    fs::path root_ = fs::canonical(folder_.path());
    fs::path home_ = root_ / "home";
    fs::path built_ = root_ / "share" / kLayers / kManifest;
    fs::path library_ = root_ / "lib/libXrApiLayer_glove_hands.so";
    fs::path users_ = home_ / ".local/share" / kLayers / kManifest;
};

TEST_F(Glovectl, RegisterBringsTheLayerToTheLoaderAndUnregisterTakesItAway) {
    expect_loader_and_status_find_it(0);
    const Outcome done = glovectl({"register"});
    EXPECT_EQ(done.status, 0) << done.err;
    EXPECT_NE(done.out.find("registered: " + users_.string()), std::string::npos) << done.out;
    expect_loader_and_status_find_it(1);

    const Outcome undone = glovectl({"unregister"});
    EXPECT_EQ(undone.status, 0) << undone.err;
    EXPECT_NE(undone.out.find(users_.string()), std::string::npos) << undone.out;
    expect_loader_and_status_find_it(0);
}

TEST_F(Glovectl, RegisterChangesNothingInTheManifestButThePathOfTheLibrary) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    json wanted = json::parse(content_of(built_));
    wanted["api_layer"]["library_path"] = library_.string();
    EXPECT_EQ(json::parse(content_of(users_)), wanted);
}

TEST_F(Glovectl, RegisterWritesOneFileAndUnregisterRemovesJustIt) {
    const auto before = all_files();
    const fs::path neighbour = users_.parent_path() / "XrApiLayer_other.json";
    write(neighbour, "{}");
    ASSERT_EQ(glovectl({"register"}).status, 0);
    auto with = before;
    with.push_back(neighbour);
    with.push_back(users_);
    std::sort(with.begin(), with.end());
    EXPECT_EQ(all_files(), with);
    ASSERT_EQ(glovectl({"unregister"}).status, 0);
    EXPECT_FALSE(fs::exists(users_));
    EXPECT_EQ(content_of(neighbour), "{}");
}

TEST_F(Glovectl, RegisterTwiceIsAsGoodAsOnce) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    const std::string content = content_of(users_);
    const auto written = fs::last_write_time(users_);
    const Outcome again = glovectl({"register"});
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(again.out.rfind("already registered", 0), 0U) << again.out;
    EXPECT_EQ(content_of(users_), content);
    EXPECT_EQ(fs::last_write_time(users_), written);
    ASSERT_EQ(glovectl({"unregister"}).status, 0);
    EXPECT_EQ(glovectl({"unregister"}).status, 0);
}

TEST_F(Glovectl, RegisterReplacesTheEntryOfAnotherBuild) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    json other = json::parse(content_of(users_));
    other["api_layer"]["library_path"] = "/opt/old/lib/libXrApiLayer_glove_hands.so";
    write(users_, other.dump());
    expect_loader_and_status_find_it(0);
    const Outcome outcome = glovectl({"register"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out.rfind("registered anew", 0), 0U) << outcome.out;
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, RegisterReplacesABrokenEntry) {
    write(users_, "{ half a fi");
    EXPECT_FALSE(status()["layer"]["manifests"][0]["problem"].get<std::string>().empty());
    EXPECT_EQ(glovectl({"register"}).status, 0);
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, RegisterFollowsXdgDataHome) {
    setenv("XDG_DATA_HOME", (root_ / "data").c_str(), 1);
    ASSERT_EQ(glovectl({"register"}).status, 0);
    EXPECT_TRUE(fs::exists(root_ / "data" / kLayers / kManifest));
    EXPECT_FALSE(fs::exists(users_));
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, RegisteredManifestCanBeReadByEveryone) {
    const mode_t before = umask(077);
    const Outcome outcome = glovectl({"register"});
    umask(before);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(fs::status(users_).permissions(), fs::perms(0644));
}

TEST_F(Glovectl, RegisterRefusesWithoutTheLibrary) {
    fs::remove(library_);
    const Outcome outcome = glovectl({"register"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(library_.string()), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(users_));
}

TEST_F(Glovectl, RegisterRefusesWithoutItsOwnManifest) {
    fs::remove(built_);
    const Outcome outcome = glovectl({"register"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(built_.string()), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(users_));
}

TEST_F(Glovectl, RegisterSaysWhyItCannotWrite) {
    write(home_ / ".local/share/openxr", "a file where a folder should be");
    const Outcome outcome = glovectl({"register"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(".local/share/openxr"), std::string::npos) << outcome.err;
}

TEST_F(Glovectl, RegisterRefusesWhereTheLayerIsFoundAlready) {
    fs::create_directories(root_ / "usr_share" / kLayers);
    json installed = json::parse(content_of(built_));
    installed["api_layer"]["library_path"] = library_.string();
    const fs::path other = root_ / "usr_share" / kLayers / "named_otherwise.json";
    write(other, installed.dump());
    const Outcome outcome = glovectl({"register"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(other.string()), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(users_));
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, RegisterForTheSystemRefusesWhileTheUserHasIt) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    const Outcome outcome = glovectl({"register", "--system"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find(users_.string()), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("first run: glovectl unregister"), std::string::npos) << outcome.err;
}

TEST_F(Glovectl, SystemPlaceIsTakenAsTheUsersOneIs) {
    using namespace ctl;
    EXPECT_EQ(places().system, fs::path("/usr/share") / kLayers);
    EXPECT_EQ(places().user, users_.parent_path());
    const Places elsewhere{users_.parent_path(), root_ / "usr_share" / kLayers, {}};
    const fs::path systems = elsewhere.system / kManifest;

    EXPECT_TRUE(register_layer(built_, Scope::system, elsewhere).done);
    EXPECT_TRUE(fs::exists(systems));
    expect_loader_and_status_find_it(1);
    const Registration refused = register_layer(built_, Scope::user, elsewhere);
    EXPECT_FALSE(refused.done);
    EXPECT_NE(refused.message.find("glovectl unregister --system"), std::string::npos) << refused.message;
    EXPECT_FALSE(fs::exists(users_));

    setenv("XDG_DATA_DIRS", "/nowhere", 1);  // hidden here, but other programs find it
    EXPECT_FALSE(register_layer(built_, Scope::user, elsewhere).done);

    EXPECT_TRUE(unregister_layer(built_, Scope::user, elsewhere).done);
    EXPECT_TRUE(fs::exists(systems));
    EXPECT_TRUE(unregister_layer(built_, Scope::system, elsewhere).done);
    EXPECT_FALSE(fs::exists(systems));
}

TEST_F(Glovectl, RegisterForTheSystemSeesWhatTheCallerOfSudoHasRegistered) {
    using namespace ctl;
    ASSERT_EQ(glovectl({"register"}).status, 0);
    setenv("HOME", (root_ / "administrator").c_str(), 1);
    const Places with_sudo{root_ / "administrator", root_ / "usr_share" / kLayers, users_.parent_path()};
    const Registration refused = register_layer(built_, Scope::system, with_sudo);
    EXPECT_FALSE(refused.done);
    EXPECT_NE(refused.message.find(users_.string()), std::string::npos) << refused.message;
    EXPECT_NE(refused.message.find("without sudo: glovectl unregister"), std::string::npos) << refused.message;
    EXPECT_FALSE(fs::exists(with_sudo.system / kManifest));

    fs::remove(users_);
    EXPECT_TRUE(register_layer(built_, Scope::system, with_sudo).done);
}

TEST_F(Glovectl, TheCallerOfSudoIsWhoSudoSays) {
    const passwd* me = getpwuid(getuid());
    ASSERT_NE(me, nullptr);
    EXPECT_EQ(ctl::places().callers, fs::path());
    setenv("SUDO_USER", me->pw_name, 1);
    EXPECT_EQ(ctl::places().callers, fs::path(me->pw_dir) / ".local/share" / kLayers);
    setenv("SUDO_USER", "no such user", 1);
    EXPECT_EQ(ctl::places().callers, fs::path());
}

TEST_F(Glovectl, LeavesTheManifestOfItsOwnInstallationAlone) {
    using namespace ctl;
    const Places installed{users_.parent_path(), built_.parent_path(), {}};
    const std::string content = content_of(built_);
    EXPECT_TRUE(register_layer(built_, Scope::system, installed).done);
    EXPECT_EQ(content_of(built_), content);
    EXPECT_FALSE(unregister_layer(built_, Scope::system, installed).done);
    EXPECT_EQ(content_of(built_), content);
}

TEST_F(Glovectl, UnregisterLeavesAFileOfAnotherLayerAlone) {
    json other = json::parse(content_of(built_));
    other["api_layer"]["name"] = "XR_APILAYER_OTHER_gloves";
    write(users_, other.dump());
    EXPECT_EQ(glovectl({"unregister"}).status, 1);
    EXPECT_TRUE(fs::exists(users_));
}

TEST_F(Glovectl, StatusSeesALayerThatIsFoundTwice) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    setenv("XDG_DATA_DIRS", (root_ / "share").c_str(), 1);
    expect_loader_and_status_find_it(2);
    EXPECT_EQ(status()["layer"]["manifests"].size(), 2U);
}

TEST_F(Glovectl, StatusSeesAFolderThatIsListedTwice) {
    const std::string share = root_ / "share";
    setenv("XDG_DATA_DIRS", (share + ':' + share).c_str(), 1);
    expect_loader_and_status_find_it(2);
}

TEST_F(Glovectl, StatusSearchesWhereTheLoaderDoes) {
    const fs::path below_home = home_ / ".local/share";
    const std::vector<std::pair<const char*, fs::path>> places = {{"XDG_CONFIG_DIRS", root_ / "a/etc"},
                                                                  {"XDG_DATA_DIRS", root_ / "b/share"},
                                                                  {"XDG_DATA_HOME", root_ / "c/share"},
                                                                  {"XDG_CONFIG_HOME", root_ / "d/config"}};
    for (const auto& [variable, folder] : places) {
        SCOPED_TRACE(variable);
        write(folder / kLayers / kManifest, content_of(built_));
        json manifest = json::parse(content_of(built_));
        manifest["api_layer"]["library_path"] = library_.string();
        write(folder / kLayers / kManifest, manifest.dump());
        setenv(variable, folder.c_str(), 1);
        expect_loader_and_status_find_it(std::string(variable) == "XDG_CONFIG_HOME" ? 0 : 1);
        unsetenv(variable);
    }
    setenv("XDG_DATA_HOME", (root_ / "empty").c_str(), 1);  // then the home folder is not searched
    ASSERT_EQ(fs::exists(users_), false);
    write(users_, content_of(places[0].second / kLayers / kManifest));
    expect_loader_and_status_find_it(0);
    unsetenv("XDG_DATA_HOME");
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, StatusKnowsWhatTheLoaderSkips) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    const json good = json::parse(content_of(users_));
    const std::vector<std::pair<const char*, json>> changes = {{"/file_format_version", "1.0"},
                                                               {"/file_format_version", 1},
                                                               {"/api_layer/implementation_version", 1},
                                                               {"/api_layer/api_version", "2.0"},
                                                               {"/api_layer/api_version", 1.0},
                                                               {"/api_layer/disable_environment", nullptr},
                                                               {"/api_layer/enable_environment", "NO_SUCH_VARIABLE_1"},
                                                               {"/api_layer/library_path", nullptr},
                                                               {"/api_layer/library_path", "./nowhere.so"},
                                                               {"/api_layer", json::object()}};
    for (const auto& [pointer, value] : changes) {
        SCOPED_TRACE(pointer + value.dump());
        json changed = good;
        changed[json::json_pointer(pointer)] = value;
        write(users_, changed.dump());
        expect_loader_and_status_find_it(0);
        EXPECT_FALSE(status()["layer"]["manifests"][0]["problem"].get<std::string>().empty());
    }
    write(users_, good.dump());
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, StatusSeesThatTheEnvironmentSwitchesTheLayerOff) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    for (const char* value : {"1", "0", ""}) {
        setenv("DISABLE_GLOVE_HANDS", value, 1);
        expect_loader_and_status_find_it(0);
        EXPECT_EQ(status()["layer"]["disabled"], true);
    }
}

TEST_F(Glovectl, StatusSeesThatTheLibraryIsGone) {
    ASSERT_EQ(glovectl({"register"}).status, 0);
    fs::remove(library_);
    expect_loader_and_status_find_it(0);
    EXPECT_NE(glovectl({"status"}).out.find("skipped: its library does not exist"), std::string::npos);
}

TEST_F(Glovectl, StatusNamesTheActiveRuntime) {
    const std::string runtime = R"({"file_format_version": "1.0.0", "runtime": {"library_path": "./libruntime.so"}})";
    const fs::path systems = root_ / "etc_xdg/openxr/1/active_runtime.json";
    const fs::path users = home_ / ".config/openxr/1/active_runtime.json";
    const fs::path named = root_ / "named.json";
    write(systems, runtime);
    EXPECT_EQ(status()["runtime"]["manifest"], systems.string());
    write(users, runtime);
    EXPECT_EQ(status()["runtime"]["manifest"], users.string());
    EXPECT_EQ(status()["runtime"]["problem"], "");
    setenv("XR_RUNTIME_JSON", named.c_str(), 1);
    EXPECT_EQ(status()["runtime"]["manifest"], named.string());
    EXPECT_NE(status()["runtime"]["problem"], "");
    write(named, "{}");
    EXPECT_NE(status()["runtime"]["problem"], "");
    write(named, runtime);
    EXPECT_EQ(status()["runtime"]["problem"], "");
}

TEST_F(Glovectl, StatusNamesConfigurationComplaintsAndLog) {
    const fs::path config = home_ / ".config/glove_hands/glove_hands.toml";
    const fs::path log = home_ / ".local/state/glove_hands/glove_hands.log";
    EXPECT_EQ(status()["configuration"], (json{{"file", config}, {"exists", false}, {"complaints", json::array()}}));
    EXPECT_EQ(status()["log"], (json{{"file", log}, {"exists", false}, {"problem", ""}}));

    write(config, "[receiver]\nprot = 6000\n");
    write(log, "");
    const json complaints = status()["configuration"]["complaints"];
    ASSERT_EQ(complaints.size(), 1U);
    EXPECT_EQ(complaints[0].get<std::string>().rfind(config.string() + ":2: ", 0), 0U) << complaints;
    EXPECT_EQ(status()["log"]["exists"], true);
    EXPECT_NE(glovectl({"status"}).out.find(config.string() + ":2: "), std::string::npos);
}

TEST_F(Glovectl, StatusSaysWhyTheLogCannotBeWritten) {
    write(home_ / "file", "");
    fs::create_directories(home_ / "folder");
    ASSERT_EQ(mkfifo((home_ / "fifo").c_str(), 0600), 0);
    const std::vector<std::pair<fs::path, std::string>> places{
        {home_ / "folder/new/glove_hands.log", ""},
        {home_ / "file", ""},
        {"/dev/stderr", ""},
        {home_ / "folder", "Is a directory"},
        {home_ / "fifo", "nobody reads from there"},
        {home_ / "file/glove_hands.log", "no file can be made in " + (home_ / "file").string()},
        {home_ / std::string(5000, 'x'), "the name is too long"},
    };
    for (const auto& [place, problem] : places) {
        setenv("GLOVE_HANDS_LOG", place.c_str(), 1);
        EXPECT_EQ(status()["log"]["problem"], problem) << place;
        EXPECT_EQ(glovectl({"status"}).out.find("cannot be written: " + problem) != std::string::npos, !problem.empty())
            << place;
    }
    EXPECT_FALSE(fs::exists(home_ / "folder/new"));
}

TEST_F(Glovectl, StatusGivesJsonEvenForNamesThatAreNoText) {
    const fs::path odd = root_ / "caf\xe9";
    setenv("XDG_DATA_DIRS", odd.c_str(), 1);
    json manifest = json::parse(content_of(built_));
    manifest["api_layer"]["library_path"] = library_.string();
    write(odd / kLayers / kManifest, manifest.dump());
    EXPECT_EQ(status()["layer"]["manifests"].size(), 1U);
}

TEST_F(Glovectl, WrongArgumentsAreToldApart) {
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{}, {"registre"}, {"register", "--sistem"}, {"status", "--system"}}) {
        EXPECT_EQ(glovectl(arguments).status, 2);
    }
    const Outcome help = glovectl({"--help"});
    EXPECT_EQ(help.status, 0);
    EXPECT_NE(help.out.find("2 wrong arguments"), std::string::npos) << help.out;
    EXPECT_EQ(glovectl({"status", "--help"}).status, 0);
    EXPECT_FALSE(fs::exists(home_));
}

}  // namespace
}  // namespace glove
