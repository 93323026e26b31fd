// SPDX-License-Identifier: Apache-2.0
// The real glovectl, in an installation of its own: its folders are scratch and its layer's library does no more than
// negotiate. What status says is held against the real loader.
// Not covered: Windows; writing to /usr/share; lists of folders compiled into other loaders; groups and access lists.
#include <grp.h>
#include <gtest/gtest.h>
#include <openxr/openxr.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "folders.hpp"
#include "glovectl/library_trial.hpp"
#include "glovectl/own_files.hpp"
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
        fs::permissions(root_, fs::perms(0755));  // for other users too
        fs::create_directories(root_ / "bin");
        fs::copy_file(GLOVE_BUILD_DIR "/bin/glovectl", root_ / "bin/glovectl");
        write(built_, content_of(fs::path(GLOVE_BUILD_DIR "/share") / kLayers / kManifest));
        fs::create_directories(library_.parent_path());
        fs::copy_file(GLOVE_SMALL_LAYER_LIBRARY, library_);
        // For glovectl, and for the loader in this process. A loader that is asked now reads them anew.
        for (const auto& [name, value] : std::map<std::string, fs::path>{
                 {"HOME", home_}, {"XDG_CONFIG_DIRS", root_ / "etc_xdg"}, {"XDG_DATA_DIRS", root_ / "usr_share"}}) {
            setenv(name.c_str(), value.c_str(), 1);
        }
        for (const char* name :
             {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XR_RUNTIME_JSON", "DISABLE_GLOVE_HANDS",
              "GLOVE_HANDS_CONFIG", "GLOVE_HANDS_LOG", "GLOVE_SMALL_LAYER", "SUDO_USER"}) {
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

    // A program that asks for nothing.
    static XrResult create_instance() {
        setenv("XR_RUNTIME_JSON", GLOVE_BUILD_DIR "/share/glove_hands/test_runtime.json", 1);
        XrInstanceCreateInfo info{};
        info.type = XR_TYPE_INSTANCE_CREATE_INFO;
        info.applicationInfo.apiVersion = XR_MAKE_VERSION(1, 0, 0);
        std::string("program").copy(info.applicationInfo.applicationName, XR_MAX_APPLICATION_NAME_SIZE - 1);
        XrInstance instance = XR_NULL_HANDLE;
        const XrResult result = xrCreateInstance(&info, &instance);
        if (XR_SUCCEEDED(result)) {
            EXPECT_EQ(xrDestroyInstance(instance), XR_SUCCESS);
        }
        return result;
    }

    void write_for_all(const fs::path& library) const {
        json manifest = json::parse(content_of(built_));
        manifest["api_layer"]["library_path"] = library.string();
        write(everyones_, manifest.dump());
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
    fs::path everyones_ = root_ / "usr_share" / kLayers / kManifest;
    ctl::Places places_{users_.parent_path(), everyones_.parent_path(), {}};
};

// Another user, for as long as it lives; the programs it starts are that user's altogether.
class AsNobody {
public:
    AsNobody() {
        constexpr uid_t kNobody = 65534;
        if (setgroups(0, nullptr) != 0 || setresgid(kNobody, kNobody, 0) != 0 || setresuid(kNobody, kNobody, 0) != 0) {
            throw std::runtime_error("cannot become another user");
        }
    }
    ~AsNobody() { EXPECT_TRUE(setresuid(0, 0, 0) == 0 && setresgid(0, 0, 0) == 0); }
    AsNobody(const AsNobody&) = delete;
    AsNobody& operator=(const AsNobody&) = delete;
};

class GlovectlOfSeveralUsers : public Glovectl {
protected:
    void SetUp() override {
        if (geteuid() != 0) {
            GTEST_SKIP() << "becoming another user takes root";
        }
        Glovectl::SetUp();
        fs::create_directories(home_);
    }
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
    EXPECT_EQ(status()["layer"]["manifests"][0]["problem"], "it is not JSON, from byte 3 on");
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

TEST_F(Glovectl, RegisterForAllRefusesWhereOthersCannotGo) {
    const fs::path lib = library_.parent_path();
    const fs::path deep = root_ / "deep";
    const auto refused = [&](const fs::path& closed, fs::perms perms, const char* remedy) {
        const fs::perms before = fs::status(closed).permissions();
        fs::permissions(closed, perms);
        const ctl::Registration result = register_layer(built_, ctl::Scope::system, places_);
        EXPECT_FALSE(result.done);
        EXPECT_NE(result.message.find("other users have no access to " + closed.string() + ","), std::string::npos)
            << result.message;
        EXPECT_NE(result.message.find(std::string("chmod ") + remedy + ' ' + closed.string()), std::string::npos)
            << result.message;
        EXPECT_FALSE(fs::exists(everyones_));
        EXPECT_TRUE(register_layer(built_, ctl::Scope::user, places_).done);  // nobody else's
        EXPECT_TRUE(unregister_layer(built_, ctl::Scope::user, places_).done);
        fs::permissions(closed, before);
    };
    refused(lib, fs::perms(0750), "o+x");
    refused(library_, fs::perms(0750), "o+r");
    fs::create_directories(everyones_.parent_path());
    refused(root_ / "usr_share/openxr/1", fs::perms(0700), "o+x");
    refused(everyones_.parent_path(), fs::perms(0711), "o+rx");
    // The way as it is written is open, the real one is not.
    fs::create_directories(deep);
    fs::rename(lib, deep / "lib");
    fs::create_directory_symlink(deep / "lib", lib);
    refused(deep, fs::perms(0700), "o+x");

    EXPECT_TRUE(register_layer(built_, ctl::Scope::system, places_).done);
    expect_loader_and_status_find_it(1);
}

TEST_F(GlovectlOfSeveralUsers, WhatIsRegisteredForAllIsFoundByAllWhateverTheUmask) {
    const mode_t before = umask(077);
    const ctl::Registration done = register_layer(built_, ctl::Scope::system, places_);
    umask(before);
    EXPECT_TRUE(done.done) << done.message;
    const AsNobody another;
    expect_loader_and_status_find_it(1);
}

TEST_F(GlovectlOfSeveralUsers, StatusTellsAClosedWayToTheLibraryFromOneThatIsNotThere) {
    write_for_all(library_);
    fs::permissions(library_.parent_path(), fs::perms(0700));
    const std::string closed = library_.parent_path().string();
    const std::string others = glovectl({"status"}).out;
    EXPECT_NE(
        others.find("permission denied to others: " + closed + ": this stops every OpenXR program of other users"),
        std::string::npos)
        << others;
    EXPECT_EQ(glovectl({"status"}).status, 1);
    {
        const AsNobody another;
        std::uint32_t count = 0;
        EXPECT_EQ(xrEnumerateApiLayerProperties(0, &count, nullptr), XR_ERROR_RUNTIME_FAILURE);
        EXPECT_EQ(status()["layer"]["manifests"][0]["fault"],
                  "permission denied: " + closed + ": this stops every OpenXR program of yours");
        EXPECT_EQ(status()["layer"]["usable"], false);
    }
    fs::remove(library_);
    const json gone = status()["layer"]["manifests"][0];
    EXPECT_EQ(gone.at("fault"), "");
    EXPECT_EQ(gone.at("problem"), "its library does not exist: " + library_.string());
    EXPECT_EQ(times_the_loader_lists_it(), 0);  // and programs run on
}

TEST_F(GlovectlOfSeveralUsers, StatusNamesAFolderOfManifestsThatTheLoaderStopsAt) {
    write_for_all(library_);
    for (const fs::path& closed : {everyones_.parent_path(), root_ / "usr_share"}) {
        fs::permissions(closed, fs::perms(0700));
        {
            const AsNobody another;
            std::uint32_t count = 0;
            EXPECT_EQ(xrEnumerateApiLayerProperties(0, &count, nullptr), XR_ERROR_RUNTIME_FAILURE);
            EXPECT_EQ(status()["layer"]["closed_folder"], closed.string());
            EXPECT_NE(
                glovectl({"status"}).out.find("permission denied: the loader cannot look into " + closed.string()),
                std::string::npos);
        }
        fs::permissions(closed, fs::perms(0755));
    }
    const AsNobody another;
    expect_loader_and_status_find_it(1);
}

TEST_F(Glovectl, ALibraryThatCannotBeLoadedIsSeenByStatusAndRefusedByRegister) {
    const std::string good = content_of(library_);
    std::string of_other_processor = good;
    of_other_processor[18] = static_cast<char>(0xF3);  // RISC-V
    std::string of_other_size = good;
    of_other_size[4] = 1;  // 32 bits
    struct Case {
        std::string content;
        const char* faults;
        const char* words;
    };
    const std::vector<Case> cases = {
        {"", "", "file too short"},
        {std::string(4096, 'x'), "", "invalid ELF header"},
        {of_other_processor, "", "(it is for another kind of processor)"},
        {of_other_size, "", "(it is for another kind of processor)"},
        {good.substr(0, 200), "", "a program that loads it dies: |file too short|cannot read"},
        {content_of(GLOVE_TEST_RUNTIME_LIBRARY), "", "so it is no API layer"},
        {good, "dies", "a program that loads it dies: signal 9"},
        {good, "refuses", "it refuses to negotiate: XrResult -6"},
        {good, "gives nothing", "it negotiates and gives no entry points"}};
    const auto says_one_of = [](const std::string& text, std::string words) {
        for (std::size_t end = 0; end != std::string::npos; words.erase(0, end + 1)) {
            end = words.find('|');
            if (text.find(words.substr(0, end)) != std::string::npos) {
                return true;
            }
        }
        return false;
    };
    for (const Case& each : cases) {
        SCOPED_TRACE(each.words);
        write(library_, each.content);
        setenv("GLOVE_SMALL_LAYER", each.faults, 1);
        write_for_all(library_);
        const Outcome seen = glovectl({"status"});
        EXPECT_EQ(seen.status, 1);
        EXPECT_TRUE(says_one_of(seen.out, each.words)) << seen.out;
        const json layer = status()["layer"];
        EXPECT_EQ(layer.at("usable"), false);
        EXPECT_TRUE(says_one_of(layer.at("manifests").at(0).at("fault").get<std::string>(), each.words)) << layer;

        fs::remove(everyones_);
        const Outcome refused = glovectl({"register"});
        EXPECT_EQ(refused.status, 1);
        EXPECT_TRUE(says_one_of(refused.err, each.words)) << refused.err;
        EXPECT_FALSE(fs::exists(users_));
    }
    write_for_all(library_);
    setenv("GLOVE_SMALL_LAYER", "refuses", 1);
    EXPECT_EQ(create_instance(), XR_ERROR_INITIALIZATION_FAILED);
    write(library_, "text");
    EXPECT_EQ(create_instance(), XR_ERROR_FILE_ACCESS_ERROR);
    fs::remove(library_);
    EXPECT_EQ(create_instance(), XR_SUCCESS);
}

TEST_F(Glovectl, ALibraryThatHangsIsGivenUp) {
    setenv("GLOVE_SMALL_LAYER", "hangs", 1);
    EXPECT_EQ(ctl::try_library(library_, std::chrono::milliseconds(50)),
              "a program that loads it hangs: nothing for 50 ms");
}

TEST_F(Glovectl, TheLayerItselfCanBeLoaded) {
    EXPECT_EQ(ctl::try_library(GLOVE_LAYER_LIBRARY), "");
}

TEST_F(GlovectlOfSeveralUsers, StatusSeesAFileSystemThatNothingIsRunFrom) {
    write_for_all(library_);
    const std::string library = content_of(library_);
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("none", library_.parent_path().c_str(), "tmpfs", MS_NOEXEC, nullptr) != 0) {
        GTEST_SKIP() << "the system lets us mount nothing";
    }
    write(library_, library);
    const Outcome seen = glovectl({"status"});
    EXPECT_EQ(seen.status, 1);
    EXPECT_NE(seen.out.find("failed to map segment"), std::string::npos) << seen.out;
    EXPECT_EQ(umount(library_.parent_path().c_str()), 0);
}

TEST_F(Glovectl, RegisterSaysWhereContainersDoNotSeeTheLibrary) {
    const std::string outside = glovectl({"register"}).out;
    EXPECT_NE(outside.find("note: programs in Steam's container"), std::string::npos) << outside;
    EXPECT_NE(outside.find("only where it is shared with them"), std::string::npos) << outside;
    EXPECT_EQ(glovectl({"register"}).out.find("registered anew"), std::string::npos);
    ASSERT_EQ(glovectl({"unregister"}).status, 0);

    const std::string for_all = register_layer(built_, ctl::Scope::system, places_).message;
    EXPECT_NE(for_all.find("their /usr is another one"), std::string::npos) << for_all;
    ASSERT_TRUE(unregister_layer(built_, ctl::Scope::system, places_).done);

    setenv("HOME", root_.c_str(), 1);
    const Outcome inside = glovectl({"register"});
    EXPECT_EQ(inside.status, 0);
    EXPECT_EQ(inside.out.find("note:"), std::string::npos) << inside.out;
}

TEST_F(Glovectl, RegisterNamesAPathThatNoManifestCanName) {
    const fs::path odd = root_ / "caf\xe9";
    fs::create_directories(odd);
    for (const char* folder : {"bin", "lib", "share"}) {
        fs::rename(root_ / folder, odd / folder);
    }
    const Outcome outcome = test::run(fs::relative(odd / "bin/glovectl", GLOVE_BUILD_DIR "/bin"), {"register"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find((root_ / "caf\\xe9/lib").string()), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("a folder with a plain name"), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.err.find("json"), std::string::npos) << outcome.err;
    EXPECT_FALSE(fs::exists(users_));
}

TEST_F(Glovectl, PathsAreShownAsTextWhateverTheyAre) {
    const std::vector<std::pair<std::string, std::string>> paths = {
        {"/plain", "/plain"},
        {"/J\xc3\xbcrgen \xe6\x89\x8b \xf0\x9f\x96\x90", "/J\xc3\xbcrgen \xe6\x89\x8b \xf0\x9f\x96\x90"},
        {"/caf\xe9", "/caf\\xe9"},
        {"/\xc3", "/\\xc3"},
        {"/\xe6\x89!", "/\\xe6\\x89!"},
        {"/\xc0\xaf", "/\\xc0\\xaf"},
        {"/\xe0\x80\xaf", "/\\xe0\\x80\\xaf"},
        {"/\xed\xa0\x80", "/\\xed\\xa0\\x80"},
        {"/\xf4\x90\x80\x80", "/\\xf4\\x90\\x80\\x80"}};
    for (const auto& [path, text] : paths) {
        EXPECT_EQ(ctl::text_of(path), text);
        EXPECT_EQ(ctl::is_utf8(path), path == text) << text;
        EXPECT_NO_THROW(static_cast<void>(json(ctl::text_of(path)).dump()));
    }
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
    const json manifests = status()["layer"]["manifests"];
    ASSERT_EQ(manifests.size(), 1U);
    EXPECT_EQ(manifests.at(0).at("file"), (root_ / "caf\\xe9" / kLayers / kManifest).string());
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
