// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceDenoising.h"
#include "ForEachVoxel.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

/** The structural similarity of two images, voxel by voxel. */
namespace reference
{
namespace
{

/** Returns the index for \p i on an axis that is extended by reflection, d c b a | a b c d | d c b a. */
std::int64_t
Reflected(std::int64_t i, std::int64_t size)
{
  const std::int64_t period = 2 * size;
  const std::int64_t j = ((i % period) + period) % period;
  return j < size ? j : period - 1 - j;
}

double
SimilarityAt(const cudaneuro::StructuralSimilarityParameters & parameters,
             const Image &                                     a,
             const Image &                                     b,
             std::int64_t                                      x,
             std::int64_t                                      y,
             std::int64_t                                      z)
{
  double weightSum = 0.0;
  double meanA = 0.0;
  double meanB = 0.0;
  // The window also extends along axes of size 1, where reflection gives the same voxel each time.
  const auto forWindow = [&](const auto & body) {
    for (int dz = -5; dz <= 5; ++dz)
    {
      for (int dy = -5; dy <= 5; ++dy)
      {
        for (int dx = -5; dx <= 5; ++dx)
        {
          const std::size_t i = a.Index(
            Reflected(x + dx, a.grid.size[0]), Reflected(y + dy, a.grid.size[1]), Reflected(z + dz, a.grid.size[2]));
          if (std::isfinite(a.values[i]) && std::isfinite(b.values[i]))
          {
            const double sigma = parameters.windowSigma;
            body(std::exp(-0.5 * (dx * dx + dy * dy + dz * dz) / (sigma * sigma)), a.values[i], b.values[i]);
          }
        }
      }
    }
  };
  forWindow([&](double weight, double valueA, double valueB) {
    weightSum += weight;
    meanA += weight * valueA;
    meanB += weight * valueB;
  });
  meanA /= weightSum;
  meanB /= weightSum;
  double varianceA = 0.0;
  double varianceB = 0.0;
  double covariance = 0.0;
  forWindow([&](double weight, double valueA, double valueB) {
    varianceA += weight / weightSum * Square(valueA - meanA);
    varianceB += weight / weightSum * Square(valueB - meanB);
    covariance += weight / weightSum * (valueA - meanA) * (valueB - meanB);
  });
  const double c1 = Square(parameters.k1 * parameters.dataRange);
  const double c2 = Square(parameters.k2 * parameters.dataRange);
  return (2.0 * meanA * meanB + c1) * (2.0 * covariance + c2) /
         ((Square(meanA) + Square(meanB) + c1) * (varianceA + varianceB + c2));
}

} // namespace

Similarity
StructuralSimilarity(const cudaneuro::StructuralSimilarityParameters & parameters,
                     const Image &                                     reference,
                     const Image &                                     image)
{
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Similarity   result;
  result.map.assign(reference.values.size(), nan);
  double sum = 0.0;
  double count = 0.0;
  double squaredSum = 0.0;
  double squaredCount = 0.0;
  ForEachVoxel(reference.grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const std::size_t i = reference.Index(x, y, z);
    if (!std::isfinite(reference.values[i]) || !std::isfinite(image.values[i]))
    {
      return;
    }
    result.map[i] = SimilarityAt(parameters, reference, image, x, y, z);
    if (!reference.mask.empty() && reference.mask[i] == 0)
    {
      return;
    }
    squaredSum += Square(reference.values[i] - image.values[i]);
    squaredCount += 1.0;
    const std::array<std::int64_t, 3> at{ x, y, z };
    for (int axis = 0; axis < 3; ++axis)
    {
      const std::int64_t size = reference.grid.size[axis];
      if (size >= 11 && (at[axis] < 5 || at[axis] >= size - 5))
      {
        return;
      }
    }
    sum += result.map[i];
    count += 1.0;
  });
  result.mean = sum / count;
  result.meanSquaredError = squaredSum / squaredCount;
  return result;
}

} // namespace reference
