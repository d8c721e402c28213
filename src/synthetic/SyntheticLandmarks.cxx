// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/SyntheticLandmarks.h"

#include "core/CounterRandom.h"
#include "core/ParameterChecks.h"
#include "synthetic/SyntheticDeformation.h"
#include "synthetic/SyntheticDisks.h"
#include "synthetic/SyntheticSurface.h"

#include <algorithm>

namespace cudaneuro
{
namespace
{

/** The uses of random numbers, which have separate keys. */
enum class Purpose : std::uint64_t
{
  Points,
  Velocity,
  Noise
};

std::uint64_t
KeyOf(std::uint64_t seed, Purpose purpose, int target)
{
  return RandomBits(RandomBits(seed, static_cast<std::uint64_t>(purpose)), static_cast<std::uint64_t>(target));
}

std::vector<std::array<double, 3>>
MakeCandidates(Context & context, const SurfaceSampler & sampler, std::int64_t count)
{
  constexpr std::int64_t             blockSize = 256;
  std::vector<std::array<double, 3>> candidates(static_cast<std::size_t>(count));
  context.ParallelFor((count + blockSize - 1) / blockSize, [&](std::int64_t block) {
    for (std::int64_t i = block * blockSize; i < std::min(count, (block + 1) * blockSize); ++i)
    {
      candidates[static_cast<std::size_t>(i)] = sampler.PointAt(static_cast<std::uint64_t>(i));
    }
  });
  return candidates;
}

/** \throws InvalidParameterError */
SyntheticFlow
FlowOf(Context &                            context,
       const SyntheticLandmarksParameters & parameters,
       int                                  target,
       const std::vector<double> &          points)
{
  if (target < 0)
  {
    ThrowInvalid("target", target, "0 or more");
  }
  const Context::ProgressPause pause(context);
  return MakeSyntheticDeformation(context, parameters, KeyOf(parameters.seed, Purpose::Velocity, target), points);
}

} // namespace

SyntheticLandmarks::SyntheticLandmarks(Context & context, const SyntheticLandmarksParameters & parameters)
  : m_Parameters(parameters)
{
  RequireParameters(parameters);
  RequireInRange("MeanDistance", parameters.meanDistance, Between(0.0, parameters.smoothness));
  RequireInRange("MaximumDistance", parameters.maximumDistance, AtLeast(parameters.meanDistance));
  constexpr std::int64_t candidatesPerPoint = 16;
  const SurfaceSampler   sampler(KeyOf(parameters.seed, Purpose::Points, 0));
  const auto             candidates = MakeCandidates(context, sampler, candidatesPerPoint * parameters.numberOfPoints);
  for (const auto & point : PoissonDiskSample(candidates, parameters.numberOfPoints, sampler.GetArea()))
  {
    m_Template.insert(m_Template.end(), point.begin(), point.end());
  }
}

std::vector<double>
SyntheticLandmarks::MakeTarget(Context & context, int target) const
{
  std::vector<double> points = this->MovePoints(context, target, m_Template);
  const std::uint64_t key = KeyOf(m_Parameters.seed, Purpose::Noise, target);
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    points[i] += m_Parameters.noise * RandomNormal(key, i);
  }
  return points;
}

std::vector<double>
SyntheticLandmarks::MovePoints(Context & context, int target, const std::vector<double> & points) const
{
  return MoveBy(context, FlowOf(context, m_Parameters, target, m_Template), points);
}

} // namespace cudaneuro
