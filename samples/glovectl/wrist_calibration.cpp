// SPDX-License-Identifier: Apache-2.0
#include "glovectl/wrist_calibration.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>
#include <thread>

#include "glovectl/own_files.hpp"
#include "glovectl/terminal.hpp"
#include "support/wrist_request.hpp"

namespace glove::ctl {
namespace {

using Clock = std::chrono::steady_clock;

// What the layer gives a person for it.
constexpr int kSecondsToAlign = 3;
constexpr int kSecondsToHold = 2;
constexpr int kSecondsToTurn = 3;

struct Failure {
    std::string why;
};

std::string seconds(int count) {
    return std::to_string(count) + (count == 1 ? " second" : " seconds");
}

class Conversation {
public:
    Conversation(const WristCalibrateOptions& options, const std::filesystem::path& file, const WristPatience& patience)
        : options_(options), file_(file), patience_(patience) {
        request_ = {new_request_number(), options.hand == Hand::left, options.by_native_hand};
    }

    // What the layer found. Throws Failure.
    std::string run() {
        std::printf("Put the headset on, in a program that shows your hands, and keep the %s hand in view\n",
                    name_of(options_.hand));
        std::fflush(stdout);
        if (const std::string why = write(as_text(request_)); !why.empty()) {
            throw Failure{why};
        }
        try {
            wait_to_be_taken();
            return wait_for_the_end();
        } catch (const Failure&) {
            // Else a program that comes to it within a minute would freeze the hand, or one that froze it would go on.
            static_cast<void>(write(""));
            throw;
        }
    }

private:
    // Why it could not be written; empty when it was.
    [[nodiscard]] std::string write(const std::string& request) const {
        CalibrationValues changes;
        changes.texts[kWristRequestKey] = request;
        return save_calibration(changes, file_);
    }

    // Reads the file only after it changed: on Windows it cannot be replaced while it is read.
    void look() {
        std::error_code failure;
        const auto written = std::filesystem::last_write_time(file_, failure);
        if (failure || written == written_) {
            return;
        }
        written_ = written;
        const auto answer = wrist_answer_in(load_calibration(file_).values);
        if (answer && answer->number == request_.number) {
            answer_ = *answer;
        }
    }

    void let_time_pass() {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (interrupted()) {
            throw Failure{"stopped"};
        }
        look();
        if (answer_.stage == "failed") {
            throw Failure{answer_.words};
        }
    }

    void wait_to_be_taken() {
        const auto start = Clock::now();
        for (look(); answer_.stage.empty(); let_time_pass()) {
            if (Clock::now() - start >= patience_.to_be_taken) {
                throw Failure{
                    "no program took it up. One that loads the layer has to run in front, with the headset on and the "
                    "gloves sending, so that it shows this hand; \"glovectl status\" says whether programs load the "
                    "layer"};
            }
        }
    }

    std::string wait_for_the_end() {
        std::printf("%s\n",
                    options_.by_native_hand
                        ? "Turn and move the hand, glove and all, where the headset's cameras see it"
                        : "The hand is frozen: bring your own hand into it, fingers and all, and hold it still");
        ring();
        const auto start = Clock::now();
        auto counted_from = start;
        bool holding = false;
        while (answer_.stage != "done") {
            const auto now = Clock::now();
            if (now - start >= patience_.to_be_answered) {
                throw Failure{"the program that took it up said nothing more; it may have ended"};
            }
            if (answer_.stage == "waits") {
                counted_from = now;
                holding = false;
                say(answer_.words);
                let_time_pass();
                continue;
            }
            const int passed =
                static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(now - counted_from).count());
            if (!options_.by_native_hand && passed >= kSecondsToAlign && !holding) {
                holding = true;
                ring();  // somebody may not see the screen
            }
            say(line_after(passed));
            let_time_pass();
        }
        screen_.show("");
        screen_.keep();
        ring();
        return answer_.words;
    }

    [[nodiscard]] std::string line_after(int passed) const {
        if (options_.by_native_hand) {
            return passed < kSecondsToTurn ? "turn and move, " + seconds(kSecondsToTurn - passed)
                                           : std::string("turn and move; not seen well enough yet");
        }
        if (passed < kSecondsToAlign) {
            return "into the frozen hand, " + seconds(kSecondsToAlign - passed);
        }
        const int held = passed - kSecondsToAlign;
        return held < kSecondsToHold ? "hold still, " + seconds(kSecondsToHold - held)
                                     : std::string("hold still; not still for long enough yet");
    }

    void say(const std::string& line) {
        if (line != said_) {
            said_ = line;
            screen_.show("  " + line + '\n');
        }
    }

    void ring() const {
        if (screen_.is_terminal()) {
            std::fputc('\a', stdout);
        }
        std::fflush(stdout);
    }

    WristCalibrateOptions options_;
    std::filesystem::path file_;
    WristPatience patience_;
    WristRequest request_{};
    WristAnswer answer_{};
    std::filesystem::file_time_type written_{};
    Screen screen_;
    std::string said_;
};

}  // namespace

bool calibrate_wrist(const WristCalibrateOptions& options, const std::filesystem::path& file,
                     const WristPatience& patience) {
    catch_interruption();
    std::string found;
    try {
        found = Conversation(options, file, patience).run();
    } catch (const Failure& failure) {
        std::fflush(stdout);
        std::fprintf(stderr, "Nothing is kept: %s\n", failure.why.c_str());
        return false;
    }
    std::printf("%s wrist measured on %s\n", name_of(options.hand), found.c_str());
    std::printf("Kept in %s, and used from now on\n", text_of(file).c_str());
    return true;
}

}  // namespace glove::ctl
