// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "HardPhantoms.h"
#include "MapOnGrid.h"
#include "RegistrationRuns.h"

#include <algorithm>
#include <cmath>

/** The map and the inverse that registrations give: determinants of both, and how far they are from inverses, with
 * sums in double that share no code with the engine. */
namespace
{

using namespace cudaneuro;
using namespace hardphantoms;
using namespace registrationruns;
using namespace maps;

RegistrationParameters
OfSymmetricBalls(std::uint64_t seed)
{
  RegistrationParameters parameters = OfBalls(seed);
  parameters.isSymmetric = true;
  return parameters;
}

/** The limit that joined maps keep; they are written in mm, in float. */
constexpr double largestError = 0.4 + 1e-5;

void
ExpectGoodMaps(const BothMaps & outcome, const HardPair & pair, double minimumJacobian)
{
  const MapOnGrid map{ pair.geometry.grid, outcome.displacement };
  const MapOnGrid inverse{ pair.geometry.grid, outcome.inverse };
  // Differences of float32 displacements of up to 10 voxels, multiplied in another precision.
  constexpr double rounding = 1e-5;
  EXPECT_GT(LeastJacobian(map), 0.0);
  EXPECT_GT(LeastJacobian(inverse), 0.0);
  EXPECT_GE(LeastJacobian(map), minimumJacobian - rounding);
  EXPECT_GE(LeastJacobian(inverse), minimumJacobian - rounding);
  EXPECT_NEAR(outcome.result.jacobian.minimum, LeastJacobian(map), rounding);
  EXPECT_LE(ErrorOfInverse(map, inverse).maximumInVoxels, largestError);
  EXPECT_LE(ErrorOfInverse(inverse, map).maximumInVoxels, largestError);
}

class JoinedMaps : public DeviceTest
{};

/** Before the joined maps were repaired, 10 of the 20 folded, and they were up to 15 voxels from inverses. */
TEST_P(JoinedMaps, KeepTheBoundOnHardPhantoms)
{
  int numberNearBound = 0;
  for (std::uint64_t seed = 1; seed <= numberOfBalls; ++seed)
  {
    SCOPED_TRACE(seed);
    const RegistrationParameters parameters = OfSymmetricBalls(seed);
    const HardPair               pair = MakeBalls(seed);
    const BothMaps               outcome = RunBothWays(this->GetContext(), parameters, pair);
    ExpectGoodMaps(outcome, pair, parameters.jacobianBound);
    EXPECT_LT(outcome.result.final.energy, outcome.result.iterations.front().energy);
    numberNearBound += outcome.result.final.minimumJacobian < 2.0 * parameters.jacobianBound ? 1 : 0;
  }
  // Of the halves. Otherwise the phantoms would not be hard.
  EXPECT_GE(numberNearBound, 10);
}

TEST_P(JoinedMaps, KeepTheLeastAndTheLargestBound)
{
  for (const std::uint64_t seed : { 2, 8, 16 })
  {
    for (const double bound : { 0.0, 0.5 })
    {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", bound " << bound);
      RegistrationParameters parameters = OfSymmetricBalls(seed);
      parameters.jacobianBound = bound;
      const HardPair pair = MakeBalls(seed);
      ExpectGoodMaps(RunBothWays(this->GetContext(), parameters, pair), pair, bound);
    }
  }
}

TEST_P(JoinedMaps, KeepTheBoundInThePlane)
{
  for (const double weight : { 0.01, 1.0 })
  {
    RegistrationParameters parameters = OfUnbiased(weight);
    parameters.isSymmetric = true;
    const HardPair pair = MakeC({ 64, 64, 1 });
    ExpectGoodMaps(RunBothWays(this->GetContext(), parameters, pair), pair, parameters.jacobianBound);
  }
}

/** These are among those that are repaired most. */
TEST_P(JoinedMaps, AreThoseOfTheSwappedImagesToTheBit)
{
  for (const std::uint64_t seed : { 2, 5, 8, 16 })
  {
    const HardPair pair = MakeBalls(seed);
    const BothMaps forward = RunBothWays(this->GetContext(), OfSymmetricBalls(seed), pair);
    const BothMaps backward = RunBothWays(this->GetContext(), OfSymmetricBalls(seed), pair, true);
    EXPECT_EQ(forward.displacement, backward.inverse) << "seed " << seed;
    EXPECT_EQ(forward.inverse, backward.displacement) << "seed " << seed;
    EXPECT_EQ(forward.result.maximumInverseError, backward.result.maximumInverseError);
  }
}

TEST_P(JoinedMaps, ErrorsOfInversesAreToldInMillimeters)
{
  HardPair pair = MakeBalls(4);
  pair.geometry.grid.spacing = { 0.7, 1.1, 1.6 };
  for (const bool isSymmetric : { false, true })
  {
    RegistrationParameters parameters = OfBalls(4);
    parameters.isSymmetric = isSymmetric;
    const BothMaps     outcome = RunBothWays(this->GetContext(), parameters, pair);
    const MapOnGrid    map{ pair.geometry.grid, outcome.displacement };
    const MapOnGrid    inverse{ pair.geometry.grid, outcome.inverse };
    const InverseError there = ErrorOfInverse(map, inverse);
    const InverseError back = ErrorOfInverse(inverse, map);
    // Residuals of about 0.01 mm and less are differences of float32 numbers of up to 10 mm.
    constexpr double rounding = 1e-5;
    EXPECT_NEAR(outcome.result.meanInverseError, 0.5 * (there.mean + back.mean), rounding);
    EXPECT_NEAR(outcome.result.maximumInverseError, std::max(there.maximum, back.maximum), rounding);
    // In voxels, of the inverse and then the map, as ever.
    EXPECT_NEAR(outcome.result.inversion.maximumResidual, back.maximumInVoxels, rounding);
  }
}

