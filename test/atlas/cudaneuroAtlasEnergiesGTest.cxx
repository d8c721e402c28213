// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "atlas/TestPopulation.h"
#include "registration/ReferenceRegistration.h"

#include <cmath>
#include <limits>

/** The energies that an atlas tells of its result, beside those that are computed in double precision from the
 * images, maps and template that it gives. */

using namespace cudaneuro;
using namespace testpopulation;

namespace
{

class AtlasEnergies : public DeviceTest
{
protected:
  AtlasResultOf
  Build(const Population & population, const AtlasParameters & parameters, const AtlasObserver & observer = {})
  {
    AtlasDevices devices;
    devices.devices.assign(2, this->GetParam());
    return BuildAtlas(population, parameters, devices, observer);
  }
};

const RegistrationMetric metrics[] = { RegistrationMetric::MeanSquares, RegistrationMetric::LocalCorrelation };

bool
HasValue(const Population & population, std::size_t image, std::size_t voxel)
{
  return image >= population.masks.size() || population.masks[image].empty() || population.masks[image][voxel] != 0;
}

/** The least power of 2 above the mean standard deviation of the images, by which an atlas divides intensities. */
double
ScaleOf(const Population & population)
{
  double mean = 0.0;
  for (std::size_t image = 0; image < population.images.size(); ++image)
  {
    double count = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    for (std::size_t i = 0; i < population.images[image].size(); ++i)
    {
      const double value = HasValue(population, image, i) ? population.images[image][i] : 0.0;
      count += HasValue(population, image, i) ? 1.0 : 0.0;
      sum += value;
      squares += value * value;
    }
    const double variance = squares / count - sum / count * (sum / count);
    mean += std::sqrt(variance) / static_cast<double>(population.images.size());
  }
  return std::exp2(std::floor(std::log2(mean)) + 1.0);
}

/** An image against the template, with intensities as the atlas divides them. */
reference::RegistrationProblem
ProblemOf(const Population & population, const AtlasResultOf & atlas, std::size_t image)
{
  reference::RegistrationProblem problem;
  const Grid &                   grid = population.geometry.grid;
  const double                   scale = ScaleOf(population);
  problem.hasEdge = true;
  for (std::size_t i = 0; i < atlas.average.size(); ++i)
  {
    const bool hasValue = HasValue(population, image, i);
    problem.moving.push_back(hasValue ? population.images[image][i] / scale : std::numeric_limits<double>::quiet_NaN());
    problem.fixed.push_back(atlas.average[i] / scale);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    problem.size[axis] = static_cast<int>(grid.size[axis]);
    for (std::size_t i = 0; i < atlas.average.size(); ++i)
    {
      problem.displacement[axis].push_back(atlas.displacements[image][3 * i + axis] / grid.spacing[axis]);
    }
  }
  return problem;
}

double
EnergyOf(const RegistrationParameters & parameters, const reference::RegistrationProblem & problem)
{
  const double image = parameters.metric == RegistrationMetric::MeanSquares
                         ? reference::MeanSquaresEnergy(problem)
                         : reference::LocalCorrelationEnergy(problem, parameters.correlationRadius, 1e-3);
  const double weight = parameters.unbiasedWeight;
  return weight > 0.0 ? image + weight * reference::BiasEnergy(problem) : image;
}

/** Expects the energies of the maps and the template that the atlas gives. \returns them. */
std::vector<double>
ExpectEnergiesOfMaps(const Population & population, const AtlasParameters & parameters, const AtlasResultOf & atlas)
{
  std::vector<double> energies;
  double              sum = 0.0;
  double              weights = 0.0;
  EXPECT_EQ(atlas.result.imageEnergies.size(), population.images.size());
  for (std::size_t image = 0; image < atlas.result.imageEnergies.size(); ++image)
  {
    energies.push_back(EnergyOf(parameters.registration, ProblemOf(population, atlas, image)));
    // Maps in mm, intensities and sums in float.
    EXPECT_NEAR(atlas.result.imageEnergies[image], energies.back(), 1e-4 * energies.back()) << "image " << image;
    sum += population.weights[image] * energies.back();
    weights += population.weights[image];
  }
  EXPECT_NEAR(atlas.result.energy, sum / weights, 1e-4 * sum / weights);
  return energies;
}

AtlasParameters
FewIterations(RegistrationMetric metric, std::int64_t planes)
{
  AtlasParameters parameters;
  parameters.registration.metric = metric;
  parameters.registration.levels = { { { 2, 2, planes > 1 ? 2 : 1 }, 4 }, { { 1, 1, 1 }, 3 } };
  return parameters;
}

/** Images that are not 0 at the border of the grid, whose voxels are oblong; the first has no value in a corner, the
 * second counts twice, the third does not. */
Population
HardPopulation(std::int64_t planes)
{
  Population population = MakePopulation(4, { 18, 16, planes });
  population.geometry.grid.spacing = { 1.5, 1.0, 0.75 };
  population.weights = { 1.0, 2.0, 0.0, 1.0 };
  population.masks.resize(population.images.size());
  population.masks[0].assign(population.images[0].size(), 1);
  for (std::size_t image = 0; image < population.images.size(); ++image)
  {
    for (std::size_t i = 0; i < population.images[image].size(); ++i)
    {
      const std::size_t x = i % 18;
      const std::size_t y = i / 18 % 16;
      population.images[image][i] +=
        400.0f + static_cast<float>(10 * x + 7 * y) + 20.0f * static_cast<float>(image % 2);
      if (image == 0 && x < 5 && y < 6)
      {
        population.masks[0][i] = 0;
      }
    }
  }
  return population;
}

} // namespace

