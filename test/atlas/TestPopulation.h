// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TestPopulation_h
#define TestPopulation_h

#include "DeviceTest.h"
#include "ForEachVoxel.h"
#include "cudaneuro/Atlas.h"

#include <array>
#include <cmath>
#include <vector>

/** Small populations for tests: smooth blobs, moved and deformed by known amounts. */
namespace testpopulation
{

struct Population
{
  cudaneuro::Geometry                     geometry;
  std::vector<std::vector<float>>         images;
  std::vector<std::vector<unsigned char>> masks; // empty, or one for each image, which may be empty
  /** Of each image, on its grid; empty, or as many for each image. */
  std::vector<std::vector<std::vector<float>>> furtherChannels;
  std::vector<double>                          weights;
  std::vector<float>                           truth;
  std::vector<float>                           initialTemplate;     // may be empty
  float                                        initialShift = 0.0f; // of all maps along x, in mm
};

/** A smooth blob in [0, 1], at a position in fractions of the volume. */
inline double
BlobAt(const std::array<double, 3> & p, const std::array<double, 3> & center, double radius)
{
  double t = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    t += (p[axis] - center[axis]) * (p[axis] - center[axis]) / (radius * radius);
  }
  return t < 1.0 ? (1.0 - t) * (1.0 - t) : 0.0;
}

/** Three blobs on a background of 0, in [0, 1000]. */
inline double
BlobsAt(const std::array<double, 3> & p)
{
  return 700.0 * BlobAt(p, { 0.45, 0.5, 0.5 }, 0.32) + 300.0 * BlobAt(p, { 0.6, 0.55, 0.45 }, 0.2) +
         250.0 * BlobAt(p, { 0.4, 0.4, 0.55 }, 0.15);
}

/** Images of an object, seen through smooth maps whose mean is nearly the identity.
 * \param object position in fractions of the volume -> intensity */
template <typename TObject>
Population
MakePopulationOf(int count, const std::array<std::int64_t, 3> & size, const TObject & object)
{
  Population population;
  population.geometry.grid.size = size;
  const bool isFlat = size[2] == 1;
  const auto render = [&](int image) {
    std::vector<float> values;
    const double       phase = 6.283185307179586 * image / count;
    const double       amount = image < 0 ? 0.0 : 0.035;
    ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const double                u = (static_cast<double>(x) + 0.5) / static_cast<double>(size[0]);
      const double                v = (static_cast<double>(y) + 0.5) / static_cast<double>(size[1]);
      const double                w = isFlat ? 0.5 : (static_cast<double>(z) + 0.5) / static_cast<double>(size[2]);
      const std::array<double, 3> p{ u + amount * std::cos(phase) * std::cos(4.0 * (v - 0.5)),
                                     v + amount * std::sin(phase) * std::cos(4.0 * (u - 0.5)),
                                     w + (isFlat ? 0.0 : amount * std::sin(phase + 1.0) * std::cos(3.0 * (u - 0.4))) };
      values.push_back(static_cast<float>(object(p)));
    });
    return values;
  };
  for (int image = 0; image < count; ++image)
  {
    population.images.push_back(render(image));
  }
  population.truth = render(-1);
  population.weights.assign(static_cast<std::size_t>(count), 1.0);
  return population;
}

/** Images of the blobs. */
inline Population
MakePopulation(int count, const std::array<std::int64_t, 3> & size)
{
  return MakePopulationOf(count, size, BlobsAt);
}

/** Two levels of 15 and 10 iterations. */
inline cudaneuro::AtlasParameters
ShortSchedule()
{
  cudaneuro::AtlasParameters parameters;
  parameters.registration.levels = { { { 2, 2, 2 }, 15 }, { { 1, 1, 1 }, 10 } };
  return parameters;
}

struct AtlasResultOf
{
  std::vector<float>                       average;
  std::vector<float>                       initialMean;
  std::vector<std::vector<float>>          furtherAverages; // of the channels after the first
  std::vector<std::vector<float>>          displacements;   // three components side by side, in mm
  std::vector<std::vector<float>>          inverses;
  std::vector<cudaneuro::AtlasImageResult> images;
  cudaneuro::AtlasResult                   result;
};

inline void
SetImages(const Population & population, cudaneuro::DiffeomorphicAtlas & atlas)
{
  for (const int image : atlas.GetOwnImages())
  {
    const auto            index = static_cast<std::size_t>(image);
    cudaneuro::AtlasImage input;
    input.name = "image " + std::to_string(image);
    input.geometry = population.geometry;
    input.image = ConstView(population.images[index]);
    if (index < population.masks.size())
    {
      input.mask = ConstView(population.masks[index]);
    }
    if (!population.furtherChannels.empty())
    {
      for (const std::vector<float> & channel : population.furtherChannels[index])
      {
        input.furtherChannels.push_back({ population.geometry, ConstView(channel), {}, {} });
      }
    }
    std::vector<float> field;
    if (population.initialShift != 0.0f)
    {
      for (std::size_t i = 0; i < population.images[index].size(); ++i)
      {
        field.insert(field.end(), { population.initialShift, 0.0f, 0.0f });
      }
      input.initialField.data = field.data();
    }
    atlas.SetImage(image, input);
  }
  if (!population.initialTemplate.empty())
  {
    atlas.SetInitialTemplate(ConstView(population.initialTemplate));
  }
}

/** The results of an atlas that has been run. */
inline AtlasResultOf
ReadAtlas(const Population & population, cudaneuro::DiffeomorphicAtlas & atlas, const cudaneuro::AtlasResult & result)
{
  AtlasResultOf     read;
  const std::size_t voxels = population.images[0].size();
  read.result = result;
  read.average.resize(voxels);
  atlas.GetTemplate(View(read.average));
  read.initialMean.resize(voxels);
  atlas.GetInitialMean(View(read.initialMean));
  for (std::size_t i = 0; !population.furtherChannels.empty() && i < population.furtherChannels[0].size(); ++i)
  {
    read.furtherAverages.emplace_back(voxels);
    atlas.GetTemplate(View(read.furtherAverages.back()), static_cast<int>(i) + 1);
  }
  for (const int image : atlas.GetOwnImages())
  {
    std::vector<float>           displacement(3 * voxels);
    std::vector<float>           inverse(3 * voxels);
    cudaneuro::AtlasImageOutputs outputs;
    outputs.displacement.data = displacement.data();
    outputs.inverse.data = inverse.data();
    read.images.push_back(atlas.GetImage(image, outputs));
    read.displacements.push_back(std::move(displacement));
    read.inverses.push_back(std::move(inverse));
  }
  return read;
}

inline AtlasResultOf
BuildAtlas(const Population &                 population,
           const cudaneuro::AtlasParameters & parameters,
           const cudaneuro::AtlasDevices &    devices,
           const cudaneuro::AtlasObserver &   observer = {})
{
  cudaneuro::DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, devices);
  SetImages(population, atlas);
  cudaneuro::AtlasResult result;
  atlas.Run(observer, result);
  return ReadAtlas(population, atlas, result);
}

inline double
RootMeanSquareDifference(const std::vector<float> & a, const std::vector<float> & b)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    sum += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
  }
  return std::sqrt(sum / static_cast<double>(a.size()));
}

} // namespace testpopulation

#endif
