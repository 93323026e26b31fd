// SPDX-License-Identifier: Apache-2.0
#include "glove_sim/gloves.hpp"

#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <utility>

#include "senders/fnim_sender.hpp"
#include "senders/fsnh_sender.hpp"

namespace glove {
namespace {

class FsnhGloves : public Gloves {
public:
    explicit FsnhGloves(const FsnhOptions& options) : options_(options) {}

    Datagrams sample(Hand hand, const HandJoints& joint_in_wrist, const Instant& at) override {
        const FsnhFrame frame{hand, static_cast<std::uint32_t>(at.tick), at.now_ns};
        return {options_.forearm_format
                    ? encode_fsnh_forearm(frame, joint_in_wrist, moving_wrist_in_forearm(hand, at.seconds))
                    : encode_fsnh(frame, joint_in_wrist)};
    }

private:
    FsnhOptions options_;
};

class HandEngineGloves : public Gloves {
public:
    HandEngineGloves(const HandEngineOptions& options, double rate_hz, std::uint32_t seed)
        : options_(options), frames_per_second_(static_cast<int>(std::lround(rate_hz))), random_(seed) {
        const auto today = std::chrono::system_clock::now().time_since_epoch() % std::chrono::hours(24);
        start_frame_ = std::chrono::duration_cast<std::chrono::seconds>(today).count() * frames_per_second_;
    }

    Datagrams sample(Hand hand, const HandJoints& joint_in_wrist, const Instant& at) override {
        HandEngineFrame frame{};
        frame.hand = hand;
        frame.timecode = hand_engine_timecode(start_frame_ + static_cast<std::int64_t>(at.tick), frames_per_second_);
        frame.performer = options_.performer;
        frame.rig = options_.rig;
        frame.glove = options_.glove;
        frame.format = options_.format;
        frame.bundle = options_.bundles;
        // Nobody promises an order. Not std::shuffle, which differs from one library to the next.
        for (std::size_t i = frame.finger_order.size() - 1; i > 0; --i) {
            std::swap(frame.finger_order[i], frame.finger_order[random_() % (i + 1)]);
        }
        return encode_hand_engine(frame, joint_in_wrist);
    }

    Datagrams status(Hand hand) override {
        return encode_hand_engine_status(
            {hand, options_.performer, options_.glove, options_.calibrated, options_.battery});
    }

private:
    HandEngineOptions options_;
    int frames_per_second_;
    std::int64_t start_frame_ = 0;  // since midnight, UTC
    std::mt19937 random_;
};

class FnimGloves : public Gloves {
public:
    FnimGloves(const FnimOptions& options, std::uint32_t seed)
        : options_(options),
          faults_{{{options.noise_mm, options.noise_deg, options.dropout, seed},
                   {options.noise_mm, options.noise_deg, options.dropout, seed + 1}}} {}

    Datagrams sample(Hand hand, const HandJoints& joint_in_wrist, const Instant& at) override {
        Coils coils = coils_on_tips(joint_in_wrist);
        if (options_.forearm) {
            coils.back() = forearm_coil(moving_wrist_in_forearm(hand, at.seconds));
        }
        return {
            encode_fnim({hand, static_cast<std::uint32_t>(at.tick), at.now_ns}, faults_[index_of(hand)].apply(coils))};
    }

private:
    FnimOptions options_;
    std::array<CoilFaults, kHandCount> faults_;
};

}  // namespace

std::unique_ptr<Gloves> make_gloves(const SimOptions& options) {
    if (const auto* const fsnh = std::get_if<FsnhOptions>(&options.gloves)) {
        return std::make_unique<FsnhGloves>(*fsnh);
    }
    if (const auto* const hand_engine = std::get_if<HandEngineOptions>(&options.gloves)) {
        return std::make_unique<HandEngineGloves>(*hand_engine, options.rate_hz, options.seed);
    }
    return std::make_unique<FnimGloves>(std::get<FnimOptions>(options.gloves), options.seed);
}

}  // namespace glove
