// SPDX-License-Identifier: Apache-2.0
// Tests with other layers above and below ours.
#pragma once

#include <span>

#include "folders.hpp"
#include "layers/failer_control.hpp"
#include "layers/recorder_control.hpp"
#include "openxr/loader_fixture.hpp"
#include "samples/run_program.hpp"

namespace glove::test {

using test_layer::FailerControl;
using test_layer::RecorderControl;

// Each joint that a glove sends (no palm, and of the metacarpals the thumb's alone) is as far from the wrist as in
// `joint_in_wrist`, within a millimetre.
[[nodiscard]] bool is_hand(const HandAnswer& answer, std::span<const XrPosef> joint_in_wrist);

class ChainTest : public LoaderTest {
protected:
    // A test layer of its own: own file, own manifest, own control.
    template <class Control>
    struct Neighbour {
        Control& control;
        std::string name;    // of the layer
        std::string folder;  // as an entry of XDG_DATA_DIRS
        Control* operator->() const { return &control; }
    };
    [[nodiscard]] Neighbour<RecorderControl> make_recorder(const std::string& name) const;
    [[nodiscard]] Neighbour<FailerControl> make_failer(const std::string& name) const;

    static constexpr const char* kOurs = GLOVE_BUILD_DIR "/share";
    static constexpr const char* kOurName = "XR_APILAYER_NOVENDOR_glove_hands";
    // What stands between the application and the runtime, the application's side first.
    static void chain(const std::vector<std::string>& folders);

    // Session, both trackers, a space. `extensions` beside hand tracking and headless.
    void begin(std::vector<const char*> extensions = {});
    [[nodiscard]] XrHandTrackerEXT left() const { return left_; }
    [[nodiscard]] XrHandTrackerEXT right() const { return right_; }
    [[nodiscard]] XrSpace local() const { return local_; }
    // Sends the left hand until it is active.
    void wear_left_glove() { wear_glove(pose_, left_, local_); }

    // XR_SUCCESS, or what made it fail; the pointer must fit to it.
    [[nodiscard]] XrResult look_for(const char* name) const;
    [[nodiscard]] bool port_is_free() const;
    [[nodiscard]] static std::ptrdiff_t thread_count();

    // test_application in a process of its own, in this test's environment. Gloves send from its begin to its end.
    [[nodiscard]] Outcome run_with_gloves(const std::vector<std::string>& arguments);

private:
    [[nodiscard]] std::string install(const std::string& name, const char* library, void*& image) const;

    ReferencePose pose_ = reference_pose(Hand::left, "flat");
    XrHandTrackerEXT left_ = XR_NULL_HANDLE;
    XrHandTrackerEXT right_ = XR_NULL_HANDLE;
    XrSpace local_ = XR_NULL_HANDLE;
};

}  // namespace glove::test
