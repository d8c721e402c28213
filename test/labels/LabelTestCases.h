// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LabelTestCases_h
#define LabelTestCases_h

#include "ForEachVoxel.h"
#include "core/CounterRandom.h"
#include "cudaneuro/LabelSurface.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

/** Images of labels. */
namespace labeltests
{

using Vector = std::array<double, 3>;
using Index = std::array<std::int64_t, 3>;

struct LabelImage
{
  cudaneuro::Geometry        geometry;
  std::vector<unsigned char> labels;

  cudaneuro::ConstVolume
  View() const
  {
    return { labels.data(), cudaneuro::PixelType::UnsignedChar };
  }
  std::size_t
  Offset(const Index & i) const
  {
    const auto & size = geometry.grid.size;
    return static_cast<std::size_t>((i[2] * size[1] + i[1]) * size[0] + i[0]);
  }
};

/** An image whose voxels have the labels that a function of their centers, in mm, has. */
inline LabelImage
MakeImage(const Index & size, const Vector & spacing, const std::function<int(const Vector &)> & labelAt)
{
  LabelImage image;
  image.geometry.grid = { size, spacing };
  ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const Vector point{ static_cast<double>(x) * spacing[0],
                        static_cast<double>(y) * spacing[1],
                        static_cast<double>(z) * spacing[2] };
    image.labels.push_back(static_cast<unsigned char>(labelAt(point)));
  });
  return image;
}

inline double
Distance(const Vector & a, const Vector & b)
{
  return std::sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

/** Gives voxels that have a neighbor with another label, with a probability, the other one of 0 and 1. */
inline LabelImage
WithFlips(const LabelImage & image, double probability)
{
  LabelImage   flipped = image;
  const auto & size = image.geometry.grid.size;
  for (std::int64_t z = 1; z + 1 < size[2]; ++z)
  {
    for (std::int64_t y = 1; y + 1 < size[1]; ++y)
    {
      for (std::int64_t x = 1; x + 1 < size[0]; ++x)
      {
        const std::size_t i = image.Offset({ x, y, z });
        bool              isBoundary = false;
        for (const Index & j : { Index{ x - 1, y, z },
                                 Index{ x + 1, y, z },
                                 Index{ x, y - 1, z },
                                 Index{ x, y + 1, z },
                                 Index{ x, y, z - 1 },
                                 Index{ x, y, z + 1 } })
        {
          isBoundary = isBoundary || image.labels[image.Offset(j)] != image.labels[i];
        }
        if (isBoundary && cudaneuro::RandomUniform(11, i) < probability)
        {
          flipped.labels[i] = static_cast<unsigned char>(1 - image.labels[i]);
        }
      }
    }
  }
  return flipped;
}

inline Vector
PointOf(const cudaneuro::SurfaceContour & surface, std::size_t i)
{
  return { surface.points[3 * i], surface.points[3 * i + 1], surface.points[3 * i + 2] };
}

/** The root of the mean square of what a function has at the points of a surface. */
inline double
RootMeanSquare(const cudaneuro::SurfaceContour & surface, const std::function<double(const Vector &)> & heightAt)
{
  const std::size_t count = surface.points.size() / 3;
  double            sum = 0.0;
  for (std::size_t i = 0; i < count; ++i)
  {
    const double height = heightAt(PointOf(surface, i));
    sum += height * height;
  }
  return std::sqrt(sum / static_cast<double>(count));
}

/** The largest distance of a point of one surface from the nearest point of the other. */
inline double
LargestGap(const cudaneuro::SurfaceContour & from, const cudaneuro::SurfaceContour & to)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < from.points.size() / 3; ++i)
  {
    double nearest = HUGE_VAL;
    for (std::size_t j = 0; j < to.points.size() / 3; ++j)
    {
      nearest = std::min(nearest, Distance(PointOf(from, i), PointOf(to, j)));
    }
    largest = std::max(largest, nearest);
  }
  return largest;
}

} // namespace labeltests

#endif
