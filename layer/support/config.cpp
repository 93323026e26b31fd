// SPDX-License-Identifier: Apache-2.0
#include "support/config.hpp"

namespace glove {
namespace {
struct BrokenAssumption {};  // of toml++ about the text, where it forgot to check
[[noreturn]] void assumption_is_broken() {
    throw BrokenAssumption{};
}
}  // namespace
}  // namespace glove

// Some malformed texts break what toml++ asserts ("[[[" for one): that must neither abort the program nor, in a build
// without assertions, be an optimizer's assumption. So assertions throw here, in every build.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(condition) ((condition) ? void() : ::glove::assumption_is_broken())
#define TOML_EXCEPTIONS 0
// So that no text makes it recurse deeply: with kMaxDotsInLine below, about a thousand levels.
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "support/interaction_profiles.hpp"
#include "support/ip_address.hpp"
#include "support/paths.hpp"
#include "support/read_file.hpp"
#include "support/spelling.hpp"

namespace glove {
namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{256} * 1024;
constexpr std::ptrdiff_t kMaxDotsInLine = 100;
constexpr const char* kWanted = "it must be TOML, as in samples/glove_hands.toml";
constexpr std::size_t kMaxQuoted = 80;  // bytes of the file that are repeated in a complaint

using Line = std::uint32_t;

std::string number_text(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", value);
    return text.data();
}

// Text of the file for a complaint, which may end on a terminal: short and without control characters.
std::string shown(std::string_view text) {
    std::string result(text.substr(0, kMaxQuoted));
    std::replace_if(
        result.begin(), result.end(),
        [](char character) { return static_cast<unsigned char>(character) < 0x20 || character == 0x7f; }, '?');
    return text.size() > kMaxQuoted ? result + "..." : result;
}

std::string shown(const toml::node& node) {
    if (const auto* text = node.as_string()) {
        return '"' + shown(text->get()) + '"';
    }
    if (const auto* integer = node.as_integer()) {
        return std::to_string(integer->get());
    }
    if (const auto* number = node.as_floating_point()) {
        return number_text(number->get());
    }
    if (const auto* boolean = node.as_boolean()) {
        return boolean->get() ? "true" : "false";
    }
    if (const auto* list = node.as_array()) {
        return "a list of " + std::to_string(list->size());
    }
    return node.is_table() ? "a table" : "a date or time";
}

// Goes on behind what would be right.
std::string did_you_mean(std::string_view written, const std::vector<std::string>& known) {
    const std::string_view nearest = nearest_name(written, known);
    return nearest.empty() ? "" : "; did you mean \"" + std::string(nearest) + "\"?";
}

class Complaints {
public:
    explicit Complaints(std::string_view file) : file_(file) {}

    void add(Line line, const std::string& what_is_wrong, const std::string& what_would_be_right) {
        all_.emplace_back(line, file_ + ':' + std::to_string(line) + ": " + what_is_wrong + "; " + what_would_be_right);
    }

    [[nodiscard]] std::size_t size() const { return all_.size(); }

    [[nodiscard]] std::vector<std::string> in_order_of_lines() {
        std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<std::string> texts;
        texts.reserve(all_.size());
        for (auto& [line, text] : all_) {
            texts.push_back(std::move(text));
        }
        return texts;
    }

private:
    std::string file_;
    std::vector<std::pair<Line, std::string>> all_;
};

// One table of the file. Each reader changes `out` only if the key is there and its value is right. A table that is
// absent is read all the same, so what is read is what is known.
class Table {
public:
    Table(const toml::table* table, std::string path, Complaints& complaints)
        : table_(table), path_(std::move(path)), complaints_(complaints) {}

    template <class Read>
    void table(const char* key, Read&& read) {
        const toml::node* node = find(key);
        if (node != nullptr && !node->is_table()) {
            complain(*node, path_of(key), "a table, as in [" + path_of(key) + ']');
            node = nullptr;
        }
        Table inner(node == nullptr ? nullptr : node->as_table(), path_of(key), complaints_);
        read(inner);
        inner.complain_about_unknown_keys();
    }

