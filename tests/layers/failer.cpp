// SPDX-License-Identifier: Apache-2.0
// The failer: passes everything on but what it was told to fail.
#include "layers/failer_control.hpp"

#include <type_traits>

#include "layers/element.hpp"

namespace glove::test_layer {
namespace {

// Never destroyed: a program may leave main() with its instance alive.
FailerControl& control() {
    static FailerControl& the_control = *new FailerControl;
    return the_control;
}

struct Failer {
    template <class Call, class First, class... Rest>
    static XrResult around(std::string_view function, Call&& call, First first, Rest...) {
        const XrResult scripted = control().called(function);
        if (XR_FAILED(scripted)) {
            return scripted;
        }
        if constexpr (std::is_same_v<First, const XrInstanceCreateInfo*>) {
            if (const XrResult result = control().created(*first); XR_FAILED(result)) {
                return result;
            }
        }
        const XrResult result = call();
        return result == XR_SUCCESS ? scripted : result;
    }
    static XrResult look_up(XrInstance, std::string_view name, PFN_xrVoidFunction* function) {
        const XrResult result = control().looked_up(name);
        if (XR_FAILED(result)) {
            *function = reinterpret_cast<PFN_xrVoidFunction>(&Element<Failer>::get_proc);
        }
        return result;
    }
    static bool gives_out_everything() { return false; }
    static std::string_view offers() { return {}; }
    static bool looks_around() { return false; }
    static void saw(const Listed&, const Listed&) {}
};

}  // namespace
}  // namespace glove::test_layer

GLOVE_TEST_LAYER(glove::test_layer::Failer)

GLOVE_LAYER_EXPORT glove::test_layer::FailerControl* glove_failer_control() {
    return &glove::test_layer::control();
}
