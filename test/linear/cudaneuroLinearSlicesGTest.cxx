// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/DisplacementField.h"
#include "linear/SlicePhantom.h"

using namespace slicephantom;

namespace
{

class LinearSlices : public DeviceTest
{};

constexpr LinearTransformType allTypes[] = { LinearTransformType::Translation,
                                             LinearTransformType::Rigid,
                                             LinearTransformType::Similarity,
                                             LinearTransformType::Affine };

/** In mm, for voxels of 1.8 mm. */
constexpr double tolerance = 0.3;
/** In mm, of coordinates below 100 mm in double precision, after some products of matrices. */
constexpr double toleranceOfPlane = 1e-9;

LinearRegistrationParameters
ParametersOf(LinearTransformType type)
{
  LinearRegistrationParameters parameters;
  parameters.transformType = type;
  return parameters;
}

/** Linear interpolation smooths an image where its voxels do not fall on those of the other one: metrics of a slice,
 * in which edges are a large part, are best with a scale or shear that is off by up to 0.2 percent, and mutual
 * information by up to 0.5 percent, of the 85 mm from the center to a corner. */
double
ToleranceOf(LinearTransformType type, RegistrationMetric metric)
{
  const bool isScaled = type == LinearTransformType::Similarity || type == LinearTransformType::Affine;
  return isScaled && metric == RegistrationMetric::MutualInformation ? 0.45 : isScaled ? 0.2 : tolerance;
}

} // namespace

TEST_P(LinearSlices, AreRegisteredInTheirPlane)
{
  for (const NamedPlane & plane : AllPlanes())
  {
    const PlacedImage fixed = Sample(FixedSlice(plane), WholeHead);
    for (const LinearTransformType type : allTypes)
    {
      const AffineMap   known = Between(plane, KnownMap(type, 2, 8.0), plane);
      const PlacedImage moving = MovingSliceOf(MovingSlice(plane), known);
      for (const RegistrationMetric metric : { RegistrationMetric::MutualInformation, RegistrationMetric::MeanSquares })
      {
        SCOPED_TRACE(testing::Message() << plane.name << ' ' << type << ' ' << metric);
        LinearRegistrationParameters parameters = ParametersOf(type);
        parameters.metric.metric = metric;
        parameters.convergenceThreshold = 1e-4;
        const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
        EXPECT_LT(CornerDistance(fixed.geometry, result.transform, known), ToleranceOf(type, metric));
        EXPECT_LT(DistanceFromPlane(fixed.geometry, result.transform, plane), toleranceOfPlane);
        EXPECT_LT(DistanceFromPlane(fixed.geometry, result.start, plane), toleranceOfPlane);
        EXPECT_TRUE(result.isSuccess) << result.quality;
        // Along the normal, points keep their distance.
        const Point normal = Mapped({ plane.toSpace.matrix, {} }, { 0.0, 0.0, 1.0 });
        const Point image = Mapped({ result.transform.matrix, {} }, normal);
        for (int axis = 0; axis < 3; ++axis)
        {
          EXPECT_NEAR(image[axis], normal[axis], 1e-12);
        }
      }
    }
  }
}

TEST_P(LinearSlices, StartsTakePlanesToPlanes)
{
  // The first is far above the plane of the fixed image; the second has its axes exchanged: x is what was y, y was z, z
  // was x.
  const NamedPlane fixedPlane = PlaneOf("sagittal", { 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0 }, 11.0);
  NamedPlane       higher = fixedPlane;
  higher.toSpace.offset[0] += 31.0;
  const AffineMap   permutation{ { 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0 }, {} };
  const NamedPlane  permuted{ "permuted", Compose(permutation, fixedPlane.toSpace) };
  const NamedPlane  oblique = PlaneOf("oblique", ObliqueAxes(), -20.0);
  const PlacedImage fixed = Sample(FixedSlice(fixedPlane), WholeHead);
  for (const NamedPlane & plane : { higher, permuted, oblique })
  {
    const AffineMap   known = Between(fixedPlane, KnownMap(LinearTransformType::Rigid, 2, 8.0), plane);
    const PlacedImage moving = MovingSliceOf(MovingSlice(plane), known);
    for (const LinearStart start : { LinearStart::GridCenters, LinearStart::CentersOfMass, LinearStart::PrincipalAxes })
    {
      SCOPED_TRACE(testing::Message() << plane.name << ' ' << start);
      LinearRegistrationParameters parameters = ParametersOf(LinearTransformType::Rigid);
      parameters.start = start;
      parameters.searchAngle = 180.0; // the smallest rotation between planes leaves a rotation in the plane
      const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving));
      EXPECT_LT(CornerDistance(fixed.geometry, result.transform, known), tolerance);
      EXPECT_LT(DistanceFromPlane(fixed.geometry, result.transform, plane), toleranceOfPlane);
      EXPECT_TRUE(result.isSuccess) << result.quality;
    }
  }
}