    // Tables whose names are the user's.
    template <class Read>
    void tables(const char* key, Read&& read) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return;
        }
        const toml::table* all = node->as_table();
        if (all == nullptr) {
            complain(*node, path_of(key), "a table of tables");
            return;
        }
        for (const auto& [name, entry] : *all) {
            const std::string path = path_of(key) + ".\"" + shown(name.str()) + '"';
            if (!entry.is_table()) {
                complain(entry, path, "a table");
                continue;
            }
            Table inner(entry.as_table(), path, complaints_);
            inner.line_ = name.source().begin.line;
            read(std::string(name.str()), inner);
            inner.complain_about_unknown_keys();
        }
    }

    // About the table itself, one of tables().
    void complain_about_name(const std::string& what_is_wrong, const std::string& what_would_be_right) {
        complaints_.add(line_, path_ + ' ' + what_is_wrong, what_would_be_right);
    }

    [[nodiscard]] std::size_t complaints_so_far() const { return complaints_.size(); }
    [[nodiscard]] bool has(const char* key) const { return table_ != nullptr && table_->get(key) != nullptr; }

    template <class Integer>
    void integer(const char* key, Integer& out, Integer low, Integer high) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return;
        }
        const auto* value = node->as_integer();
        if (value != nullptr && value->get() >= low && value->get() <= high) {
            out = static_cast<Integer>(value->get());
        } else {
            complain(*node, path_of(key), "a whole number from " + std::to_string(low) + " to " + std::to_string(high));
        }
    }

    void number(const char* key, double& out, double low, double high) {
        if (const toml::node* node = find(key)) {
            take_number(*node, path_of(key), out, low, high);
        }
    }

    void boolean(const char* key, bool& out) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return;
        }
        if (const auto* value = node->as_boolean()) {
            out = value->get();
        } else {
            complain(*node, path_of(key), "true or false");
        }
    }

    void xyz(const char* key, std::array<double, 3>& out, double low, double high) {
        list(key, out, "three numbers, as in [0, 0, 0]", [&](const toml::node& node, std::size_t i, double& value) {
            return take_number(node, element(key, i), value, low, high);
        });
    }

    void weights(const char* key, std::array<double, 4>& out) {
        list(key, out, "four numbers, as in [0.1, 0.6, 1, 0.2]",
             [&](const toml::node& node, std::size_t i, double& value) {
                 return take_number(node, element(key, i), value, -3, 3);
             });
    }

    // Lengths in millimetres, or 0 for what is not known.
    template <std::size_t Count>
    void lengths(const char* key, std::array<double, Count>& out, double low, double high) {
        const std::string wanted =
            Count == 3 ? "three lengths, as in [40, 32, 20]" : "four lengths, as in [62, 44, 27, 18]";
        list(key, out, wanted, [&](const toml::node& node, std::size_t i, double& value) {
            const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
            if (number && (*number == 0 || (*number >= low && *number <= high))) {
                value = *number;
                return true;
            }
            complain(node, element(key, i), "0 or a number from " + number_text(low) + " to " + number_text(high));
            return false;
        });
    }

    // One 1 or -1 in each row and column, else 0.
    void axis_matrix(const char* key, std::array<int, 9>& out) {
        constexpr const char* wanted = "nine of 1, -1 and 0, one not 0 in each row and column";
        std::array<int, 9> values = out;
        const bool taken = list(key, values, wanted, [&](const toml::node& node, std::size_t i, int& value) {
            const auto* integer = node.as_integer();
            if (integer != nullptr && integer->get() >= -1 && integer->get() <= 1) {
                value = static_cast<int>(integer->get());
                return true;
            }
            complain(node, element(key, i), "1, -1 or 0");
            return false;
        });
        if (!taken) {
            return;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            const int in_row = std::abs(values[3 * i]) + std::abs(values[3 * i + 1]) + std::abs(values[3 * i + 2]);
            const int in_column = std::abs(values[i]) + std::abs(values[i + 3]) + std::abs(values[i + 6]);
            if (in_row != 1 || in_column != 1) {
                complain(*table_->get(key), path_of(key), wanted);
                return;
            }
        }
        out = values;
    }

    template <class Enum>
    void choice(const char* key, Enum& out, std::initializer_list<std::pair<const char*, Enum>> choices) {
        if (const toml::node* node = find(key)) {
            take_choice(*node, path_of(key), out, choices);
        }
    }

    // All of the choices, each once.
    template <class Enum, std::size_t Count>
    void order(const char* key, std::array<Enum, Count>& out, const std::pair<const char*, Enum> (&choices)[Count]) {
        std::string wanted = "a list of";
        for (const auto& [name, value] : choices) {
            wanted += std::string(" \"") + name + '"';
        }
        wanted += " in the order you want";
        std::array<Enum, Count> values{};
        const bool taken = list(key, values, wanted, [&](const toml::node& node, std::size_t i, Enum& value) {
            return take_choice(node, element(key, i), value, choices);
        });
        if (!taken) {
            return;
        }
        for (std::size_t i = 0; i < Count; ++i) {
            if (std::count(values.begin(), values.end(), values[i]) != 1) {
                complain(*table_->get(key), path_of(key), wanted);
                return;
            }
        }
        out = values;
    }

    // One text, or a list of at least one.
    template <class IsRight>
    void text_or_texts(const char* key, std::vector<std::string>& out, const std::string& wanted, IsRight&& is_right) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return;
        }
        if (const toml::array* list = node->as_array(); list != nullptr && !list->empty()) {
            take_texts(*list, key, out, wanted, is_right);
        } else if (std::string value; take_text(*node, path_of(key), value, wanted, is_right)) {
            out = {std::move(value)};
        }
    }

    template <class IsRight>
    void texts(const char* key, std::vector<std::string>& out, const std::string& wanted, IsRight&& is_right) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return;
        }
        if (const toml::array* list = node->as_array()) {
            take_texts(*list, key, out, wanted, is_right);
        } else {
            complain(*node, path_of(key), "a list, and each entry " + wanted);
        }
    }

    // For rules that concern several keys; after they are read. Points at the first of `keys` that the file has.
    void complain_about(std::initializer_list<const char*> keys, const std::string& what_is_wrong,
                        const std::string& what_would_be_right) {
        for (const char* key : keys) {
            if (const toml::node* node = table_ == nullptr ? nullptr : table_->get(key)) {
                complaints_.add(node->source().begin.line, what_is_wrong, what_would_be_right);
                return;
            }
        }
    }

    void complain_about_unknown_keys() {
        if (table_ == nullptr) {
            return;
        }
        for (const auto& [key, node] : *table_) {
            if (std::find(known_.begin(), known_.end(), key.str()) == known_.end()) {
                std::string known_here;
                for (const std::string& name : known_) {
                    known_here += (known_here.empty() ? "" : ", ") + name;
                }
                complaints_.add(key.source().begin.line, "unknown key " + path_of(shown(key.str())),
                                "known here: " + known_here + did_you_mean(key.str(), known_));
            }
        }
    }

