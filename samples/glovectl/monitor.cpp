// SPDX-License-Identifier: Apache-2.0
#include "glovectl/monitor.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "glove_stream.hpp"
#include "glovectl/monitor_view.hpp"
#include "glovectl/terminal.hpp"
#include "support/clock.hpp"
#include "support/log.hpp"
#include "support/own_thread.hpp"
#include "support/paths.hpp"

namespace glove::ctl {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::chrono::nanoseconds kBetweenLooks(50'000'000);

constexpr double kOnceSeconds = 1.5;                        // binds, and measures rates over a second
constexpr std::int64_t kRepaintNs = 100'000'000;            // in a terminal
constexpr std::int64_t kBetweenLinesNs = kNsPerSecond;      // elsewhere
constexpr std::int64_t kBetweenPortLooksNs = kNsPerSecond;  // looks through all processes

class Monitor {
public:
    explicit Monitor(const Config& config) : config_(config), stream_(config, paths::calibration_file()) {
        stream_.start();
    }

    const MonitorReading& look(std::int64_t now_ns) {
        for (const Hand hand : kBothHands) {
            reading_.hands[index_of(hand)] = watches_[index_of(hand)].look(stream_.hand(hand), config_.age, now_ns);
        }
        reading_.hand_engine = stream_.hand_engine_status();
        look_at_ports(now_ns);
        reading_.refused = stream_.dropped();
        return reading_;
    }

private:
    void look_at_ports(std::int64_t now_ns) {
        const bool look_for_holders = now_ns - looked_for_holders_ns_ >= kBetweenPortLooksNs;
        std::vector<GloveStream::Port> ports = stream_.ports();
        reading_.ports.resize(ports.size());
        for (std::size_t i = 0; i < ports.size(); ++i) {
            PortReading& reading = reading_.ports[i];
            reading.port = std::move(ports[i]);
            const auto& addresses = reading.port.addresses;
            if (std::none_of(addresses.begin(), addresses.end(), [](const auto& address) { return address.taken; })) {
                reading.holders.clear();
            } else if (look_for_holders) {
                reading.holders = holders_of_udp_port(reading.port.port);
                std::erase_if(reading.holders, [](const PortHolder& one) { return one.process == this_process(); });
                looked_for_holders_ns_ = now_ns;
            }
        }
    }

    Config config_;
    GloveStream stream_;
    std::array<HandWatch, kHandCount> watches_;
    MonitorReading reading_;
    std::int64_t looked_for_holders_ns_ = 0;
};

}  // namespace

bool monitor(const MonitorOptions& options) {
    const ConfigResult loaded = load_config();
    for (const std::string& complaint : loaded.complaints) {
        std::fprintf(stderr, "%s\n", complaint.c_str());
    }
    log::set_level(loaded.config.log.level);
    Monitor gloves(loaded.config);
    Screen screen;
    catch_interruption();

    const std::int64_t start_ns = steady_now_ns();
    const double seconds = options.once && options.seconds == 0 ? kOnceSeconds : options.seconds;
    const bool repaints = screen.is_terminal() && !options.json;
    const auto text_of = [&](const MonitorReading& reading) {
        return options.json ? as_json(reading) : repaints || options.once ? as_table(reading) : as_lines(reading);
    };
    std::int64_t next_text_ns = start_ns + (repaints ? kRepaintNs : kBetweenLinesNs);
    for (;;) {
        std::this_thread::sleep_for(kBetweenLooks);
        const std::int64_t now_ns = steady_now_ns();
        const MonitorReading& reading = gloves.look(now_ns);
        const bool over = interrupted() || (seconds > 0 && 1e-9 * static_cast<double>(now_ns - start_ns) >= seconds);
        if (options.once ? over : now_ns >= next_text_ns) {
            if (repaints && !options.once) {
                screen.show(text_of(reading));
            } else {
                std::fputs(text_of(reading).c_str(), stdout);
                std::fflush(stdout);
            }
            next_text_ns += repaints ? kRepaintNs : kBetweenLinesNs;
        }
        if (over) {
            return any_live(reading);
        }
    }
}

}  // namespace glove::ctl
