// SPDX-License-Identifier: Apache-2.0
// Which handles we know, and what we keep for each. find() is on the hot path: it takes no lock and allocates nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

namespace glove {

// OpenXR handles are pointers on 64-bit targets and integers on 32-bit ones.
template <class Handle>
[[nodiscard]] std::uint64_t key_of(Handle handle) noexcept {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<std::uintptr_t>(handle);
    } else {
        return handle;
    }
}

template <class Handle>
[[nodiscard]] Handle handle_of(std::uint64_t key) noexcept {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<Handle>(static_cast<std::uintptr_t>(key));
    } else {
        return key;
    }
}

// A slot is never freed, so a reader may look at it at any time; its object lives while somebody counts as its user.
// The registry itself is one user until take(); the last user deletes the object. A handle used after its destruction
// is an error of the application, and harmless: it is not found, or its object stays until that call returns.
template <class T>
class Registry {
    struct Slot {
        std::atomic<std::uint64_t> key{0};
        std::atomic<std::uint32_t> users{0};  // 0: free
        T* object = nullptr;

        [[nodiscard]] bool enter() noexcept {
            std::uint32_t count = users.load(std::memory_order_relaxed);
            while (count != 0) {
                if (users.compare_exchange_weak(count, count + 1, std::memory_order_acquire,
                                                std::memory_order_relaxed)) {
                    return true;
                }
            }
            return false;
        }

        void leave() noexcept {
            // The object's address is read first: the moment the count is 0, the slot may be taken for another.
            T* const last = object;
            if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                delete last;
            }
        }
    };

public:
    // Keeps the object alive. Empty when the handle is not known.
    class Ref {
    public:
        Ref() noexcept = default;
        explicit Ref(Slot* slot) noexcept : slot_(slot) {}
        Ref(Ref&& other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
        Ref& operator=(Ref&& other) noexcept {
            std::swap(slot_, other.slot_);
            return *this;
        }
        Ref(const Ref&) = delete;
        Ref& operator=(const Ref&) = delete;
        ~Ref() {
            if (slot_ != nullptr) {
                slot_->leave();
            }
        }

        explicit operator bool() const noexcept { return slot_ != nullptr; }
        T* operator->() const noexcept { return slot_->object; }
        T& operator*() const noexcept { return *slot_->object; }

    private:
        friend class Registry;
        Slot* slot_ = nullptr;
    };

    struct Taken {
        std::uint64_t key;
        Ref object;
    };

    [[nodiscard]] Ref find(std::uint64_t key) noexcept {
        if (key == 0) {
            return {};
        }
        for (Block* block = &first_; block != nullptr; block = block->next.load(std::memory_order_acquire)) {
            for (Slot& slot : block->slots) {
                if (slot.key.load(std::memory_order_acquire) == key && slot.enter()) {
                    Ref ref(&slot);
                    // Between the two looks the slot may have been given to another handle.
                    if (slot.key.load(std::memory_order_acquire) == key) {
                        return ref;
                    }
                }
            }
        }
        return {};
    }

    // For an object whose handle does not exist yet: what can fail is done then, and put_back() registers it. Throws
    // std::bad_alloc; then `object` is gone.
    [[nodiscard]] Ref hold(std::unique_ptr<T> object) {
        const std::lock_guard lock(mutex_);
        Slot& slot = free_slot();
        slot.object = object.release();
        slot.users.store(1, std::memory_order_release);
        return Ref(&slot);
    }
    void add(std::uint64_t key, std::unique_ptr<T> object) { put_back(key, hold(std::move(object))); }

    // Out of the registry, into the caller's hands: the object goes when the last of its users lets go. Empty when the
    // handle is not known.
    [[nodiscard]] Ref take(std::uint64_t key) noexcept {
        return take_where([key](std::uint64_t of_slot, const T&) { return of_slot == key; });
    }

    // The first that `predicate` is true for. The predicate runs under the registry's lock, so it only looks.
    template <class Predicate>
    [[nodiscard]] Ref take_if(Predicate predicate) noexcept {
        return take_where([&predicate](std::uint64_t, const T& object) { return predicate(object); });
    }

    // All that `predicate` is true for. Throws std::bad_alloc; then nothing is taken.
    template <class Predicate>
    [[nodiscard]] std::vector<Taken> take_all(Predicate predicate) {
        std::vector<Taken> all;
        std::uint64_t key = 0;
        const auto is_one = [&](std::uint64_t of_slot, const T& candidate) {
            key = of_slot;
            return predicate(candidate);
        };
        try {
            for (;;) {
                if (all.size() == all.capacity()) {
                    all.reserve(all.size() + kBlockSize);
                }
                Ref object = take_where(is_one);
                if (!object) {
                    return all;
                }
                all.push_back({key, std::move(object)});
            }
        } catch (...) {
            put_back(std::move(all));
            throw;
        }
    }

    // What was taken under this key is found again: its handle did not die after all. Or held: it was made.
    void put_back(std::uint64_t key, Ref object) noexcept {
        const std::lock_guard lock(mutex_);
        // The registry is a user again in the place of `object`.
        std::exchange(object.slot_, nullptr)->key.store(key, std::memory_order_release);
    }
    void put_back(std::vector<Taken> all) noexcept {
        for (Taken& taken : all) {
            put_back(taken.key, std::move(taken.object));
        }
    }

    // Every object, under the registry's lock: `visit` makes no call that could come back here.
    template <class Visit>
    void for_each(Visit visit) {
        const std::lock_guard lock(mutex_);
        for (Block* block = &first_; block != nullptr; block = block->next.load(std::memory_order_acquire)) {
            for (Slot& slot : block->slots) {
                if (const std::uint64_t key = slot.key.load(std::memory_order_relaxed); key != 0) {
                    visit(key, *slot.object);
                }
            }
        }
    }

private:
    template <class Predicate>
    [[nodiscard]] Ref take_where(Predicate predicate) noexcept {
        const std::lock_guard lock(mutex_);
        for (Block* block = &first_; block != nullptr; block = block->next.load(std::memory_order_acquire)) {
            for (Slot& slot : block->slots) {
                const std::uint64_t key = slot.key.load(std::memory_order_relaxed);
                if (key != 0 && predicate(key, std::as_const(*slot.object))) {
                    slot.key.store(0, std::memory_order_release);
                    return Ref(&slot);
                }
            }
        }
        return {};
    }

    static constexpr std::size_t kBlockSize = 16;
    struct Block {
        std::array<Slot, kBlockSize> slots{};
        std::atomic<Block*> next{nullptr};
    };

    [[nodiscard]] Slot& free_slot() {
        Block* block = &first_;
        for (;;) {
            for (Slot& slot : block->slots) {
                if (slot.key.load(std::memory_order_relaxed) == 0 && slot.users.load(std::memory_order_acquire) == 0) {
                    return slot;
                }
            }
            Block* next = block->next.load(std::memory_order_relaxed);
            if (next == nullptr) {
                next = new Block;  // kept for ever: as many as the most handles that ever lived at once need
                block->next.store(next, std::memory_order_release);
            }
            block = next;
        }
    }

    Block first_;
    std::mutex mutex_;
};

}  // namespace glove
