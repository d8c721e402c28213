// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "cudaneuro/Atlas.h"

#include <algorithm>
#include <cmath>
#include <future>

namespace cudaneuro::benchmark
{

namespace
{

/** Bytes a voxel if each array is moved once: an iteration of the greedy method with relaxation, and the deformed
 * image, whose map is in the cache. */
constexpr double iterationBytes = 104.0 + 8.0;

/** Heads that differ by smooth deformations of a few voxels: shells and folds, without noise. */
class Heads
{
public:
  Heads(const Size & size, int count)
  {
    m_Geometry.grid.size = size;
    Context context(Device{});
    for (int head = 0; head < count; ++head)
    {
      m_Images.emplace_back(static_cast<std::size_t>(m_Geometry.grid.NumberOfVoxels()));
      context.ParallelFor(size[2], [&](std::int64_t z) { this->FillPlane(head, count, z); });
    }
  }

  const Geometry &
  GetGeometry() const
  {
    return m_Geometry;
  }
  ConstVolume
  Get(int image) const
  {
    const std::vector<float> & values = m_Images[static_cast<std::size_t>(image) % m_Images.size()];
    return { values.data(), PixelType::Float, MemorySpace::Host };
  }

private:
  void
  FillPlane(int head, int count, std::int64_t plane)
  {
    const Size & size = m_Geometry.grid.size;
    const double phase = 6.283185307179586 * head / count;
    float *      value = m_Images.back().data() + plane * size[0] * size[1];
    const double w = (static_cast<double>(plane) + 0.5) / static_cast<double>(size[2]) - 0.5;
    for (std::int64_t y = 0; y < size[1]; ++y)
    {
      const double v = (static_cast<double>(y) + 0.5) / static_cast<double>(size[1]) - 0.5;
      for (std::int64_t x = 0; x < size[0]; ++x, ++value)
      {
        const double u = (static_cast<double>(x) + 0.5) / static_cast<double>(size[0]) - 0.5;
        *value = HeadAt(u + 0.02 * std::cos(phase) * std::cos(7.0 * v + phase),
                        v + 0.02 * std::sin(phase) * std::cos(6.0 * w),
                        w + 0.02 * std::sin(2.0 * phase) * std::cos(5.0 * u));
      }
    }
  }

  /** Returns an intensity from 0 to 1000 at a position from -0.5 to 0.5. */
  static float
  HeadAt(double u, double v, double w)
  {
    const double radius = std::sqrt(u * u / 0.14 + v * v / 0.19 + w * w / 0.15);
    const double folds = 0.05 * std::sin(20.0 * u) * std::sin(23.0 * v) * std::sin(19.0 * w);
    const auto   edge = [](double t) { return 1.0 / (1.0 + std::exp(-40.0 * t)); };
    const double brain = 400.0 * edge(0.85 + folds - radius) + 300.0 * edge(0.6 + 2.0 * folds - radius);
    const double skin = 300.0 * (edge(1.0 - radius) - edge(0.93 - radius));
    const double sum = brain + skin;
    return sum < 1.0 ? 0.0f : static_cast<float>(sum);
  }

