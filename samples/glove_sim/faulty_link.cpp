// SPDX-License-Identifier: Apache-2.0
#include "glove_sim/faulty_link.hpp"

#include <utility>

namespace glove {

FaultyLink::FaultyLink(const FaultRates& rates, std::uint32_t seed, Wire wire)
    : rates_(rates), random_(seed), wire_(std::move(wire)) {
}

void FaultyLink::send(Datagram datagram) {
    if (happens(rates_.loss)) {
        ++counts_.lost;
        return;
    }
    if (held_back_) {
        put_on_wire(datagram);
        ++counts_.reordered;
        put_on_wire(*held_back_);
        held_back_.reset();
    } else if (happens(rates_.reorder)) {
        held_back_ = std::move(datagram);
    } else {
        put_on_wire(datagram);
    }
}

void FaultyLink::finish() {
    if (held_back_) {
        put_on_wire(*held_back_);
        held_back_.reset();
    }
}

void FaultyLink::put_on_wire(const Datagram& datagram) {
    wire_(datagram);
    if (happens(rates_.duplicate)) {
        ++counts_.duplicated;
        wire_(datagram);
    }
}

}  // namespace glove