private:
    // A list of exactly so many values, each by `read`; false, and `out` as it was, when the key is missing or wrong.
    template <class Value, std::size_t Count, class Read>
    bool list(const char* key, std::array<Value, Count>& out, const std::string& wanted, Read&& read) {
        const toml::node* node = find(key);
        if (node == nullptr) {
            return false;
        }
        const toml::array* values = node->as_array();
        if (values == nullptr || values->size() != Count) {
            complain(*node, path_of(key), wanted);
            return false;
        }
        std::array<Value, Count> taken{};
        for (std::size_t i = 0; i < Count; ++i) {
            if (!read(values->begin()[static_cast<std::ptrdiff_t>(i)], i, taken[i])) {
                return false;
            }
        }
        out = taken;
        return true;
    }

    const toml::node* find(const char* key) {
        known_.emplace_back(key);
        return table_ == nullptr ? nullptr : table_->get(key);
    }

    [[nodiscard]] std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + '.' + key; }
    [[nodiscard]] std::string element(const char* key, std::size_t index) const {
        return "entry " + std::to_string(index + 1) + " of " + path_of(key);
    }

    void complain(const toml::node& node, const std::string& path, const std::string& wanted) {
        complaints_.add(node.source().begin.line, path + " is " + shown(node), "it must be " + wanted);
    }

    bool take_number(const toml::node& node, const std::string& path, double& out, double low, double high) {
        const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
        if (value && *value >= low && *value <= high) {  // false for NaN
            out = *value;
            return true;
        }
        complain(node, path, "a number from " + number_text(low) + " to " + number_text(high));
        return false;
    }

    template <class Enum, class Choices>
    bool take_choice(const toml::node& node, const std::string& path, Enum& out, const Choices& choices) {
        const auto* text = node.as_string();
        std::string wanted = "one of";
        std::vector<std::string> names;
        for (const auto& [name, value] : choices) {
            if (text != nullptr && text->get() == name) {
                out = value;
                return true;
            }
            wanted += std::string(" \"") + name + '"';
            names.emplace_back(name);
        }
        complain(node, path, text == nullptr ? wanted : wanted + did_you_mean(text->get(), names));
        return false;
    }

    template <class IsRight>
    void take_texts(const toml::array& list, const char* key, std::vector<std::string>& out, const std::string& wanted,
                    IsRight&& is_right) {
        std::vector<std::string> values;
        for (const toml::node& entry : list) {
            std::string value;
            if (!take_text(entry, element(key, values.size()), value, wanted, is_right)) {
                return;
            }
            values.push_back(std::move(value));
        }
        out = std::move(values);
    }

    template <class IsRight>
    bool take_text(const toml::node& node, const std::string& path, std::string& out, const std::string& wanted,
                   IsRight&& is_right) {
        const auto* text = node.as_string();
        if (text != nullptr && is_right(text->get())) {
            out = text->get();
            return true;
        }
        complain(node, path, wanted);
        return false;
    }

    const toml::table* table_;  // null: not in the file
    std::string path_;          // "wrist.view"
    Line line_ = 0;             // of one of tables()
    Complaints& complaints_;
    std::vector<std::string> known_;
};