  Geometry                        m_Geometry;
  std::vector<std::vector<float>> m_Images;
};

struct AtlasCase
{
  std::string                    name;
  Size                           size;
  int                            images = 0;
  std::vector<RegistrationLevel> levels;
  int                            devices = 1;
};

/** Sets the images from several threads, each of which has consecutive ones, and so mostly a device of its own. */
void
SetImages(const Heads & heads, DiffeomorphicAtlas & atlas)
{
  const std::vector<int>         images = atlas.GetOwnImages();
  constexpr std::size_t          threads = 8;
  std::vector<std::future<void>> parts;
  for (std::size_t part = 0; part < threads; ++part)
  {
    parts.push_back(std::async(std::launch::async, [&, part] {
      for (std::size_t i = part * images.size() / threads; i < (part + 1) * images.size() / threads; ++i)
      {
        AtlasImage input;
        input.name = std::to_string(images[i]);
        input.geometry = heads.GetGeometry();
        input.image = heads.Get(images[i]);
        atlas.SetImage(images[i], input);
      }
    }));
  }
  for (std::future<void> & part : parts)
  {
    part.get();
  }
}

/** Computes the atlas once. */
AtlasResult
BuildAtlas(const Settings & settings, const AtlasCase & oneCase, const Heads & heads, std::vector<float> & average)
{
  AtlasParameters parameters;
  parameters.registration.levels = oneCase.levels;
  AtlasDevices devices;
  devices.devices = { settings.device };
  for (int i = 1; i < oneCase.devices; ++i)
  {
    devices.devices.push_back({ settings.device.cudaIndex + i });
  }
  const std::vector<double> weights(static_cast<std::size_t>(oneCase.images), 1.0);
  DiffeomorphicAtlas        atlas(parameters, heads.GetGeometry(), weights, devices);
  SetImages(heads, atlas);
  AtlasResult result;
  atlas.Run({}, result);
  atlas.GetTemplate({ average.data(), PixelType::Float, MemorySpace::Host });
  return result;
}

/** Returns the limit of reading and writing the arrays of all iterations once each, on all devices together. */
Limit
LimitOf(const AtlasCase & oneCase)
{
  double voxels = 0.0;
  for (const RegistrationLevel & level : oneCase.levels)
  {
    double ofLevel = VoxelsOf(oneCase.size);
    for (const int factor : level.shrinkFactors)
    {
      ofLevel /= factor;
    }
    voxels += level.iterations * ofLevel;
  }
  return CopyRate(iterationBytes * voxels * oneCase.images / oneCase.devices);
}

/** Returns the row of an atlas, with records of the time of its iterations and of the means and their exchange. */
Row
RowOf(const Settings & settings, const AtlasCase & oneCase)
{
  const auto result = std::make_shared<AtlasResult>();
  const auto run = [=, &settings] {
    const Heads        heads(oneCase.size, std::min(oneCase.images, 12));
    std::vector<float> average(static_cast<std::size_t>(VoxelsOf(oneCase.size)));
    return MedianByTheClock(settings.repetition, [&] { *result = BuildAtlas(settings, oneCase, heads, average); });
  };
  const auto parts = [=]() -> std::vector<Record> {
    const std::string means = oneCase.name + ", means and " + result->exchange;
    return { TimeRecord(oneCase.name + ", iterations", oneCase.size, 1000.0 * result->iterationSeconds),
             TimeRecord(means, oneCase.size, 1000.0 * result->meanSeconds) };
  };
  return { oneCase.name, oneCase.size, LimitOf(oneCase), run, false, nullptr, parts };
}

} // namespace

Table
AtlasRows(const Settings & settings)
{
  Table      rows;
  const auto add = [&](const AtlasCase & oneCase) { rows.push_back(RowOf(settings, oneCase)); };

  const std::vector<RegistrationLevel> scales{ { { 4, 4, 4 }, 50 }, { { 2, 2, 2 }, 50 }, { { 1, 1, 1 }, 25 } };
  const std::vector<RegistrationLevel> single{ { { 1, 1, 1 }, 200 } };
  if (settings.isQuick)
  {
    const std::vector<RegistrationLevel> few{ { { 2, 2, 2 }, 3 }, { { 1, 1, 1 }, 2 } };
    add({ "atlas of 4 images, 3/2, call", { 48, 48, 48 }, 4, few, 1 });
    return rows;
  }
  if (!settings.device.IsCuda())
  {
    return rows;
  }
  const Size small{ 192, 192, 192 };
  const Size large{ 256, 256, 256 };
  add({ "atlas of 36 images, 200, call", large, 36, single, 1 });
  for (int devices = 1; devices <= GetNumberOfCudaDevices(); devices *= 2)
  {
    const auto addScales = [&](const Size & size, int images) {
      const std::string onDevices = devices > 1 ? ", " + std::to_string(devices) + " GPUs" : "";
      const std::string name = "atlas of " + std::to_string(images) + " images, 50/50/25" + onDevices + ", call";
      add({ name, size, images, scales, devices });
    };
    // Weak scaling uses the same number of images for each GPU.
    const int imagesOfAll = 36 * devices;
    addScales(small, imagesOfAll);
    // Strong scaling distributes the same images over all GPUs.
    if (GetNumberOfCudaDevices() > 1)
    {
      if (imagesOfAll != 72)
      {
        addScales(small, 72);
      }
      addScales(large, 72);
    }
    addScales(large, 319);
  }
  return rows;
}

} // namespace cudaneuro::benchmark
