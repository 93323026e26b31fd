// SPDX-License-Identifier: Apache-2.0
#include "controller_session.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "fsnh_encoding.hpp"
#include "hand/near.hpp"
#include "recordings.hpp"
#include "same_bits.hpp"

namespace glove::test {
namespace {

// An analogue input that goes from one value to another and stays there a while.
class Pulled {
public:
    Pulled(Random& random, const SessionSettings& settings) : random_(random), settings_(settings) { choose(0); }

    double at(double seconds) {
        if (seconds > end_s_) {
            choose(seconds);
        }
        return from_ + (to_ - from_) * least_jerk((seconds - begin_s_) / length_s_);
    }

private:
    void choose(double seconds) {
        from_ = to_;
        // Mostly all the way, sometimes only a part.
        to_ = from_ > 0.1 ? 0 : (random_.below(4) == 0 ? random_.between(0.3, 0.8) : 1);
        begin_s_ = seconds + settings_.pause_s * random_.between(0.3, 1.7);
        length_s_ = settings_.pull_s * random_.between(0.5, 1.5);
        end_s_ = begin_s_ + length_s_;
    }

    Random& random_;
    const SessionSettings& settings_;
    double from_ = 0;
    double to_ = 0;
    double begin_s_ = 0;
    double end_s_ = 0;
    double length_s_ = 1;
};

// What the thumb rests on: nothing, or one thing after the other.
class Thumb {
public:
    Thumb(Random& random, const SessionSettings& settings) : random_(random), settings_(settings) {}

    std::size_t at(double seconds) {
        if (seconds >= until_s_) {
            constexpr std::array<std::size_t, 4> kChainSlots{kThumbstick, kLower, kUpper, kThumbrest};
            on_ = on_ == kButtonCount ? kChainSlots.at(random_.below(kChainSlots.size())) : std::size_t{kButtonCount};
            until_s_ = seconds + settings_.pause_s * random_.between(0.6, 3.4);
        }
        return on_;
    }

private:
    Random& random_;
    const SessionSettings& settings_;
    std::size_t on_ = kButtonCount;
    double until_s_ = 0;
};

struct Sway {
    explicit Sway(Random& random) : turns(random.between(0, 1)), hertz(random.between(0.2, 0.7)) {}
    double turns;
    double hertz;
    [[nodiscard]] double at(double seconds) const { return sine(turns + hertz * seconds); }
};

std::vector<ControllerFrame> recorded_session() {
    std::vector<ControllerFrame> frames;
    const auto recording = read_recording(kControllerSession);
    if (!recording) {
        return frames;
    }
    const auto pose = [](const nlohmann::json& entry) {
        const auto v = entry.get<std::array<float, 7>>();
        return XrPosef{{v[3], v[4], v[5], v[6]}, {v[0], v[1], v[2]}};
    };
    for (const auto& entry : recording->at("frames")) {
        ControllerFrame frame{entry.at("t").get<double>(), {}};
        for (std::size_t hand = 0; hand < 2; ++hand) {
            const auto& from = entry.at(hand == 0 ? "left" : "right");
            ControllerSide& side = frame.sides[hand];
            side.grip = pose(from.at("grip"));
            side.ray = pose(from.at("ray"));
            for (std::size_t button = 0; button < kButtonCount; ++button) {
                const auto& state = from.at("buttons").at(button);  // pressed, touched, value
                side.buttons[button] = {state.at(1) != 0, state.at(2).get<float>()};
            }
        }
        frames.push_back(frame);
    }
    return frames;
}

}  // namespace

std::vector<ControllerFrame> own_controller_session(const SessionSettings& settings) {
    Random random(settings.seed);
    struct Side {
        Side(Random& random, const SessionSettings& settings)
            : trigger(random, settings),
              squeeze(random, settings),
              thumb(random, settings),
              sways{Sway(random), Sway(random), Sway(random)} {}
        Pulled trigger, squeeze;
        Thumb thumb;
        std::array<Sway, 3> sways;
    };
    std::array<Side, 2> sides{Side(random, settings), Side(random, settings)};
    std::vector<ControllerFrame> frames;
    for (int i = 0; i < settings.frames; ++i) {
        ControllerFrame frame{i / 90.0, {}};
        for (std::size_t hand = 0; hand < 2; ++hand) {
            Side& from = sides[hand];
            ControllerSide& side = frame.sides[hand];
            const auto sway = [&](std::size_t axis) { return from.sways[axis].at(frame.seconds); };
            // Held as people do, with the ray ahead.
            const double deg = settings.turn_deg;
            const Matrix turn =
                turn_about(1, deg * sway(0)) * turn_about(0, deg * sway(1)) * turn_about(2, deg * sway(2));
            const Matrix to_ray = turn_about(0, settings.ray_in_grip);
            side.grip.orientation = quaternion(turn * transposed(to_ray));
            side.ray.orientation = quaternion(turn);
            const double aside = hand == 0 ? -0.2 : 0.2;
            side.grip.position = {static_cast<float>(aside + 0.1 * sway(0)), static_cast<float>(1.1 + 0.1 * sway(1)),
                                  static_cast<float>(-0.3 + 0.1 * sway(2))};
            side.ray.position = side.grip.position;

            const double trigger = from.trigger.at(frame.seconds);
            side.buttons[kTrigger] = {trigger > 0, static_cast<float>(trigger)};
            const double squeeze = from.squeeze.at(frame.seconds);
            side.buttons[kSqueeze] = {squeeze > 0, static_cast<float>(squeeze)};
            if (const std::size_t on = from.thumb.at(frame.seconds); on < kButtonCount) {
                side.buttons[on].touched = true;
            }
        }
        frames.push_back(frame);
    }
    return frames;
}

std::vector<ControllerFrame> controller_session(Session session) {
    return session == Session::own ? own_controller_session({}) : recorded_session();
}

}  // namespace glove::test
