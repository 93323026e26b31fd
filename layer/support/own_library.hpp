// SPDX-License-Identifier: Apache-2.0
// A program may end without destroying its instance. The OpenXR loader then closes the layer's library in a destructor
// of its own while our thread still runs, and the thread's next instruction is gone. So whoever starts a thread keeps
// the library.
#pragma once

namespace glove {

// While it lives, the library (or program) that this code is in stays mapped, whoever else closes it.
class KeepsOwnLibrary {
public:
    KeepsOwnLibrary() noexcept;
    ~KeepsOwnLibrary();
    KeepsOwnLibrary(const KeepsOwnLibrary&) = delete;
    KeepsOwnLibrary& operator=(const KeepsOwnLibrary&) = delete;

private:
    void* handle_ = nullptr;  // null where the system would not say: then nothing is kept
};

}  // namespace glove