TEST_P(LinearSlices, TakeInitialTransformsInTheirPlane)
{
  for (const NamedPlane & plane : AllPlanes())
  {
    SCOPED_TRACE(plane.name);
    const PlacedImage            fixed = Sample(FixedSlice(plane), WholeHead);
    const AffineMap              known = Between(plane, KnownMap(LinearTransformType::Rigid, 2, 40.0), plane);
    const PlacedImage            moving = MovingSliceOf(MovingSlice(plane), known);
    LinearRegistrationParameters parameters = ParametersOf(LinearTransformType::Rigid);
    parameters.start = LinearStart::InitialTransform;
    parameters.searchAngle = 0.0;
    parameters.searchDistance = 0.0;
    const AffineMap near = Between(plane, KnownMap(LinearTransformType::Rigid, 2, 35.0), plane);
    const auto      result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving), near);
    EXPECT_LT(CornerDistance(fixed.geometry, result.start, near), toleranceOfPlane);
    EXPECT_LT(CornerDistance(fixed.geometry, result.transform, known), tolerance);
    EXPECT_LT(DistanceFromPlane(fixed.geometry, result.transform, plane), toleranceOfPlane);

    AffineMap lifted;
    lifted.offset[2] = 2.25;
    const AffineMap away = Between(plane, lifted, plane);
    ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving), away); },
                           "moving slice",
                           "2.25 mm");
    // Of other starts, it is the rotation alone that counts.
    parameters.start = LinearStart::CentersOfMass;
    parameters.searchAngle = 60.0;
    const auto started = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving), away);
    EXPECT_LT(CornerDistance(fixed.geometry, started.transform, known), tolerance);
  }
}

TEST_P(LinearSlices, TakeRotationsThatTurnThemOver)
{
  const NamedPlane plane = AllPlanes().back();
  const AffineMap  over{ { 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, -1.0 }, {} };
  const auto       turned = [&](double degrees) {
    return Between(plane, Compose(over, KnownMap(LinearTransformType::Rigid, 2, degrees)), plane);
  };
  const PlacedImage            fixed = Sample(FixedSlice(plane), WholeHead);
  const PlacedImage            moving = MovingSliceOf(MovingSlice(plane), turned(12.0));
  LinearRegistrationParameters parameters = ParametersOf(LinearTransformType::Rigid);
  parameters.start = LinearStart::InitialTransform;
  const auto result = RegisterLinearly(this->GetContext(), parameters, Images(fixed, moving), turned(5.0));
  EXPECT_LT(CornerDistance(fixed.geometry, result.transform, turned(12.0)), tolerance);
  for (int entry = 0; entry < 9; ++entry)
  {
    double product = 0.0;
    for (int k = 0; k < 3; ++k)
    {
      product += result.transform.matrix[entry / 3 + 3 * k] * result.transform.matrix[entry % 3 + 3 * k];
    }
    EXPECT_NEAR(product, entry % 4 == 0 ? 1.0 : 0.0, 1e-12); // it is a rotation of space still
  }
}