/** Without steps that leave the kinks between cells, up to 6 voxels were left at some voxels, and the inverses of 13
 * of the 20 folded. */
TEST_P(JoinedMaps, OfOneMovingImageHaveAnInverse)
{
  int numberRepaired = 0;
  for (std::uint64_t seed = 1; seed <= numberOfBalls; ++seed)
  {
    const HardPair  pair = MakeBalls(seed);
    const BothMaps  outcome = RunBothWays(this->GetContext(), OfBalls(seed), pair);
    const MapOnGrid map{ pair.geometry.grid, outcome.displacement };
    const MapOnGrid inverse{ pair.geometry.grid, outcome.inverse };
    EXPECT_GT(LeastJacobian(inverse), 0.0) << "seed " << seed;
    // Of most voxels below the tolerance, 0.01, and more in the few cells between whose corners the map folds; an
    // inverse that would fold there is smoothed over a few voxels.
    const InverseError error = ErrorOfInverse(inverse, map);
    EXPECT_LT(error.mean, 0.006) << "seed " << seed;
    EXPECT_LT(error.maximumInVoxels, 2.0) << "seed " << seed;
    numberRepaired += error.maximumInVoxels > 0.3 ? 1 : 0;
  }
  EXPECT_LE(numberRepaired, 4);
}

TEST_P(JoinedMaps, AreDampedToABoundThatSmoothingDoesNotReach)
{
  // A map that is 1.5 times as large in the plane, J = 2.25 and 0.44 of its inverse: smoothing leaves it as it is, but
  // for the border.
  constexpr std::int64_t length = 160;
  HardPair               pair;
  pair.geometry.grid = testvolumes::MakeGrid({ length, length, 1 });
  std::vector<float> initial;
  for (std::int64_t i = 0; i < length * length; ++i)
  {
    pair.fixed.push_back(static_cast<float>(i % 7));
    pair.moving.push_back(static_cast<float>(i % 5));
    initial.push_back(0.5f * static_cast<float>(i % length - length / 2));
    initial.push_back(0.5f * static_cast<float>(i / length - length / 2));
    initial.push_back(0.0f);
  }
  RegistrationImages images = ImagesOf(pair);
  images.initialField = { initial.data(), 3, MemorySpace::Host };
  RegistrationParameters parameters;
  parameters.isSymmetric = true;
  parameters.levels = { { { 1, 1, 1 }, 0 } };
  parameters.jacobianBound = 0.5;
  std::vector<float>  displacement(initial.size(), -1.0f);
  RegistrationOutputs outputs;
  outputs.displacement = { displacement.data(), 3, MemorySpace::Host };
  RegistrationResult result;
  std::vector<float> inverse(initial.size(), -1.0f);
  outputs.inverse = { inverse.data(), 3, MemorySpace::Host };
  Register(this->GetContext(), parameters, images, outputs, {}, result);
  // Differences of float32 displacements of up to 40 voxels.
  EXPECT_GE(LeastJacobian({ pair.geometry.grid, displacement }), 0.5 - 2e-5);
  EXPECT_GE(LeastJacobian({ pair.geometry.grid, inverse }), 0.5 - 2e-5);
  EXPECT_TRUE(result.isDamped);
  EXPECT_GT(result.numberOfMendingRounds, 60);
  parameters.jacobianBound = 0.4;
  Register(this->GetContext(), parameters, images, outputs, {}, result);
  EXPECT_TRUE(result.hasField);
}

/** Maps that are resampled from a middle grid to the fixed one, which has other axes and voxels, keep the bound
 * there. */
TEST_P(JoinedMaps, KeepTheBoundOnTheFixedGridOfAnotherMiddle)
{
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
  {
    SCOPED_TRACE(seed);
    const HardPair     pair = MakeBalls(seed);
    RegistrationImages images;
    images.fixedGeometry = pair.geometry;
    images.movingGeometry = pair.geometry;
    images.movingGeometry.grid.spacing = { 0.8, 1.1, 0.9 };
    const double angle = 0.1 * static_cast<double>(seed);
    images.transform.matrix = {
      std::cos(angle), -std::sin(angle), 0.0, std::sin(angle), std::cos(angle), 0.0, 0.0, 0.0, 1.0
    };
    images.transform.offset = { 2.0, -1.0, 0.5 };
    images.fixedImage = ConstView(pair.fixed);
    images.movingImage = ConstView(pair.moving);
    RegistrationParameters parameters = OfSymmetricBalls(seed);
    parameters.updateFieldStandardDeviations = { 1.0, 1.0, 1.0 };
    parameters.jacobianBound = seed % 2 == 0 ? 0.5 : 0.02;
    BothMaps outcome;
    outcome.displacement.resize(3 * pair.fixed.size());
    outcome.inverse.resize(3 * pair.fixed.size());
    RegistrationOutputs outputs;
    outputs.displacement = { outcome.displacement.data(), 3, MemorySpace::Host };
    outputs.inverse = { outcome.inverse.data(), 3, MemorySpace::Host };
    outcome.result = Register(this->GetContext(), parameters, images, outputs);
    // Differences of float32 displacements of up to 10 voxels.
    constexpr double rounding = 1e-5;
    EXPECT_GE(LeastJacobian({ pair.geometry.grid, outcome.displacement }), parameters.jacobianBound - rounding);
    EXPECT_GE(LeastJacobian({ pair.geometry.grid, outcome.inverse }), parameters.jacobianBound - rounding);
    EXPECT_TRUE(std::isfinite(outcome.result.maximumInverseError));
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(JoinedMaps);

} // namespace
