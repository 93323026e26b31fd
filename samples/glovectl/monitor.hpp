// SPDX-License-Identifier: Apache-2.0
// Receives what the gloves send as the layer would, with the user's configuration, and shows how they are doing.
#pragma once

namespace glove::ctl {

struct MonitorOptions {
    bool once = false;
    bool json = false;
    double seconds = 0;  // 0: until stopped; with `once` as long as it takes to measure a rate
};

// Whether a hand was live at the end.
[[nodiscard]] bool monitor(const MonitorOptions& options);

}  // namespace glove::ctl
