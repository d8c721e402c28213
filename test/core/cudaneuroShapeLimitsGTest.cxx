// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ParameterLimits.h"
#include "TestVolumes.h"
#include "cudaneuro/NonLocalMeansLevelSet.h"
#include "cudaneuro/SignedDistance.h"
#include "cudaneuro/SyntheticLandmarks.h"
#include "cudaneuro/SyntheticPopulation.h"
#include "cudaneuro/SyntheticSurfaces.h"
#include "denoising/DenoisingProperties.h"
#include "landmarks/ShootingTestCases.h"
#include "surface/ReferenceLevelSet.h"

/** Every number of landmarks, surfaces and the generators at its limits. */
namespace
{

using namespace cudaneuro;
using namespace parameterlimits;
using namespace testvolumes;

const Grid grid = MakeGrid({ 9, 8, 6 }, { 1.0, 1.2, 0.9 });

/** Loss and gradient of shooting. */
Outcome
Shot(Context & context, const GeodesicShootingParameters & parameters, double)
{
  shootingtests::Case test = shootingtests::MakeCase(3, 40);
  test.parameters = parameters;
  const shootingtests::Evaluation result = shootingtests::Evaluate(context, test);
  const reference::ShootingResult expected = shootingtests::Reference(test);
  Outcome                         outcome{ result.gradient, expected.gradient };
  outcome.result.push_back(result.loss.Total());
  outcome.expected.push_back(expected.kineticEnergy + expected.mismatch);
  outcome.tolerance = 1e-5 * shootingtests::LargestMagnitude(outcome.expected);
  return outcome;
}

/** Nonlocal means on the level set of the phantom's mean intensity. Where the value stands for a default, there is no
 * reference. */
Outcome
DenoisedLevelSet(Context & context, const NonLocalMeansLevelSetParameters & parameters, double value)
{
  std::vector<float> distances;
  for (const float intensity : NoisyPhantom(grid))
  {
    distances.push_back(0.01f * (intensity - 400.0f));
  }
  std::vector<float> output(distances.size());
  NonLocalMeansLevelSet(context, parameters, grid, ConstView(distances), {}, View(output));
  Outcome outcome{ { output.begin(), output.end() }, {} };
  if (value != 0.0)
  {
    const std::vector<double> input(distances.begin(), distances.end());
    outcome.expected = reference::DenoiseLevelSet(parameters, grid, input, {}).distances;
    outcome.tolerance = 2e-5; // as of the filter's own tests, for larger distances
  }
  return outcome;
}

/** Distances to a ball. */
template <typename TDistance>
auto
ToBall(const TDistance & distance)
{
  return [=](Context & context, const SignedDistanceParameters & parameters, double) {
    std::vector<float> ball(static_cast<std::size_t>(grid.NumberOfVoxels()));
    for (std::size_t i = 0; i < ball.size(); ++i)
    {
      const double x = static_cast<double>(i % 9) - 4.0;
      const double y = static_cast<double>(i / 9 % 8) - 3.5;
      const double z = static_cast<double>(i / 72) - 2.5;
      ball[i] = static_cast<float>(x * x + y * y + z * z - 4.0);
    }
    std::vector<float> output(ball.size());
    distance(context, parameters, ConstView(ball), View(output));
    return Outcome{ { output.begin(), output.end() }, {} };
  };
}

void
Reinitialized(Context &                        context,
              const SignedDistanceParameters & parameters,
              const ConstVolume &              field,
              const Volume &                   output)
{
  ReinitializeSignedDistance(context, parameters, grid, field, output);
}

void
Labeled(Context &                        context,
        const SignedDistanceParameters & parameters,
        const ConstVolume &              field,
        const Volume &                   output)
{
  // One of the values of the ball.
  SignedDistanceOfLabel(context, parameters, -3.5, grid, field, output);
}

/** The template and a target. */
Outcome
MadeLandmarks(Context & context, const SyntheticLandmarksParameters & parameters, double)
{
  const SyntheticLandmarks landmarks(context, parameters);
  Outcome                  outcome{ landmarks.MakeTarget(context, 0), {} };
  outcome.result.insert(outcome.result.end(), landmarks.GetTemplate().begin(), landmarks.GetTemplate().end());
  return outcome;
}

/** An image and its map. */
Outcome
MadePopulation(Context & context, const SyntheticPopulationParameters & parameters, double)
{
  const SyntheticPopulation population(Geometry{ grid }, parameters);
  std::vector<float>        image(static_cast<std::size_t>(grid.NumberOfVoxels()));
  std::vector<float>        map(3 * image.size());
  population.WriteImage(context, 0, image.data(), map.data());
  Outcome outcome{ { image.begin(), image.end() }, {} };
  outcome.result.insert(outcome.result.end(), map.begin(), map.end());
  return outcome;
}

Outcome
WithNoise(Context & context, const SurfaceNoiseParameters & parameters, double)
{
  return { AddNoise(SyntheticSurface(SyntheticShape::Box, 10.0).MakeMesh(context, 2.0), parameters).points, {} };
}

class ShapeLimits : public DeviceTest
{};

TEST_P(ShapeLimits, OfShooting)
{
  std::vector<NumberRun>           list;
  const GeodesicShootingParameters parameters = shootingtests::MakeCase(3, 40).parameters;
  AddNumbers(list, parameters, Shot);
  ExpectRefusedOrRight(this->GetContext(), list);
}

TEST_P(ShapeLimits, OfLevelSets)
{
  NonLocalMeansLevelSetParameters parameters;
  parameters.volumeCorrection = false; // the reference has none
  parameters.bandWidth = 2.0;
  parameters.spatialScale = 30.0;
  parameters.similarityScale = 200.0;
  std::vector<NumberRun> list;
  AddNumbers(list, parameters, DenoisedLevelSet);
  ExpectRefusedOrRight(this->GetContext(), list);
}

TEST_P(ShapeLimits, OfDistances)
{
  std::vector<NumberRun> list;
  AddNumbers(list, SignedDistanceParameters(), ToBall(Reinitialized));
  AddNumbers(list, SignedDistanceParameters(), ToBall(Labeled));
  ExpectRefusedOrRight(this->GetContext(), list);
}

TEST_P(ShapeLimits, OfGenerators)
{
  std::vector<NumberRun>       list;
  SyntheticLandmarksParameters landmarks;
  landmarks.numberOfPoints = 60;
  landmarks.meanDistance = 0.3; // below all values of smoothness and of maximumDistance that are taken, but 0
  landmarks.maximumDistance = 1.0;
  AddNumbers(list, landmarks, MadeLandmarks);
  SyntheticPopulationParameters population;
  population.numberOfImages = 2;
  population.displacement = 0.3;
  AddNumbers(list, population, MadePopulation);
  AddNumbers(list, SurfaceNoiseParameters(), WithNoise);
  ExpectRefusedOrRight(this->GetContext(), list);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ShapeLimits);

} // namespace
