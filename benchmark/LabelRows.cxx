// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "Timing.h"
#include "core/CounterRandom.h"
#include "cudaneuro/LabelSurface.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cudaneuro::benchmark
{

namespace
{

/** Labels in a cube of voxels of 1 mm. */
struct LabelCase
{
  std::int64_t               side;
  std::vector<unsigned char> labels;

  template <typename TLabelAt>
  LabelCase(std::int64_t length, const TLabelAt & labelAt)
    : side(length)
  {
    labels.reserve(static_cast<std::size_t>(side * side * side));
    const double center = 0.5 * static_cast<double>(side) - 0.4;
    for (std::int64_t z = 0; z < side; ++z)
    {
      for (std::int64_t y = 0; y < side; ++y)
      {
        for (std::int64_t x = 0; x < side; ++x)
        {
          const auto from = [center](std::int64_t i) { return static_cast<double>(i) - center; };
          labels.push_back(static_cast<unsigned char>(labelAt(std::array<double, 3>{ from(x), from(y), from(z) })));
        }
      }
    }
  }

  void
  MakeSurfaces(const Device & device) const
  {
    Context  context(device);
    Geometry geometry;
    geometry.grid.size = { side, side, side };
    geometry.grid.spacing = { 1.0, 1.0, 1.0 };
    MakeLabelSurfaces(context, geometry, { labels.data(), PixelType::UnsignedChar, MemorySpace::Host });
  }
};

double
SquaredDistance(const std::array<double, 3> & a, const std::array<double, 3> & b)
{
  double sum = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
  }
  return sum;
}

/** Returns a ball with bumps. With a side of 96, its band has some 200,000 voxels. */
LabelCase
BumpyBall(std::int64_t side)
{
  const double radius = 0.34 * static_cast<double>(side);
  return { side, [radius](const std::array<double, 3> & p) {
            const double length = std::sqrt(SquaredDistance(p, {}));
            const double bumps =
              std::sin(7.0 * std::atan2(p[1], p[0])) * std::sin(9.0 * std::acos(p[2] / (length + 1e-9)));
            return length < radius * (1.0 + 0.09 * bumps) ? 1 : 0;
          } };
}

/** Returns a ball that is divided among 54 labels, each voxel to the nearest of 54 points. */
LabelCase
ParcelsOfBall(std::int64_t side)
{
  constexpr std::uint64_t            parcels = 54;
  const double                       radius = 0.39 * static_cast<double>(side);
  std::vector<std::array<double, 3>> seeds;
  for (std::uint64_t i = 0; seeds.size() < parcels; i += 3)
  {
    std::array<double, 3> seed{};
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      seed[axis] = 0.5 * radius * RandomNormal(7, i + axis);
    }
    if (SquaredDistance(seed, {}) < 0.9 * radius * radius)
    {
      seeds.push_back(seed);
    }
  }
  return { side, [radius, seeds](const std::array<double, 3> & p) {
            std::size_t nearest = 0;
            for (std::size_t i = 1; i < seeds.size(); ++i)
            {
              nearest = SquaredDistance(p, seeds[i]) < SquaredDistance(p, seeds[nearest]) ? i : nearest;
            }
            return SquaredDistance(p, {}) < radius * radius ? nearest + 1 : 0;
          } };
}

void
AddRow(Table & table, const Settings & settings, const char * name, std::int64_t side, LabelCase (*make)(std::int64_t))
{
  table.push_back({ name, { side, side, side }, nullptr, [&settings, side, make] {
                     const LabelCase labels = make(side);
                     return MedianByTheClock(settings.repetition, [&] { labels.MakeSurfaces(settings.device); });
                   } });
}

} // namespace

Table
LabelRows(const Settings & settings)
{
  Table table;
  AddRow(table, settings, "surface of a label, call", settings.isQuick ? 16 : 96, BumpyBall);
  if (settings.device.IsCuda() && !settings.isQuick) // a CPU takes minutes
  {
    AddRow(table, settings, "surfaces of 54 labels, call", 256, ParcelsOfBall);
  }
  return table;
}

} // namespace cudaneuro::benchmark
