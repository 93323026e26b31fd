// SPDX-License-Identifier: Apache-2.0
// Four programs write the calibration file at once and are killed at any moment. Not covered: a power failure, after
// which the disk has the word; file systems of other machines.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <random>
#include <string>
#include <thread>

#include "support/calibration_file.hpp"

namespace glove {
namespace {

namespace fs = std::filesystem;

constexpr int kWriters = 4;
constexpr int kKeys = 16;  // of each writer, in turn: a write that is lost is missed before its key is written again
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int kWrites = 1'000;
#else
constexpr int kWrites = 10'000;
#endif

// What writers leave to the test and to those that come after them.
struct Shared {
    struct Writer {
        std::atomic<int> begun{0};         // number of the write that was begun last
        std::atomic<int> acknowledged{0};  // and of the last that was said to be saved
        std::atomic<int> lost{0};          // number of a write that was said to be saved and is not there
    };
    std::array<Writer, kWriters> writers;
    std::atomic<int> written{0};
};

std::string key_of(int writer, int number) {
    return std::to_string(writer) + '.' + std::to_string(number % kKeys);
}

// The first of a writer's newest writes that the file does not have; 0: it has them all.
int lost_by(int writer, const Shared::Writer& state, const CalibrationValues& found) {
    for (int number = state.acknowledged; number > 0 && number > state.acknowledged - kKeys; --number) {
        const std::vector<double>* const value = found.find_numbers(key_of(writer, number));
        // One that was begun and not acknowledged may be there as well.
        const bool begun_again = number % kKeys == state.begun % kKeys;
        if (value == nullptr || !(value->at(0) == number || (begun_again && value->at(0) == state.begun))) {
            return number;
        }
    }
    return 0;
}

[[noreturn]] void write_for_ever(int writer, Shared& shared, const fs::path& file) {
    Shared::Writer& state = shared.writers.at(static_cast<std::size_t>(writer));
    for (;;) {
        state.lost = lost_by(writer, state, load_calibration(file).values);
        if (state.lost != 0) {
            ::_exit(1);
        }
        const int number = state.acknowledged + 1;
        CalibrationValues one;
        one.numbers[key_of(writer, number)] = {double(number)};
        state.begun = number;
        if (save_calibration(one, file).empty()) {
            state.acknowledged = number;
            ++shared.written;
        }
    }
}

class CalibrationFileOfMany : public testing::Test {
protected:
    void SetUp() override {
        // In memory where that can be: what is tested is not the disk, which takes its time for each write.
        const fs::path memory = "/dev/shm";
        std::string name =
            ((::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path()) / "glove_XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        folder_ = name;
        void* const memory_of_all =
            ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        ASSERT_NE(memory_of_all, MAP_FAILED);
        shared_ = new (memory_of_all) Shared;
    }
    void TearDown() override {
        for (int writer = 0; writer < kWriters; ++writer) {
            end(writer);
        }
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    void start(int writer) {
        pid_t& process = processes_.at(static_cast<std::size_t>(writer));
        process = ::fork();
        ASSERT_GE(process, 0);
        if (process == 0) {
            write_for_ever(writer, *shared_, folder_ / "calibration.toml");
        }
    }
    void end(int writer) {
        pid_t& process = processes_.at(static_cast<std::size_t>(writer));
        if (process > 0) {
            ::kill(process, SIGKILL);
            ::waitpid(process, nullptr, 0);
            process = 0;
        }
    }
    [[nodiscard]] bool is_one_lost() const {
        return std::any_of(shared_->writers.begin(), shared_->writers.end(),
                           [](const Shared::Writer& writer) { return writer.lost != 0; });
    }

    fs::path folder_;
    Shared* shared_ = nullptr;
    std::array<pid_t, kWriters> processes_{};
};

TEST_F(CalibrationFileOfMany, LosesNoWriteThatWasAcknowledgedWhileWritersAreKilled) {
    for (int writer = 0; writer < kWriters; ++writer) {
        start(writer);
    }
    std::mt19937 random(1);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    int kills = 0;
    int before = 0;
    while (before < kWrites && !is_one_lost() && std::chrono::steady_clock::now() < give_up) {
        // Some writes, so that the file is always being written, and then at any moment of the next.
        while (shared_->written < before + 20 && !is_one_lost() && std::chrono::steady_clock::now() < give_up) {
            std::this_thread::sleep_for(std::chrono::microseconds(100 + random() % 500));
        }
        before = shared_->written;
        const auto writer = static_cast<int>(random() % kWriters);
        end(writer);
        ++kills;
        start(writer);
    }
    for (int writer = 0; writer < kWriters; ++writer) {
        end(writer);
    }
    // Each write goes down to the disk: in a minute a busy one takes fewer.
    EXPECT_GE(shared_->written, std::chrono::steady_clock::now() < give_up ? kWrites : kWrites / 10);
    EXPECT_GE(kills, shared_->written / 100);
    const CalibrationValues found = load_calibration(folder_ / "calibration.toml").values;
    for (int writer = 0; writer < kWriters; ++writer) {
        const Shared::Writer& state = shared_->writers.at(static_cast<std::size_t>(writer));
        EXPECT_EQ(state.lost, 0) << "writer " << writer << " had written " << state.acknowledged;
        EXPECT_EQ(lost_by(writer, state, found), 0) << "writer " << writer;
        EXPECT_GT(state.acknowledged, 0) << "writer " << writer;
    }
}

}  // namespace
}  // namespace glove
