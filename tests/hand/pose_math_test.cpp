// SPDX-License-Identifier: Apache-2.0
// Quaternion arithmetic against 3x3 matrices in double precision, and against turns worked out by hand.
// Not covered: speed (tests/bench), and inputs that are not finite except where a function promises an answer for them.
#include "hand/pose_math.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "near.hpp"

namespace glove {
namespace {

using namespace test;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
constexpr int kRounds = 5000;

class PoseMath : public testing::Test {
protected:
    float number(float limit) { return std::uniform_real_distribution<float>(-limit, limit)(random_); }
    XrVector3f vector(float limit) { return {number(limit), number(limit), number(limit)}; }
    XrQuaternionf rotation() {
        std::normal_distribution<float> part;
        return normalised({part(random_), part(random_), part(random_), part(random_)});
    }
    XrPosef pose() { return {rotation(), vector(0.5f)}; }

private:
    std::mt19937 random_{20240611};  // fixed: a failure can be repeated
};

double size_of(const XrQuaternionf& q) {
    return std::sqrt(double{q.x} * q.x + double{q.y} * q.y + double{q.z} * q.z + double{q.w} * q.w);
}

void expect_near(const Row& a, const Row& b, double tolerance) {
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(a[i], b[i], tolerance) << "component " << i;
    }
}

TEST_F(PoseMath, RotatingAVectorAgreesWithTheMatrix) {
    for (int i = 0; i < kRounds; ++i) {
        const XrQuaternionf q = rotation();
        const XrVector3f v = vector(0.3f);
        expect_near(row_of(rotate(q, v)), matrix_of(q) * row_of(v), 2e-7);
    }
}

TEST_F(PoseMath, AProductTurnsFirstByItsRightFactor) {
    for (int i = 0; i < kRounds; ++i) {
        const XrQuaternionf a = rotation();
        const XrQuaternionf b = rotation();
        EXPECT_LT(degrees_between(matrix_of(multiply(a, b)), matrix_of(a) * matrix_of(b)), 1e-4);
    }
}

TEST_F(PoseMath, RotationKeepsLength) {
    for (int i = 0; i < kRounds; ++i) {
        const XrVector3f v = vector(1);
        EXPECT_NEAR(length(rotate(rotation(), v)), length(v), 1e-6f);
    }
}

TEST_F(PoseMath, APoseAfterItsInverseIsTheIdentity) {
    for (int i = 0; i < kRounds; ++i) {
        const XrPosef a = pose();
        for (const XrPosef& nothing : {compose(a, inverse(a)), compose(inverse(a), a)}) {
            EXPECT_LT(degrees_between(nothing.orientation, kNoRotation), 1e-4);
            expect_near(row_of(nothing.position), {0, 0, 0}, 1e-6);
        }
    }
}

TEST_F(PoseMath, ComposedPosesAgreeWithTheMatrices) {
    for (int i = 0; i < kRounds; ++i) {
        const XrPosef a = pose();
        const XrPosef b = pose();
        const XrPosef c = compose(a, b);
        const Row moved = matrix_of(a.orientation) * row_of(b.position);
        expect_near(row_of(c.position), {moved[0] + a.position.x, moved[1] + a.position.y, moved[2] + a.position.z},
                    1e-6);
        EXPECT_LT(degrees_between(matrix_of(c.orientation), matrix_of(a.orientation) * matrix_of(b.orientation)), 1e-4);
    }
}

TEST_F(PoseMath, NormalisedQuaternionsAreOfUnitLengthAndTheSameTurn) {
    for (const float scale : {1e-3f, 0.5f, 1.5f, 1e3f}) {
        for (int i = 0; i < kRounds; ++i) {
            const XrQuaternionf q = rotation();
            const XrQuaternionf unit = normalised({scale * q.x, scale * q.y, scale * q.z, scale * q.w});
            EXPECT_NEAR(size_of(unit), 1, 1e-6);
            EXPECT_LT(degrees_between(unit, q), 1e-4);
        }
    }
}

TEST_F(PoseMath, AQuaternionWithoutDirectionBecomesNoRotation) {
    for (const XrQuaternionf& q : {XrQuaternionf{0, 0, 0, 0}, {kNotANumber, 0, 0, 1}, {0, kInfinity, 0, 1}}) {
        const XrQuaternionf unit = normalised(q);
        EXPECT_EQ(unit.x, 0);
        EXPECT_EQ(unit.y, 0);
        EXPECT_EQ(unit.z, 0);
        EXPECT_EQ(unit.w, 1);
    }
}

TEST_F(PoseMath, AQuarterTurnAboutZTakesXToY) {
    const XrQuaternionf q = rotation_about({0, 0, 1}, std::numbers::pi_v<float> / 2);
    expect_near(row_of(rotate(q, {1, 0, 0})), {0, 1, 0}, 1e-6);
    expect_near(row_of(rotate(q, {0, 1, 0})), {-1, 0, 0}, 1e-6);
}

TEST_F(PoseMath, RotationVectorAndItsInverseUndoEachOther) {
    for (const float angle : {0.0f, 1e-7f, 1e-4f, 0.01f, 1.0f, 3.0f, 3.1415f}) {
        for (int i = 0; i < 200; ++i) {
            const XrVector3f v = angle * direction(vector(1), {1, 0, 0});
            const XrVector3f back = rotation_vector(from_rotation_vector(v));
            expect_near(row_of(back), row_of(v), angle > 3 ? 1e-5 : 1e-6 * angle + 1e-12);
        }
    }
}

TEST_F(PoseMath, ARotationVectorHasTheAxisAndTheShorterAngle) {
    const XrQuaternionf q = rotation_about({0, 1, 0}, 1.25f);
    expect_near(row_of(rotation_vector(q)), {0, 1.25, 0}, 1e-6);
    expect_near(row_of(rotation_vector({-q.x, -q.y, -q.z, -q.w})), {0, 1.25, 0}, 1e-6);
    expect_near(row_of(rotation_vector(rotation_about({0, 1, 0}, 5))), {0, 5 - 2 * std::numbers::pi, 0}, 1e-6);
    expect_near(row_of(rotation_vector(kNoRotation)), {0, 0, 0}, 0);
}

TEST_F(PoseMath, AxesOfAMatrixGiveItsQuaternion) {
    for (int i = 0; i < kRounds; ++i) {
        // Half turns about an axis are where a careless formula divides by nothing.
        const XrQuaternionf q = i == 0   ? XrQuaternionf{1, 0, 0, 0}
                                : i == 1 ? XrQuaternionf{0, 1, 0, 0}
                                : i == 2 ? XrQuaternionf{0, 0, 1, 0}
                                         : rotation();
        const XrQuaternionf back = from_axes(rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1}));
        EXPECT_LT(degrees_between(back, q), 1e-4);
        EXPECT_NEAR(size_of(back), 1, 1e-6);
    }
}