void read_receiver(Table& in, Config::Receiver& out) {
    in.text_or_texts("address", out.addresses, "an IP address, as in \"192.168.1.20\", or a list of these",
                     [](const std::string& text) { return parse_ip_address(text).has_value(); });
    in.integer<std::uint16_t>("port", out.port, 1, 65535);
    in.texts("allowed_senders", out.allowed_senders,
             "an IP address or a network, as in \"192.168.1.20\" or \"192.168.1.0/24\"",
             [](const std::string& text) { return parse_ip_network(text).has_value(); });

    const auto reachable = std::find_if(out.addresses.begin(), out.addresses.end(),
                                        [](const std::string& text) { return !parse_ip_address(text)->is_loopback(); });
    if (reachable != out.addresses.end() && out.allowed_senders.empty()) {
        in.complain_about({"address"},
                          "receiver.address " + *reachable +
                              " can be reached from other computers, and "
                              "receiver.allowed_senders names none",
                          "list the senders' IP addresses there; listening to this computer alone instead");
        out.addresses = Config::Receiver{}.addresses;
    }
}

void read_age(Table& in, Config::Age& out) {
    in.integer("tracked_ms", out.tracked_ms, 10, 10'000);
    in.integer("valid_ms", out.valid_ms, 10, 60'000);

    if (out.valid_ms < out.tracked_ms) {
        in.complain_about({"valid_ms", "tracked_ms"},
                          "age.valid_ms " + std::to_string(out.valid_ms) + " is less than age.tracked_ms " +
                              std::to_string(out.tracked_ms),
                          "it must be at least as long; both stay as they are by default");
        out = {};
    }
}

void read_placement(Table& in, const char* key, Config::Placement& out) {
    in.table(key, [&](Table& placement) {
        placement.xyz("position_mm", out.position_mm, -10'000, 10'000);
        placement.xyz("rotation_deg", out.rotation_deg, -360, 360);
    });
}

void read_tracker_role(Table& in, const char* key, std::string& out) {
    in.choice<std::string>(key, out,
                           {{"none", ""},
                            {"left_wrist", "left_wrist"},
                            {"right_wrist", "right_wrist"},
                            {"left_elbow", "left_elbow"},
                            {"right_elbow", "right_elbow"},
                            {"handheld_object", "handheld_object"}});
}

// What a hand can follow, as [wrist.offset] calls it.
std::vector<std::string> known_devices() {
    std::vector<std::string> devices{"tracker"};
    for (const std::string_view profile : kInteractionProfiles) {
        for (const char* pose : {"/grip", "/aim", "/palm"}) {
            devices.push_back(std::string(kInteractionProfilePrefix) + std::string(profile) + pose);
        }
    }
    return devices;
}

// False, and a complaint, for what can be no tracked device. A profile that is not known may belong to a controller
// that is newer than this layer.
bool check_device(const std::string& device, Table& in) {
    const std::vector<std::string> known = known_devices();
    if (std::find(known.begin(), known.end(), device) != known.end()) {
        return true;
    }
    const std::string meant = did_you_mean(device, known);
    const std::string_view pose = std::string_view(device).substr(std::min(device.size(), device.rfind('/')));
    if (device.starts_with(kInteractionProfilePrefix) && (pose == "/grip" || pose == "/aim" || pose == "/palm")) {
        in.complain_about_name("names no interaction profile that is known here",
                               "it is taken as it is written" + meant);
        return true;
    }
    in.complain_about_name(
        "names nothing that a hand can follow",
        "it must be \"tracker\" or an interaction profile with /grip, /aim or /palm behind it" + meant);
    return false;
}

void read_wrist(Table& in, Config::Wrist& out) {
    in.choice<Config::WristSource>("source", out.source,
                                   {{"auto", Config::WristSource::automatic},
                                    {"tracker", Config::WristSource::tracker},
                                    {"native", Config::WristSource::native},
                                    {"controller", Config::WristSource::controller},
                                    {"view", Config::WristSource::view},
                                    {"fixed", Config::WristSource::fixed}});
    in.boolean("report_tracked", out.report_tracked);
    in.boolean("self_attach", out.self_attach);
    in.boolean("calibrate_by_gesture", out.calibrate_by_gesture);
    in.table("tracker", [&](Table& tracker) {
        read_tracker_role(tracker, "left", out.tracker.left);
        read_tracker_role(tracker, "right", out.tracker.right);
    });
    if (out.source == Config::WristSource::tracker && out.tracker.left.empty() && out.tracker.right.empty()) {
        in.complain_about({"source"}, "wrist.source is \"tracker\", and wrist.tracker names none",
                          "name a role there; taken as \"auto\"");
        out.source = Config::WristSource::automatic;
    }
    in.tables("offset", [&](const std::string& source, Table& offset) {
        Config::WristOffset wrist{source, {}, {}};
        const auto read_side = [&](const char* key, std::optional<Config::Placement>& side) {
            const std::size_t complaints = offset.complaints_so_far();
            Config::Placement placement{{0, 0, 0}, {0, 0, 0}};
            read_placement(offset, key, placement);
            if (offset.has(key) && offset.complaints_so_far() == complaints) {
                side = placement;
            }
        };
        read_side("left", wrist.left);
        read_side("right", wrist.right);
        if (check_device(source, offset) && (wrist.left || wrist.right)) {
            out.offsets.push_back(std::move(wrist));
        }
    });
    in.table("view", [&](Table& view) {
        read_placement(view, "left", out.view.left);
        read_placement(view, "right", out.view.right);
    });
    in.table("fixed", [&](Table& fixed) {
        fixed.choice<Config::FixedSpace>("space", out.fixed.space,
                                         {{"stage", Config::FixedSpace::stage}, {"local", Config::FixedSpace::local}});
        read_placement(fixed, "left", out.fixed.left);
        read_placement(fixed, "right", out.fixed.right);
    });
}

void read_hand(Table& in, Config::Hand& out) {
    in.number("size_mm", out.size_mm, 60, 130);
    in.table("bones_mm", [&](Table& bones) {
        bones.lengths("thumb", out.bones_mm.thumb, 5, 120);
        bones.lengths("index", out.bones_mm.index, 5, 120);
        bones.lengths("middle", out.bones_mm.middle, 5, 120);
        bones.lengths("ring", out.bones_mm.ring, 5, 120);
        bones.lengths("little", out.bones_mm.little, 5, 120);
    });
}

void read_hand_engine(Table& in, Config::HandEngine& out) {
    in.boolean("enabled", out.enabled);
    in.integer<std::uint16_t>("port", out.port, 1, 65535);
    in.integer("performer", out.performer, 0, 1'000'000);
    in.choice<Config::Axes>("axes", out.axes,
                            {{"auto", Config::Axes::automatic},
                             {"unity-wave", Config::Axes::unity_wave},
                             {"mirror-x", Config::Axes::mirror_x},
                             {"openxr", Config::Axes::openxr},
                             {"custom", Config::Axes::custom}});
    in.table("custom_axes", [&](Table& axes) {
        axes.axis_matrix("left", out.custom_axes.left);
        axes.axis_matrix("right", out.custom_axes.right);
    });
    in.choice<Config::Rest>("rest", out.rest, {{"none", Config::Rest::none}, {"captured", Config::Rest::captured}});
    in.table("kinematic", [&](Table& kinematic) {
        kinematic.boolean("enabled", out.kinematic.enabled);
        kinematic.integer<std::uint16_t>("port", out.kinematic.port, 1, 65535);
    });
}

void read_fnim(Table& in, Config::Fnim& out) {
    read_placement(in, "wrist_in_transmitter", out.wrist_in_transmitter);
    in.table("coil_in_tip_mm", [&](Table& coils) {
        coils.xyz("thumb", out.coil_in_tip_mm.thumb, -50, 50);
        coils.xyz("index", out.coil_in_tip_mm.index, -50, 50);
        coils.xyz("middle", out.coil_in_tip_mm.middle, -50, 50);
        coils.xyz("ring", out.coil_in_tip_mm.ring, -50, 50);
        coils.xyz("little", out.coil_in_tip_mm.little, -50, 50);
    });
}

// Two streams cannot be told apart on one port. The later of the two is not received.
void keep_ports_apart(Table& document, Config& config) {
    Config::HandEngine& engine = config.hand_engine;
    Config::HandEngine::Kinematic& kinematic = engine.kinematic;
    const auto complain = [&](const std::string& first, const std::string& second, std::uint16_t port) {
        document.complain_about({"hand_engine", "receiver"},
                                first + " and " + second + " are both " + std::to_string(port),
                                "each stream needs a port of its own; the stream of " + second + " is off");
    };
    if (engine.enabled && engine.port == config.receiver.port) {
        complain("receiver.port", "hand_engine.port", engine.port);
        engine.enabled = false;
    }
    if (kinematic.enabled && kinematic.port == config.receiver.port) {
        complain("receiver.port", "hand_engine.kinematic.port", kinematic.port);
        kinematic.enabled = false;
    }
    if (kinematic.enabled && engine.enabled && kinematic.port == engine.port) {
        complain("hand_engine.port", "hand_engine.kinematic.port", kinematic.port);
        kinematic.enabled = false;
    }
}

void read_fallback(Table& in, Config::Fallback& out) {
    in.order("order", out.order,
             {{"glove", Config::HandSource::glove},
              {"native", Config::HandSource::native},
              {"controller", Config::HandSource::controller}});
    in.choice<Config::ControllerFingers>("controller_fingers", out.controller_fingers,
                                         {{"off", Config::ControllerFingers::off},
                                          {"when_requested", Config::ControllerFingers::when_requested},
                                          {"always", Config::ControllerFingers::always}});
    in.table("curl", [&](Table& curl) {
        curl.weights("thumb", out.curl.thumb);
        curl.weights("index", out.curl.index);
        curl.weights("middle", out.curl.middle);
        curl.weights("ring", out.curl.ring);
        curl.weights("little", out.curl.little);
        curl.number("open", out.curl.open, 0, 1);
        curl.number("closed", out.curl.closed, 0, 1);
    });
}

void read_document(Table& in, Config& out) {
    in.table("receiver", [&](Table& receiver) { read_receiver(receiver, out.receiver); });
    in.table("hand", [&](Table& hand) { read_hand(hand, out.hand); });
    in.table("hand_engine", [&](Table& hand_engine) { read_hand_engine(hand_engine, out.hand_engine); });
    in.table("fnim", [&](Table& fnim) { read_fnim(fnim, out.fnim); });
    in.table("wrist", [&](Table& wrist) { read_wrist(wrist, out.wrist); });
    in.table("fallback", [&](Table& fallback) { read_fallback(fallback, out.fallback); });
    in.table("age", [&](Table& age) { read_age(age, out.age); });
    in.table("log", [&](Table& log) {
        log.choice<LogLevel>("level", out.log.level,
                             {{"error", LogLevel::error},
                              {"warning", LogLevel::warning},
                              {"info", LogLevel::info},
                              {"debug", LogLevel::debug}});
    });
}

// Every name and value we know is ASCII, so other letters have a place in comments alone; and toml++ runs into
// undefined behaviour where some of them (U+00A1 to U+0499) stand for a name or a value.
std::string with_ascii_alone(std::string_view text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    std::string ascii(text);
    std::replace_if(
        ascii.begin(), ascii.end(), [](char byte) { return static_cast<unsigned char>(byte) > 0x7f; }, '?');
    return ascii;
}

// A dotted key makes a level per dot, and toml++ destroys levels by recursion.
std::optional<Line> line_with_too_many_dots(std::string_view text) {
    for (Line line = 1; !text.empty(); ++line) {
        const std::string_view current = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), current.size() + 1));
        const bool comment = current.substr(0, 1) == "#";
        if (!comment && std::count(current.begin(), current.end(), '.') > kMaxDotsInLine) {
            return line;
        }
    }
    return std::nullopt;
}

