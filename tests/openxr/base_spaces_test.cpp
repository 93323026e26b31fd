// SPDX-License-Identifier: Apache-2.0
// Which spaces the layer knows the up of, as handles come, go and come again for something else. Not covered: the calls
// that tell it (head_anchored_hand_test.cpp).
#include "openxr/wrist/base_spaces.hpp"

#include <gtest/gtest.h>

#include "openxr/loader/registry.hpp"

namespace glove {

class Session {};  // only told from another

namespace {

constexpr XrQuaternionf kLevel{0, 0, 0, 1};

class BaseSpaces : public testing::Test {
protected:
    ~BaseSpaces() override {
        forget_all_of(session_);
        forget_all_of(other_session_);
    }
    static void forget_all_of(const Session& session) {
        (void)BaseSpace::all().take_all([&](const BaseSpace& space) { return space.session == &session; });
    }
    void make(const Session& session, XrReferenceSpaceType type, const XrQuaternionf& in_reference = kLevel) const {
        remember_base_space(session, space_,
                            {XR_TYPE_REFERENCE_SPACE_CREATE_INFO, nullptr, type, {in_reference, {1, 2, 3}}});
    }
    [[nodiscard]] bool is_known() const {
        XrVector3f up{};
        return up_in(space_, up);
    }

    const XrSpace space_ = handle_of<XrSpace>(0x51);
    Session session_;
    Session other_session_;
};

TEST_F(BaseSpaces, AreKnownWhenGravityDefinesThem) {
    for (const auto& [type, is_level] :
         {std::pair{XR_REFERENCE_SPACE_TYPE_LOCAL, true}, std::pair{XR_REFERENCE_SPACE_TYPE_STAGE, true},
          std::pair{static_cast<XrReferenceSpaceType>(1000426000), true},  // LOCAL_FLOOR
          std::pair{XR_REFERENCE_SPACE_TYPE_UNBOUNDED_MSFT, true}, std::pair{XR_REFERENCE_SPACE_TYPE_VIEW, false},
          std::pair{XR_REFERENCE_SPACE_TYPE_COMBINED_EYE_VARJO, false}}) {
        make(session_, type);
        EXPECT_EQ(is_known(), is_level) << type;
    }
}

TEST_F(BaseSpaces, HaveTheirUpWhereTheyWereTurnedFrom) {
    constexpr float kHalfRoot = 0.70710678f;
    // A quarter turn back about X: Z is the room's up then. Over to the left about Z: X is.
    make(session_, XR_REFERENCE_SPACE_TYPE_STAGE, {-kHalfRoot, 0, 0, kHalfRoot});
    XrVector3f up{};
    ASSERT_TRUE(up_in(space_, up));
    EXPECT_NEAR(up.x, 0, 1e-6f);
    EXPECT_NEAR(up.y, 0, 1e-6f);
    EXPECT_NEAR(up.z, 1, 1e-6f);
    make(session_, XR_REFERENCE_SPACE_TYPE_STAGE, {0, 0, kHalfRoot, kHalfRoot});
    ASSERT_TRUE(up_in(space_, up));
    EXPECT_NEAR(up.x, 1, 1e-6f);
    EXPECT_NEAR(up.y, 0, 1e-6f);
    EXPECT_NEAR(up.z, 0, 1e-6f);
}

TEST_F(BaseSpaces, AreForgottenWithTheHandleOrItsNextMeaning) {
    make(session_, XR_REFERENCE_SPACE_TYPE_LOCAL);
    (void)BaseSpace::all().take(key_of(space_));
    EXPECT_FALSE(is_known());
    make(session_, XR_REFERENCE_SPACE_TYPE_LOCAL);
    make(session_, XR_REFERENCE_SPACE_TYPE_VIEW);
    EXPECT_FALSE(is_known());
}

TEST_F(BaseSpaces, AreForgottenWithTheirSession) {
    make(session_, XR_REFERENCE_SPACE_TYPE_LOCAL);
    forget_all_of(other_session_);
    EXPECT_TRUE(is_known());
    forget_all_of(session_);
    EXPECT_FALSE(is_known());
}

}  // namespace
}  // namespace glove
