// SPDX-License-Identifier: Apache-2.0
#include "glovectl/monitor_view.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace glove::ctl {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 5> kFingerNames{"thumb", "index", "middle", "ring", "little"};
constexpr int kBarWidth = 7;

template <class... Values>
std::string formatted(const char* format, Values... values) {
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

std::string bar(double share) {
    const auto full = static_cast<std::size_t>(std::lround(share * kBarWidth));
    return std::string(full, '#') + std::string(kBarWidth - full, '.');
}

const char* state_of(const HandReading& hand) {
    return !hand.live ? "not there" : hand.tracked ? "tracked" : "valid, not tracked";
}

std::string figures_of(const HandReading& hand) {
    std::string text = formatted("%-12s", hand.live ? name_of(hand.source) : "-");
    if (hand.live) {
        text += formatted("%4.0f/s", hand.rate_hz);
        text += formatted("  lost %5.1f %%", 100 * hand.loss);
    }
    if (hand.age_ms) {
        text += formatted("  heard %6.0f ms ago", *hand.age_ms);
    }
    return text + "  " + state_of(hand);
}

// Wherever it is meant to.
bool is_listening(const PortReading& reading) {
    const auto& all = reading.port.addresses;
    return !all.empty() && std::all_of(all.begin(), all.end(), [](const auto& one) { return one.problem.empty(); });
}

std::string line_of(const PortReading& reading) {
    std::string bound;
    std::string missing;
    for (const UdpReceiver::Address& address : reading.port.addresses) {
        if (address.problem.empty()) {
            bound += (bound.empty() ? "listening on " : ", ") + address.text;
        } else {
            missing += (missing.empty() ? "" : "; ") + address.text;
            missing += address.taken ? " held by " + in_words(reading.holders) + ", which gets the gloves' data"
                                     : " cannot be listened on: " + address.problem;
        }
    }
    const std::string both = bound + (bound.empty() || missing.empty() ? "" : "; ") + missing;
    return "port " + std::to_string(reading.port.port) + " (" + reading.port.protocols +
           "): " + (both.empty() ? "not open yet" : both) + '\n';
}

std::string decode_errors_of(const MonitorReading& reading) {
    std::string text;
    for (const auto& [why, count] : reading.refused) {
        text += (text.empty() ? "not used: " : ", ") + std::to_string(count) + " (" + why + ")";
    }
    return text.empty() ? text : text + '\n';
}

// No more digits than mean something.
double rounded(double value) {
    return std::round(value * 1000) / 1000;
}

Json json_of(const HandReading& hand) {
    Json curls;
    for (std::size_t finger = 0; finger < kFingerNames.size(); ++finger) {
        curls[kFingerNames[finger]] = rounded(hand.curl[finger]);
    }
    return {{"live", hand.live},
            {"tracked", hand.tracked},
            {"source", hand.live ? Json(name_of(hand.source)) : Json()},
            {"rate_hz", rounded(hand.rate_hz)},
            {"loss", rounded(hand.loss)},
            {"age_ms", hand.age_ms ? Json(rounded(*hand.age_ms)) : Json()},
            {"curl", hand.live ? curls : Json()}};
}

bool is_heard(const HandEngineStatus::Glove& glove) {
    return glove.received_ns != 0 || !glove.id.view().empty() || glove.rig != RigVerdict::undecided;
}

bool is_heard(const HandEngineStatus& status) {
    return status.performer_received_ns != 0 ||
           std::any_of(status.gloves.begin(), status.gloves.end(),
                       [](const HandEngineStatus::Glove& glove) { return is_heard(glove); }) ||
           std::any_of(status.dongles.begin(), status.dongles.end(),
                       [](const HandEngineStatus::Dongle& dongle) { return dongle.received_ns != 0; });
}

// As sent, for a terminal: what is no printable ASCII could mean anything to it.
std::string printable(const ShortText& text) {
    std::string out(text.view());
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return out;
}

std::string part(const char* what, const ShortText& text) {
    return text.view().empty() ? std::string() : std::string(", ") + what + printable(text);
}

std::string line_of(const HandEngineStatus::Glove& glove, Hand hand) {
    std::string text = formatted("%-6s ", name_of(hand));
    text += glove.id.view().empty() ? "glove" : "glove " + printable(glove.id);
    text += part("", glove.product) + part("revision ", glove.revision) + part("firmware ", glove.firmware) +
            part("dongle ", glove.dongle) + "\n       ";
    if (glove.received_ns != 0) {
        text += glove.calibrated ? "calibrated" : "NOT CALIBRATED: do so in Hand Engine";
        text += std::isnan(glove.battery) ? "" : formatted(", battery %.0f", double{glove.battery});
    } else {
        text += "nothing said about calibration and battery";
    }
    return text + ", axes " + name_of(glove.rig) + '\n';
}

std::string lines_of(const HandEngineStatus& status) {
    if (!is_heard(status)) {
        return {};
    }
    std::string text = "Hand Engine";
    if (status.performer_received_ns != 0) {
        text += ", performer " + std::to_string(status.performer) + part("", status.performer_name);
        text += status.staged ? "" : ", not staged";
    }
    for (const HandEngineStatus::Dongle& dongle : status.dongles) {
        if (dongle.received_ns != 0) {
            text += part("dongle ", dongle.id) + part("firmware ", dongle.firmware);
        }
    }
    text += '\n';
    for (const Hand hand : kBothHands) {
        if (const HandEngineStatus::Glove& glove = status.gloves[index_of(hand)]; is_heard(glove)) {
            text += line_of(glove, hand);
        }
    }
    return text;
}

Json json_of(const HandEngineStatus::Glove& glove) {
    const bool said = glove.received_ns != 0;
    return {{"id", glove.id.view()},
            {"product", glove.product.view()},
            {"revision", glove.revision.view()},
            {"firmware", glove.firmware.view()},
            {"dongle", glove.dongle.view()},
            {"calibrated", said ? Json(glove.calibrated) : Json()},
            {"battery", said && !std::isnan(glove.battery) ? Json(rounded(double{glove.battery})) : Json()},
            {"axes", name_of(glove.rig)}};
}

// Null where nothing was heard.
Json json_of(const HandEngineStatus& status) {
    if (!is_heard(status)) {
        return {};
    }
    Json performer;
    if (status.performer_received_ns != 0) {
        performer = {{"number", status.performer}, {"name", status.performer_name.view()}, {"staged", status.staged}};
    }
    Json gloves;
    for (const Hand hand : kBothHands) {
        const HandEngineStatus::Glove& glove = status.gloves[index_of(hand)];
        gloves[name_of(hand)] = is_heard(glove) ? json_of(glove) : Json();
    }
    Json dongles = Json::array();
    for (const HandEngineStatus::Dongle& dongle : status.dongles) {
        if (dongle.received_ns != 0) {
            dongles.push_back({{"id", dongle.id.view()}, {"firmware", dongle.firmware.view()}});
        }
    }
    return {{"performer", performer}, {"gloves", gloves}, {"dongles", dongles}};
}

Json json_of(const PortReading& port) {
    Json holders = Json::array();
    for (const PortHolder& holder : port.holders) {
        holders.push_back(
            {{"process", holder.process != 0 ? Json(holder.process) : Json()}, {"program", holder.program}});
    }
    Json addresses = Json::array();
    for (const UdpReceiver::Address& address : port.port.addresses) {
        addresses.push_back({{"address", address.text},
                             {"listening", address.problem.empty()},
                             {"problem", address.problem.empty() ? Json() : Json(address.problem)}});
    }
    return {{"port", port.port.port},
            {"protocols", port.port.protocols},
            {"listening", is_listening(port)},
            {"addresses", addresses},
            {"holders", holders}};
}

}  // namespace