std::optional<toml::parse_result> parse_toml(std::string_view text) {
    try {
        return toml::parse(text);
    } catch (const BrokenAssumption&) {
        return std::nullopt;
    }
}

// toml++ does not say where; it is at the end of the shortest beginning of the text that has it.
Line line_that_breaks_an_assumption(std::string_view text) {
    Line understood = 0;
    Line broken = static_cast<Line>(std::count(text.begin(), text.end(), '\n')) + 1;
    while (broken - understood > 1) {
        const Line middle = understood + (broken - understood) / 2;
        std::size_t end = 0;
        for (Line line = 0; line < middle; ++line) {
            end = text.find('\n', end) + 1;
        }
        (parse_toml(text.substr(0, end)) ? understood : broken) = middle;
    }
    return broken;
}

ConfigResult defaults_because(std::string_view file, Line line, const std::string& what_is_wrong,
                              const std::string& what_would_be_right) {
    Complaints complaints(file);
    complaints.add(line, what_is_wrong, what_would_be_right + "; every value keeps its default");
    return {{}, complaints.in_order_of_lines()};
}

}  // namespace

ConfigResult parse_config(std::string_view bytes, std::string_view file) {
    if (bytes.size() > kMaxFileBytes) {
        return defaults_because(file, 1, "the file is too long", "256 KiB are the limit");
    }
    const std::string text = with_ascii_alone(bytes);
    if (const std::optional<Line> line = line_with_too_many_dots(text)) {
        return defaults_because(file, *line, "this line has more than 100 dots", "break it into several lines");
    }
    const std::optional<toml::parse_result> parsed = parse_toml(text);
    if (!parsed) {
        return defaults_because(file, line_that_breaks_an_assumption(text), "this cannot be understood", kWanted);
    }
    if (!*parsed) {
        const toml::parse_error& error = parsed->error();
        return defaults_because(file, error.source().begin.line, shown(error.description()), kWanted);
    }

    ConfigResult result;
    Complaints complaints(file);
    Table document(&parsed->table(), {}, complaints);
    read_document(document, result.config);
    keep_ports_apart(document, result.config);
    document.complain_about_unknown_keys();
    result.complaints = complaints.in_order_of_lines();
    return result;
}

ConfigResult load_config() {
    namespace fs = std::filesystem;
    const fs::path path = paths::config_file();
    if (path.empty()) {
        return {};
    }
    const std::u8string utf8 = path.u8string();
    const std::string name(utf8.begin(), utf8.end());

    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found) {
        return {};
    }
    if (!fs::is_regular_file(status)) {  // opening a FIFO would wait
        return defaults_because(name, 1, "this is not a file that can be read", "a text file is expected here");
    }
    const std::optional<std::string> text = read_file(path, kMaxFileBytes + 1);
    if (!text) {
        return defaults_because(name, 1, "the file cannot be read", "check its permissions");
    }
    return parse_config(*text, name);
}

}  // namespace glove
