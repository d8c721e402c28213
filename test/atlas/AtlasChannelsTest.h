// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef AtlasChannelsTest_h
#define AtlasChannelsTest_h

#include "atlas/AtlasTest.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

/** Atlases of members with images of several channels: the fixture, parameters, further channels, and how far maps
 * differ. */
namespace atlaschannels
{

using namespace cudaneuro;
using namespace testpopulation;

class AtlasChannels : public AtlasTest
{};

/** The parameters of two channels. */
inline AtlasParameters
TwoChannels(double weightOfFirst, double weightOfSecond)
{
  AtlasParameters parameters = ShortSchedule();
  parameters.registration.channelWeight = weightOfFirst;
  parameters.registration.furtherChannels.resize(1);
  parameters.registration.furtherChannels[0].weight = weightOfSecond;
  return parameters;
}

/** Adds a channel whose images follow from those of the first one.
 * \param intensity (intensity of the first channel, x as a fraction of the grid) -> intensity */
template <typename TIntensity>
void
AddChannel(Population & population, const TIntensity & intensity)
{
  population.furtherChannels.resize(population.images.size());
  const std::int64_t length = population.geometry.grid.size[0];
  for (std::size_t image = 0; image < population.images.size(); ++image)
  {
    std::vector<float> values;
    for (std::size_t i = 0; i < population.images[image].size(); ++i)
    {
      const double x = (static_cast<double>(static_cast<std::int64_t>(i) % length) + 0.5) / static_cast<double>(length);
      values.push_back(static_cast<float>(intensity(static_cast<double>(population.images[image][i]), x)));
    }
    population.furtherChannels[image].push_back(std::move(values));
  }
}

/** The largest difference of displacements, in voxels of 1 mm. */
inline double
LargestDifference(const AtlasResultOf & a, const AtlasResultOf & b)
{
  double largest = 0.0;
  for (std::size_t image = 0; image < a.displacements.size(); ++image)
  {
    for (std::size_t i = 0; i < a.displacements[image].size(); ++i)
    {
      largest =
        std::max(largest, std::fabs(static_cast<double>(a.displacements[image][i]) - b.displacements[image][i]));
    }
  }
  return largest;
}

/** A quarter of the contrast, with an offset that moves the background away from 0, and a slope. */
inline double
OtherContrast(double intensity, double x)
{
  return 200.0 - 0.25 * intensity + 30.0 * x;
}

} // namespace atlaschannels

#endif
