// SPDX-License-Identifier: Apache-2.0
// The user asked for a new middle of the room: the application's spaces moved, and what was shown in them before has to
// be followed to where it is in them now.
#pragma once

#include <mutex>
#include <optional>

#include "openxr/loader/platform.hpp"
#include "support/latest.hpp"

namespace glove {

// Of one session.
class ReferenceSpaceChanges {
public:
    // Any thread. The runtime says so ahead of the change.
    void add(const XrEventDataReferenceSpaceChangePending& event) noexcept;

    // The space as it was at `from`, seen from the same space as it is at `to`: compose() it with a pose of then to
    // have the same place now. Nothing where the runtime did not say how far the space moved, or time goes backwards
    // past the change. No lock, no allocation.
    [[nodiscard]] std::optional<XrPosef> previous_in_current(XrSpace base, XrTime from, XrTime to) const noexcept;

private:
    struct Change {
        XrReferenceSpaceType type;
        XrTime time;
        bool known;
        XrPosef new_in_old;  // of the reference space
    };

    std::mutex adding_;
    Latest<Change> changes_;  // more than the newest three within half a second are no user's
};

}  // namespace glove