TEST_F(PoseMath, ABoneLiesAlongMinusZWithYNearestUp) {
    for (int i = 0; i < kRounds; ++i) {
        const XrVector3f bone = vector(0.05f);
        const XrVector3f up = vector(1);
        if (length(cross(bone, up)) < 0.05f * length(bone) * length(up)) {
            continue;
        }
        const XrQuaternionf q = bone_orientation(bone, up, kNoRotation);
        EXPECT_LT(degrees_between(axis_of(q, 2), row_of(-bone)), 0.01);
        EXPECT_NEAR(dot_product(axis_of(q, 0), row_of(up)), 0, 1e-5);
        EXPECT_GT(dot_product(axis_of(q, 1), row_of(up)), 0);
    }
}

TEST_F(PoseMath, ABoneWithoutDirectionOrAlongUpTakesTheFallback) {
    const XrQuaternionf fallback = rotation_about({1, 0, 0}, 0.5f);
    for (const auto& [bone, up] : {std::pair<XrVector3f, XrVector3f>{{0, 0, 0}, {0, 1, 0}},
                                   {{0, 0, -1}, {0, 0, 0}},
                                   {{0, 2, 0}, {0, 1, 0}},
                                   {{0, -1, 0}, {0, 3, 0}},
                                   {{kNotANumber, 0, 0}, {0, 1, 0}},
                                   {{0, 0, kInfinity}, {0, 1, 0}}}) {
        EXPECT_LT(degrees_between(bone_orientation(bone, up, fallback), fallback), 1e-4);
    }
}

