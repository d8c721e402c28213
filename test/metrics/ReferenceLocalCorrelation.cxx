// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceLocalCorrelation.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace reference
{

namespace
{

using Size = std::array<int, 3>;

/** The moving image at a position, or nothing where it has no value there. */
std::optional<double>
SeenAt(const ImagePair & images, const std::array<double, 3> & position)
{
  std::array<int, 3>    lower{};
  std::array<double, 3> fraction{};
  std::size_t           nearest = 0;
  for (int axis = 2; axis >= 0; --axis)
  {
    const int last = images.movingSize[axis] - 1;
    if (position[axis] < -0.5 || position[axis] >= last + 0.5)
    {
      return {};
    }
    const double clamped = std::clamp(position[axis], 0.0, static_cast<double>(last));
    lower[axis] = std::max(0, std::min(static_cast<int>(clamped), last - 1));
    fraction[axis] = clamped - lower[axis];
    nearest = nearest * images.movingSize[axis] + static_cast<std::size_t>(std::floor(clamped + 0.5));
  }
  if (!images.movingMask.empty() && images.movingMask[nearest] == 0)
  {
    return {};
  }
  double sum = 0.0;
  for (int corner = 0; corner < 8; ++corner)
  {
    double      weight = 1.0;
    std::size_t voxel = 0;
    for (int axis = 2; axis >= 0; --axis)
    {
      const int upper = corner >> axis & 1;
      weight *= upper ? fraction[axis] : 1.0 - fraction[axis];
      voxel = voxel * images.movingSize[axis] + std::min(lower[axis] + upper, images.movingSize[axis] - 1);
    }
    sum += weight * images.moving[voxel];
  }
  return sum;
}

/** The squared correlation of voxels. */
double
SquaredCorrelation(const std::vector<double> & seen, const std::vector<double> & fixed, double varianceFloor)
{
  const auto count = static_cast<double>(seen.size());
  double     meanW = 0.0;
  double     meanR = 0.0;
  double     products = 0.0;
  double     varianceW = varianceFloor;
  double     varianceR = varianceFloor;
  for (std::size_t i = 0; i < seen.size(); ++i)
  {
    meanW += seen[i] / count;
    meanR += fixed[i] / count;
  }
  for (std::size_t i = 0; i < seen.size(); ++i)
  {
    products += (seen[i] - meanW) * (fixed[i] - meanR) / count;
    varianceW += (seen[i] - meanW) * (seen[i] - meanW) / count;
    varianceR += (fixed[i] - meanR) * (fixed[i] - meanR) / count;
  }
  return products * products / (varianceW * varianceR);
}

} // namespace

MetricValue
LocalCorrelation(const ImagePair & images, int radius, double varianceFloor, const cudaneuro::AffineMap & map)
{
  const Size &                       size = images.fixedSize;
  std::vector<std::optional<double>> seen;
  const auto                         forVoxels = [](const Size & from, const Size & to, const auto & body) {
    for (int z = from[2]; z < to[2]; ++z)
    {
      for (int y = from[1]; y < to[1]; ++y)
      {
        for (int x = from[0]; x < to[0]; ++x)
        {
          body(x, y, z);
        }
      }
    }
  };
  const auto index = [&](int x, int y, int z) { return (static_cast<std::size_t>(z) * size[1] + y) * size[0] + x; };
  forVoxels({}, size, [&](int x, int y, int z) {
    std::array<double, 3> position{};
    for (int r = 0; r < 3; ++r)
    {
      const double * const row = map.matrix.data() + 3 * static_cast<std::ptrdiff_t>(r);
      position[r] = row[0] * x + row[1] * y + row[2] * z + map.offset[r];
    }
    const bool isInside = images.fixedMask.empty() || images.fixedMask[index(x, y, z)] != 0;
    seen.push_back(isInside ? SeenAt(images, position) : std::optional<double>());
  });
  MetricValue result;
  double      sum = 0.0;
  forVoxels({}, size, [&](int x, int y, int z) {
    if (!seen[index(x, y, z)])
    {
      return;
    }
    std::vector<double> ofSeen;
    std::vector<double> ofFixed;
    const Size          from{ std::max(0, x - radius), std::max(0, y - radius), std::max(0, z - radius) };
    const Size          to{ std::min(size[0], x + radius + 1),
                   std::min(size[1], y + radius + 1),
                   std::min(size[2], z + radius + 1) };
    forVoxels(from, to, [&](int i, int j, int k) {
      if (const auto & value = seen[index(i, j, k)])
      {
        ofSeen.push_back(*value);
        ofFixed.push_back(images.fixed[index(i, j, k)]);
      }
    });
    const double weight = images.fixedWeights.empty() ? 1.0 : images.fixedWeights[index(x, y, z)] / 255.0;
    sum += weight * SquaredCorrelation(ofSeen, ofFixed, varianceFloor);
    result.count += weight;
  });
  result.value = 1.0 - sum / result.count;
  return result;
}

} // namespace reference
