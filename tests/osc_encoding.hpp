// SPDX-License-Identifier: Apache-2.0
// OSC bytes for tests, written by liblo: none of it comes from the code under test.
#pragma once

#include <lo/lo.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace glove::test {

using Bytes = std::vector<std::byte>;

class OscEncoder {
public:
    explicit OscEncoder(std::string address) : address_(std::move(address)), message_(lo_message_new()) {}
    ~OscEncoder() { lo_message_free(message_); }
    OscEncoder(const OscEncoder&) = delete;
    OscEncoder& operator=(const OscEncoder&) = delete;

    OscEncoder& i(std::int32_t value) { return check(lo_message_add_int32(message_, value)); }
    OscEncoder& f(double value) { return check(lo_message_add_float(message_, static_cast<float>(value))); }
    OscEncoder& s(const std::string& value) { return check(lo_message_add_string(message_, value.c_str())); }
    OscEncoder& h(std::int64_t value) { return check(lo_message_add_int64(message_, value)); }
    OscEncoder& d(double value) { return check(lo_message_add_double(message_, value)); }
    OscEncoder& t(std::uint32_t seconds, std::uint32_t fraction) {
        return check(lo_message_add_timetag(message_, lo_timetag{seconds, fraction}));
    }
    OscEncoder& c(char value) { return check(lo_message_add_char(message_, value)); }
    OscEncoder& yes() { return check(lo_message_add_true(message_)); }
    OscEncoder& no() { return check(lo_message_add_false(message_)); }
    OscEncoder& nil() { return check(lo_message_add_nil(message_)); }
    OscEncoder& infinitum() { return check(lo_message_add_infinitum(message_)); }
    OscEncoder& b(const Bytes& value) {
        lo_blob blob = lo_blob_new(static_cast<std::int32_t>(value.size()), value.data());
        const int result = lo_message_add_blob(message_, blob);
        lo_blob_free(blob);
        return check(result);
    }

    [[nodiscard]] Bytes bytes() const {
        std::size_t size = lo_message_length(message_, address_.c_str());
        Bytes out(size);
        if (lo_message_serialise(message_, address_.c_str(), out.data(), &size) == nullptr || size != out.size()) {
            throw std::runtime_error("liblo does not serialise");
        }
        return out;
    }

private:
    OscEncoder& check(int result) {
        if (result != 0) {
            throw std::runtime_error("liblo does not take the argument");
        }
        return *this;
    }

    std::string address_;
    lo_message message_;
};

// Elements are messages or bundles. liblo writes bundles of its own messages only, so this is by hand: OSC 1.0, "OSC
// Packets".
[[nodiscard]] inline Bytes osc_bundle(const std::vector<Bytes>& elements) {
    Bytes out(16);
    std::memcpy(out.data(), "#bundle", 8);
    out[15] = std::byte{1};  // time tag: now
    for (const Bytes& element : elements) {
        for (const int shift : {24, 16, 8, 0}) {
            out.push_back(static_cast<std::byte>(element.size() >> shift));
        }
        out.insert(out.end(), element.begin(), element.end());
    }
    return out;
}

}  // namespace glove::test
