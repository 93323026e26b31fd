// SPDX-License-Identifier: Apache-2.0
// A bad network for one hand's datagrams: loses, swaps and doubles them by chance, the same way for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <vector>

namespace glove {

struct FaultRates {  // chances, 0 to 1
    double loss = 0;
    double reorder = 0;    // to be held back until after the hand's next datagram
    double duplicate = 0;  // to be sent twice
};

class FaultyLink {
public:
    using Datagram = std::vector<std::byte>;
    using Wire = std::function<void(const Datagram&)>;

    struct Counts {
        std::uint64_t lost = 0;
        std::uint64_t reordered = 0;
        std::uint64_t duplicated = 0;
    };

    FaultyLink(const FaultRates& rates, std::uint32_t seed, Wire wire);

    void send(Datagram datagram);
    // Sends what is held back: nothing comes after it.
    void finish();

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

private:
    // Not a standard distribution: those differ from one library to the next.
    [[nodiscard]] bool happens(double chance) { return static_cast<double>(random_()) < chance * 4294967296.0; }
    void put_on_wire(const Datagram& datagram);

    FaultRates rates_;
    std::mt19937 random_;
    Wire wire_;
    std::optional<Datagram> held_back_;
    Counts counts_;
};

}  // namespace glove
