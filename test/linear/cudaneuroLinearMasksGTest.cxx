// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

#include <limits>
#include <sstream>

/** Linear registration of a head with masks, far from where it starts, with whatever outside of them. */
namespace
{

using namespace linearphantom;

/** A head, and a mask of it and of the air around it. */
struct MaskedHead
{
  PlacedImage                image;
  std::vector<unsigned char> mask;

  /** With this outside the mask. */
  PlacedImage
  With(float outside) const
  {
    PlacedImage changed = image;
    for (std::size_t i = 0; i < mask.size(); ++i)
    {
      changed.values[i] = mask[i] != 0 ? image.values[i] : outside;
    }
    return changed;
  }
};

/** \param back from points of the image to points of the head */
MaskedHead
MakeMaskedHead(const Geometry & geometry, const AffineMap & back)
{
  MaskedHead        head{ Sample(geometry, [&](const Point & p) { return Head(Mapped(back, p)); }), {} };
  const PlacedImage inside = Sample(geometry, [&](const Point & p) {
    const Point q = Mapped(back, p);
    return std::hypot(q[0] / 32.0, q[1] / 39.0, q[2] / 29.0) < 1.0 ? 1.0 : 0.0;
  });
  head.mask.assign(inside.values.begin(), inside.values.end());
  return head;
}

std::string
Describe(int dimension, RegistrationMetric metric, LinearStart start, double searchAngle)
{
  std::ostringstream text;
  text << dimension << "D, " << metric << ", " << start << ", search by " << searchAngle;
  return text.str();
}

class LinearMasks : public DeviceTest
{
protected:
  /** Expects the map of heads that are turned, with 777 and NaN outside the masks. */
  void
  ExpectFound(int dimension, LinearRegistrationParameters parameters, const AffineMap & initial, double degrees)
  {
    SCOPED_TRACE(Describe(dimension, parameters.metric.metric, parameters.start, parameters.searchAngle));
    const AffineMap  known = KnownMap(LinearTransformType::Rigid, dimension, degrees);
    const MaskedHead fixed = MakeMaskedHead(FixedGeometry(dimension), AffineMap());
    const MaskedHead moving = MakeMaskedHead(MovingGeometry(dimension), Inverse(known));
    parameters.transformType = LinearTransformType::Rigid;
    parameters.convergenceThreshold = 1e-3; // ends of iterations are 0.17 mm apart by default
    LinearRegistrationResult first;
    for (const float outside : { 777.0f, std::numeric_limits<float>::quiet_NaN() })
    {
      const PlacedImage  changedFixed = fixed.With(outside);
      const PlacedImage  changedMoving = moving.With(outside);
      LinearMetricImages images = Images(changedFixed, changedMoving);
      images.fixedMask = ConstView(fixed.mask);
      images.movingMask = ConstView(moving.mask);
      const auto result = RegisterLinearly(this->GetContext(), parameters, images, initial);
      EXPECT_LT(MeanDistance(result.transform, known, dimension), 0.1) << outside;
      first = outside == 777.0f ? result : first;
      EXPECT_TRUE(HasSameBits(result.start, first.start)) << outside;
      EXPECT_TRUE(HasSameBits(result.transform, first.transform)) << outside;
      EXPECT_EQ(result.value, first.value) << outside;
      EXPECT_EQ(result.quality, first.quality) << outside;
    }
  }
};

/** More than a registration finds without a search or the axes of the head. */
TEST_P(LinearMasks, AHeadIsFoundThatIsTurnedBySixtyDegrees)
{
  for (const int dimension : { 2, 3 })
  {
    for (const auto metric : { RegistrationMetric::MeanSquares,
                               RegistrationMetric::LocalCorrelation,
                               RegistrationMetric::MutualInformation })
    {
      LinearRegistrationParameters parameters;
      parameters.metric.metric = metric;
      parameters.searchAngle = 70.0;
      this->ExpectFound(dimension, parameters, AffineMap(), 60.0);
      parameters.searchAngle = 0.0;
      parameters.searchDistance = 0.0;
      parameters.start = LinearStart::PrincipalAxes;
      this->ExpectFound(dimension, parameters, AffineMap(), 60.0);
    }
  }
}

/** Twelve degrees are left, and centers take back the shift. */
TEST_P(LinearMasks, EachStartIsThatOfTheMaskedHead)
{
  for (const int dimension : { 2, 3 })
  {
    for (const auto start : { LinearStart::CentersOfMass, LinearStart::GridCenters, LinearStart::InitialTransform })
    {
      LinearRegistrationParameters parameters;
      parameters.metric.metric = RegistrationMetric::MeanSquares;
      parameters.start = start;
      parameters.searchAngle = 0.0;
      parameters.searchDistance = 0.0;
      AffineMap initial = Rotation(dimension, 48.0);
      initial.offset[0] = start == LinearStart::InitialTransform ? 2.0 : 50.0;
      this->ExpectFound(dimension, parameters, initial, 60.0);
    }
  }
}

/** A slab between the voxels that a coarse level would take as the nearest ones. */
TEST_P(LinearMasks, AMaskMayBeThinnerThanCoarseVoxels)
{
  const AffineMap  known = KnownMap(LinearTransformType::Translation, 3, 0.0);
  const MaskedHead fixed = MakeMaskedHead(FixedGeometry(3), AffineMap());
  const MaskedHead moving = MakeMaskedHead(MovingGeometry(3), Inverse(known));
  const auto &     size = fixed.image.geometry.grid.size;
  for (std::int64_t first = size[2] / 2; first < size[2] / 2 + 8; first += 2)
  {
    std::vector<unsigned char> slab(fixed.mask.size(), 0);
    std::fill_n(slab.begin() + first * size[0] * size[1], 2 * size[0] * size[1], static_cast<unsigned char>(1));
    LinearRegistrationParameters parameters;
    parameters.metric.metric = RegistrationMetric::MeanSquares;
    parameters.transformType = LinearTransformType::Translation;
    parameters.levels = { { { 8, 8, 8 }, 100 }, { { 2, 2, 2 }, 100 } };
    LinearMetricImages images = Images(fixed.image, moving.image);
    images.fixedMask = ConstView(slab);
    const auto result = RegisterLinearly(this->GetContext(), parameters, images, AffineMap());
    // Two planes tell little of a shift across them.
    EXPECT_LT(MeanDistance(result.transform, known, 3), 2.0) << "planes from " << first << " on";
  }
}

} // namespace

CUDANEURO_TEST_ON_ALL_DEVICES(LinearMasks);