/** The metric and its derivatives by any map in the plane are those of the same images on the plane z = 0. */
TEST_P(LinearSlices, MetricsAreThoseOfThePlane)
{
  const NamedPlane  across = AllPlanes().front();
  const AffineMap   inPlane = KnownMap(LinearTransformType::Affine, 2, 5.0);
  const PlacedImage fixed = Sample(FixedSlice(across), WholeHead);
  const PlacedImage moving = Sample(MovingSlice(across), WholeHead);
  for (const RegistrationMetric metric :
       { RegistrationMetric::MutualInformation, RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation })
  {
    for (const bool isSymmetric : { false, true })
    {
      for (const NamedPlane & plane : AllPlanes())
      {
        SCOPED_TRACE(testing::Message() << plane.name << ' ' << metric << ' ' << isSymmetric);
        LinearMetricParameters parameters;
        parameters.metric = metric;
        parameters.useSymmetricMetric = isSymmetric;
        const auto evaluate = [&](const NamedPlane & place) {
          LinearMetricImages images = Images(fixed, moving);
          images.fixedGeometry = FixedSlice(place);
          images.movingGeometry = MovingSlice(place);
          std::vector<LinearMetricEvaluation> evaluations(1);
          evaluations[0].map = Between(place, inPlane, place);
          LinearMetric(this->GetContext(), parameters, images).Evaluate(evaluations);
          return evaluations[0];
        };
        const LinearMetricEvaluation expected = evaluate(across);
        const LinearMetricEvaluation found = evaluate(plane);
        // Indices differ by rounding in double precision, and voxels are in float.
        EXPECT_NEAR(found.value, expected.value, 1e-6 * std::abs(expected.value));
        EXPECT_EQ(found.overlap, expected.overlap);
        const auto change = [&](const LinearMetricEvaluation & evaluation, const NamedPlane & place, int entry) {
          AffineMap step{ {}, {} };
          (entry < 4 ? step.matrix[entry / 2 * 3 + entry % 2] : step.offset[entry - 4]) = 1.0;
          // What T + step makes of a point beside T, in space.
          const AffineMap linear = Compose({ place.toSpace.matrix, {} }, Compose(step, Inverse(place.toSpace)));
          double          sum = 0.0;
          for (int k = 0; k < 9; ++k)
          {
            sum += linear.matrix[k] * evaluation.derivativeByMatrix[k];
          }
          for (int k = 0; k < 3; ++k)
          {
            sum += linear.offset[k] * evaluation.derivativeByOffset[k];
          }
          return sum;
        };
        double largest = 0.0;
        for (int entry = 0; entry < 6; ++entry)
        {
          largest = std::max(largest, std::abs(change(expected, across, entry)));
        }
        for (int entry = 0; entry < 6; ++entry)
        {
          EXPECT_NEAR(change(found, plane, entry), change(expected, across, entry), 1e-5 * largest) << entry;
        }
      }
    }
  }
}

TEST_P(LinearSlices, AreWarpedInTheirPlane)
{
  for (const NamedPlane & plane : AllPlanes())
  {
    SCOPED_TRACE(plane.name);
    const AffineMap    known = Between(plane, KnownMap(LinearTransformType::Similarity, 2, 8.0), plane);
    const PlacedImage  fixed = Sample(FixedSlice(plane), WholeHead);
    const PlacedImage  moving = MovingSliceOf(MovingSlice(plane), known);
    std::vector<float> warped(fixed.values.size(), -1.0f);
    WarpMovingImage(this->GetContext(), WarpParameters(), Images(fixed, moving), known, View(warped));
    double sum = 0.0;
    for (std::size_t i = 0; i < warped.size(); ++i)
    {
      sum += std::abs(static_cast<double>(warped[i]) - static_cast<double>(fixed.values[i]));
    }
    // Linear interpolation of voxels of 1.7 mm; the images without the map differ by more than ten times as much.
    EXPECT_LT(sum / static_cast<double>(warped.size()), 1.0);
  }
}

TEST_P(LinearSlices, AreNotRegisteredToVolumes)
{
  const NamedPlane plane = AllPlanes().back();
  Geometry         thick = FixedSlice(plane);
  thick.grid.size[2] = 7;
  const PlacedImage slice = Sample(FixedSlice(plane), WholeHead);
  const PlacedImage volume = Sample(thick, WholeHead);
  const auto        parameters = ParametersOf(LinearTransformType::Rigid);
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), parameters, Images(slice, volume)); },
                         "the size of the moving image",
                         "90 x 94 x 7; it must be that of one slice, as the fixed image's, 90 x 94 x 1");
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), parameters, Images(volume, slice)); },
                         "the size of the moving image",
                         "90 x 94 x 1; it must be that of several slices, as the fixed image's, 90 x 94 x 7");
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearSlices);