TEST_F(PoseMath, DirectionIsOfUnitLengthDownToAMicrometre) {
    for (const float size : {2e-6f, 1e-3f, 1.0f, 1e6f}) {
        EXPECT_NEAR(length(direction({0.6f * size, 0, -0.8f * size}, {0, 0, 0})), 1, 1e-6f);
    }
    for (const XrVector3f& nowhere : {XrVector3f{0, 0, 0}, {1e-8f, 0, 0}, {kNotANumber, 0, 0}, {kInfinity, 0, 0}}) {
        expect_near(row_of(direction(nowhere, {0, 1, 0})), {0, 1, 0}, 0);
    }
}

TEST_F(PoseMath, EulerAnglesTurnAboutFixedAxesXFirst) {
    // About x: y to z. About z: z stays. The other order would take y to -x.
    expect_near(row_of(rotate(from_euler_degrees(90, 0, 90), {0, 1, 0})), {0, 0, 1}, 1e-6);
    // About x: z to -y. About y: -y stays. The other order would take z to x.
    expect_near(row_of(rotate(from_euler_degrees(90, 90, 0), {0, 0, 1})), {0, -1, 0}, 1e-6);
    // About y: x to -z. About z: -z stays. The other order would take x to y.
    expect_near(row_of(rotate(from_euler_degrees(0, 90, 90), {1, 0, 0})), {0, 0, -1}, 1e-6);
}

TEST_F(PoseMath, TheAngleBetweenRotationsKeepsItsDigitsWhenSmall) {
    for (const float angle : {0.0f, 1e-5f, 1e-3f, 0.5f, 3.14f}) {
        const XrQuaternionf turn = rotation_about({0, 0.6f, 0.8f}, angle);
        EXPECT_NEAR(angle_between(kNoRotation, turn), angle, 1e-6);
        EXPECT_NEAR(angle_between(turn, {0, 0, 0, -1}), angle, 1e-6);
    }
    for (int i = 0; i < kRounds; ++i) {
        const XrQuaternionf a = rotation();
        const XrQuaternionf b = rotation();
        EXPECT_NEAR(angle_between(a, b) / kRadiansPerDegree, degrees_between(a, b), 1e-3);
        EXPECT_NEAR(angle_between(a, a), 0, 1e-6);
    }
}

TEST_F(PoseMath, SlerpTurnsEvenlyAlongTheShorterArc) {
    for (int i = 0; i < kRounds; ++i) {
        const XrQuaternionf a = rotation();
        const XrQuaternionf b = rotation();
        const double whole = degrees_between(a, b);
        if (whole > 179) {
            continue;  // either way is the shorter one
        }
        for (const float t : {0.0f, 0.25f, 0.5f, 1.0f}) {
            const XrQuaternionf q = slerp(a, b, t);
            EXPECT_NEAR(degrees_between(a, q), t * whole, 1e-3);
            EXPECT_NEAR(degrees_between(q, b), (1 - t) * whole, 1e-3);
            EXPECT_NEAR(size_of(q), 1, 1e-6);
            EXPECT_LT(degrees_between(slerp(a, {-b.x, -b.y, -b.z, -b.w}, t), q), 1e-3);
        }
    }
}

TEST_F(PoseMath, SlerpGoesOnBeyondItsEnds) {
    const XrQuaternionf a = rotation_about({1, 0, 0}, 0.2f);
    const XrQuaternionf b = rotation_about({1, 0, 0}, 0.5f);
    EXPECT_LT(degrees_between(slerp(a, b, 2), rotation_about({1, 0, 0}, 0.8f)), 1e-4);
    EXPECT_LT(degrees_between(slerp(a, b, -1), rotation_about({1, 0, 0}, -0.1f)), 1e-4);
    EXPECT_LT(degrees_between(slerp(a, a, 0.3f), a), 1e-4);
}

}  // namespace
}  // namespace glove