bool any_live(const MonitorReading& reading) noexcept {
    return std::any_of(reading.hands.begin(), reading.hands.end(), [](const HandReading& hand) { return hand.live; });
}

std::string as_table(const MonitorReading& reading) {
    std::string text;
    for (const PortReading& port : reading.ports) {
        text += line_of(port);
    }
    for (const Hand hand : kBothHands) {
        const HandReading& one = reading.hands[index_of(hand)];
        text += formatted("\n%-6s ", name_of(hand)) + figures_of(one) + "\n      ";
        for (std::size_t finger = 0; finger < kFingerNames.size(); ++finger) {
            text += formatted(" %s ", kFingerNames[finger]) + bar(one.curl[finger]);
        }
        text += '\n';
    }
    for (const std::string& more : {lines_of(reading.hand_engine), decode_errors_of(reading)}) {
        text += more.empty() ? more : '\n' + more;
    }
    return text;
}

std::string as_lines(const MonitorReading& reading) {
    std::string text;
    for (const PortReading& port : reading.ports) {
        text += is_listening(port) ? "" : line_of(port);
    }
    for (const Hand hand : kBothHands) {
        const HandReading& one = reading.hands[index_of(hand)];
        text += formatted("%-6s ", name_of(hand)) + figures_of(one);
        if (one.live) {
            text += "  curl";
            for (const double curl : one.curl) {
                text += formatted(" %.2f", curl);
            }
        }
        text += '\n';
    }
    for (const Hand hand : kBothHands) {
        const HandEngineStatus::Glove& glove = reading.hand_engine.gloves[index_of(hand)];
        text += glove.received_ns != 0 ? line_of(glove, hand) : "";
    }
    return text + decode_errors_of(reading);
}

std::string as_json(const MonitorReading& reading) {
    Json document;
    for (const Hand hand : kBothHands) {
        document["hands"][name_of(hand)] = json_of(reading.hands[index_of(hand)]);
    }
    document["hand_engine"] = json_of(reading.hand_engine);
    document["ports"] = Json::array();
    for (const PortReading& port : reading.ports) {
        document["ports"].push_back(json_of(port));
    }
    document["refused"] = Json::object();
    for (const auto& [why, count] : reading.refused) {
        document["refused"][why] = count;
    }
    // What gloves and programs are called need not be UTF-8.
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace glove::ctl