TEST_P(AtlasEnergies, AreThoseOfTheMaps)
{
  for (const std::int64_t planes : { 14, 1 })
  {
    const Population population = MakePopulation(3, { 18, 16, planes });
    for (const RegistrationMetric metric : metrics)
    {
      SCOPED_TRACE(std::to_string(planes) + " planes, " + (metric == metrics[0] ? "squares" : "correlation"));
      const AtlasParameters     parameters = FewIterations(metric, planes);
      const AtlasResultOf       atlas = this->Build(population, parameters);
      const std::vector<double> energies = ExpectEnergiesOfMaps(population, parameters, atlas);
      const std::vector<double> before = atlas.result.iterations.back().imageEnergies;
      for (std::size_t image = 0; image < energies.size(); ++image)
      {
        EXPECT_GT(std::abs(before[image] - energies[image]), 1e-3 * energies[image]);
      }
    }
  }
}

TEST_P(AtlasEnergies, OfImagesWithEdgesMasksAndWeights)
{
  for (const std::int64_t planes : { 14, 1 })
  {
    const Population population = HardPopulation(planes);
    for (const RegistrationMetric metric : metrics)
    {
      SCOPED_TRACE(std::to_string(planes) + " planes, " + (metric == metrics[0] ? "squares" : "correlation"));
      const AtlasParameters parameters = FewIterations(metric, planes);
      ExpectEnergiesOfMaps(population, parameters, this->Build(population, parameters));
    }
  }
}

TEST_P(AtlasEnergies, OfRobustAndSharpenedTemplates)
{
  const Population population = MakePopulation(3, { 18, 16, 14 });
  for (const RegistrationMetric metric : metrics)
  {
    AtlasParameters parameters = FewIterations(metric, 14);
    parameters.meanMethod = AtlasMean::Median;
    parameters.sharpening = 1.0;
    ExpectEnergiesOfMaps(population, parameters, this->Build(population, parameters));
  }
}

TEST_P(AtlasEnergies, ContainTheBiasOfTheMaps)
{
  const Population population = MakePopulation(3, { 18, 16, 14 });
  for (const RegistrationMetric metric : metrics)
  {
    AtlasParameters parameters = FewIterations(metric, 14);
    parameters.registration.useDeformedGradient = false;
    parameters.registration.unbiasedWeight = 0.5;
    ExpectEnergiesOfMaps(population, parameters, this->Build(population, parameters));
  }
}

/** Where the last level is a coarse one, or an observer stops on it, maps and energies are brought to the grid of
 * the template. */
TEST_P(AtlasEnergies, AreOnTheGridOfTheTemplate)
{
  const Population population = MakePopulation(3, { 18, 16, 14 });
  for (const RegistrationMetric metric : metrics)
  {
    AtlasParameters parameters = FewIterations(metric, 14);
    ExpectEnergiesOfMaps(
      population, parameters, this->Build(population, parameters, [](const AtlasIteration & iteration) {
        return iteration.iteration == 2 ? AtlasAction::Stop : AtlasAction::Continue;
      }));
    parameters.registration.levels.pop_back();
    ExpectEnergiesOfMaps(population, parameters, this->Build(population, parameters));
    parameters.registration.levels = { { { 1, 1, 1 }, 0 } };
    ExpectEnergiesOfMaps(population, parameters, this->Build(population, parameters));
  }
}

/** Without shape updates, an iteration begins with the result of a run that ends before it: the bits are the same. */
TEST_P(AtlasEnergies, AreWhatAnotherIterationWouldSee)
{
  const Population population = HardPopulation(14);
  for (const RegistrationMetric metric : metrics)
  {
    AtlasParameters parameters = FewIterations(metric, 14);
    parameters.shapeUpdateInterval = 0;
    const AtlasResult result = this->Build(population, parameters).result;
    parameters.registration.levels.back().iterations += 1;
    const AtlasIteration next = this->Build(population, parameters).result.iterations.back();
    EXPECT_EQ(result.imageEnergies, next.imageEnergies);
    EXPECT_EQ(result.energy, next.energy);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasEnergies);
