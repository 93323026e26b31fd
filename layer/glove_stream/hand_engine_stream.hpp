// SPDX-License-Identifier: Apache-2.0
// Hand Engine's OSC datagrams -> samples of two hands, and what it says about their gloves.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "datagram/udp_receiver.hpp"
#include "glove_stream/calibrations.hpp"
#include "glove_stream/hand_engine_status.hpp"
#include "glove_stream/hand_output.hpp"
#include "glove_stream/raw_listener.hpp"
#include "hand/hand_engine/bone_chain.hpp"
#include "protocol/finger_assembly.hpp"
#include "support/calibration_writer.hpp"
#include "support/config.hpp"
#include "support/latest.hpp"

namespace glove {

class HandEngineStream {
public:
    // `calibration_file`: where `kept` is from, and where the rig of a glove is added once it was seen. May be empty.
    HandEngineStream(const Config& config, CalibrationValues kept, std::filesystem::path calibration_file,
                     std::array<HandOutput, kHandCount>& outputs);

    void take(std::span<const std::byte> datagram, const Sender& sender, std::int64_t now_ns) noexcept;

    // May be null; before the first take().
    void set_raw_listener(RawListener* listener) noexcept { raw_listener_ = listener; }

    [[nodiscard]] const ReasonCounts<osc::DecodeError>& osc_decode_errors() const noexcept {
        return osc_decode_errors_;
    }
    [[nodiscard]] const ReasonCounts<hand_engine::DecodeError>& decode_errors() const noexcept {
        return decode_errors_;
    }
    [[nodiscard]] std::uint64_t other_performers() const noexcept {
        return other_performers_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::uint64_t other_senders() const noexcept {
        return other_senders_.load(std::memory_order_relaxed);
    }
    // Any thread.
    [[nodiscard]] HandEngineStatus status() const noexcept;

    void finish_writing(std::chrono::steady_clock::time_point deadline) noexcept {
        calibration_writer_.wait_until(deadline);
    }

private:
    struct PerHand {
        PerHand(Hand side, const BoneChainSettings& settings, std::int64_t silence_ns) noexcept;
        FirstHeard sender;
        StreamGate kinematic_gate;
        hand_engine::FingerAssembly assembly;
        BoneChain chain;
        ShortText glove_id;
        bool rig_looked_up = false;  // whether an earlier session knew this glove
        RigVerdict reported = RigVerdict::undecided;
        bool warned_about_other_sender = false;
        bool warned_about_calibration = false;
    };

    void take(const hand_engine::FingerRotation& rotation, const Sender& sender, std::int64_t now_ns) noexcept;
    void take(const hand_engine::Sliders& sliders, const Sender& sender, std::int64_t now_ns) noexcept;
    void take(const hand_engine::KinematicHand& kinematic, const Sender& sender, std::int64_t now_ns) noexcept;
    void take(const hand_engine::Performer& performer, std::int64_t now_ns) noexcept;
    void take(const hand_engine::GloveStatus& status, const Sender& sender, std::int64_t now_ns) noexcept;
    void take(const hand_engine::DongleStatus& status, std::int64_t now_ns) noexcept;

    void refuse(hand_engine::DecodeError why, std::string_view address, const Sender& sender) noexcept;
    // Whether this message of a hand counts: the chosen performer's, from the hand's sender, no better protocol live.
    [[nodiscard]] bool admit(std::int32_t performer, Hand side, bool kinematic, const Sender& sender,
                             std::int64_t now_ns) noexcept;
    [[nodiscard]] bool is_wanted(std::int32_t performer) const noexcept;
    void publish(const std::optional<hand_engine::HandMessage>& message, std::int64_t now_ns) noexcept;
    void wear(Hand side, std::string_view glove_id) noexcept;
    void report_rig(Hand side) noexcept;
    void keep_rig(Hand side) noexcept;

    BoneChainSettings settings_;
    std::int32_t wanted_performer_;
    std::int64_t silence_ns_;
    CalibrationValues kept_;
    CalibrationWriter calibration_writer_;
    int rigs_kept_ = 0;

    std::array<HandOutput, kHandCount>& outputs_;
    FirstHeard performer_;
    std::array<PerHand, kHandCount> hands_;
    HandEngineStatus now_;  // the receiver's own copy of what `status_` hands over
    Latest<HandEngineStatus> status_;

    RawListener* raw_listener_ = nullptr;

    ReasonCounts<osc::DecodeError> osc_decode_errors_;
    ReasonCounts<hand_engine::DecodeError> decode_errors_;
    std::array<std::size_t, 16> addresses_warned_about_{};  // hashes
    std::size_t addresses_warned_ = 0;
    bool warned_about_unknown_address_ = false;
    std::atomic<std::uint64_t> other_performers_{0};
    std::atomic<std::uint64_t> other_senders_{0};
};

}  // namespace glove
