// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/ReferenceMetric.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reference
{

namespace
{

using cudaneuro::AffineMap;
using Position = std::array<double, 3>;

Position
Mapped(const AffineMap & map, const ImageOnGrid & image, std::size_t voxel)
{
  const std::size_t plane = static_cast<std::size_t>(image.size[0]) * image.size[1];
  const Position    index{ static_cast<double>(voxel % image.size[0]),
                        static_cast<double>(voxel % plane / image.size[0]),
                        static_cast<double>(voxel / plane) };
  Position          position = map.offset;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      position[row] += map.matrix[3 * row + column] * index[column];
    }
  }
  return position;
}

/** Linear interpolation as a sum over all voxels within a distance of 1; beyond the outermost centers the image is
 * that of these. */
double
Sample(const ImageOnGrid & image, Position position)
{
  double sum = 0.0;
  int    first[3];
  for (int axis = 0; axis < 3; ++axis)
  {
    position[axis] = std::min(std::max(position[axis], 0.0), image.size[axis] - 1.0);
    first[axis] = static_cast<int>(position[axis]);
  }
  for (int z = first[2]; z < std::min(first[2] + 2, image.size[2]); ++z)
  {
    for (int y = first[1]; y < std::min(first[1] + 2, image.size[1]); ++y)
    {
      for (int x = first[0]; x < std::min(first[0] + 2, image.size[0]); ++x)
      {
        const double weight =
          (1.0 - std::abs(position[0] - x)) * (1.0 - std::abs(position[1] - y)) * (1.0 - std::abs(position[2] - z));
        sum += weight * image.values[image.Index(x, y, z)];
      }
    }
  }
  return sum;
}

/** The cubic B-spline. */
double
Spline(double x)
{
  const double u = std::abs(x);
  if (u < 1.0)
  {
    return (4.0 - 6.0 * u * u + 3.0 * u * u * u) / 6.0;
  }
  return u < 2.0 ? (2.0 - u) * (2.0 - u) * (2.0 - u) / 6.0 : 0.0;
}

} // namespace

std::vector<std::size_t>
VoxelsThatTakePart(const ImageOnGrid & fixed, const ImageOnGrid & moving, const AffineMap & indexMap)
{
  std::vector<std::size_t> voxels;
  for (std::size_t i = 0; i < fixed.values.size(); ++i)
  {
    const Position position = Mapped(indexMap, fixed, i);
    bool           isInside = fixed.IsInMask(i);
    int            nearest[3]{};
    for (int axis = 0; axis < 3; ++axis)
    {
      isInside = isInside && (moving.goesOnBefore[axis] || position[axis] >= -0.5) &&
                 (moving.goesOnBehind[axis] || position[axis] < moving.size[axis] - 0.5);
      const double bounded = std::min(std::max(position[axis], 0.0), moving.size[axis] - 1.0);
      nearest[axis] = static_cast<int>(std::floor(bounded + 0.5));
    }
    if (isInside && moving.IsInMask(moving.Index(nearest[0], nearest[1], nearest[2])))
    {
      voxels.push_back(i);
    }
  }
  return voxels;
}

double
MeanSquares(const ImageOnGrid &              fixed,
            const ImageOnGrid &              moving,
            const AffineMap &                indexMap,
            const std::vector<std::size_t> & voxels)
{
  double sum = 0.0;
  for (const std::size_t i : voxels)
  {
    const double difference = Sample(moving, Mapped(indexMap, fixed, i)) - fixed.values[i];
    sum += difference * difference;
  }
  return 0.5 * sum / static_cast<double>(voxels.size());
}

double
MutualInformation(int                              bins,
                  const ImageOnGrid &              fixed,
                  const ImageOnGrid &              moving,
                  const AffineMap &                indexMap,
                  const std::vector<std::size_t> & voxels)
{
  std::vector<std::vector<double>> joint(bins, std::vector<double>(bins, 0.0));
  for (const std::size_t i : voxels)
  {
    const int    bin = std::min(static_cast<int>(fixed.values[i]), bins - 3);
    const double value = Sample(moving, Mapped(indexMap, fixed, i));
    for (int k = 0; k < bins; ++k)
    {
      joint[bin][k] += Spline(value - k) / static_cast<double>(voxels.size());
    }
  }
  const auto entropyTerm = [](double p) { return p > 0.0 ? p * std::log(p) : 0.0; };
  double     ofJoint = 0.0;
  double     ofFixed = 0.0;
  double     ofMoving = 0.0;
  for (int a = 0; a < bins; ++a)
  {
    double row = 0.0;
    double column = 0.0;
    for (int b = 0; b < bins; ++b)
    {
      ofJoint += entropyTerm(joint[a][b]);
      row += joint[a][b];
      column += joint[b][a];
    }
    ofFixed += entropyTerm(row);
    ofMoving += entropyTerm(column);
  }
  // -I = H(f, m) - H(f) - H(m), of which each is minus the sum of such terms.
  return ofFixed + ofMoving - ofJoint;
}

double
WeightedInformation(int                         bins,
                    const ImageOnGrid &         fixed,
                    const std::vector<double> & weights,
                    const ImageOnGrid &         moving,
                    const AffineMap &           indexMap)
{
  std::vector<std::vector<double>> joint(bins, std::vector<double>(bins, 0.0));
  double                           all = 0.0;
  double                           counted = 0.0;
  for (std::size_t i = 0; i < fixed.values.size(); ++i)
  {
    const Position position = Mapped(indexMap, fixed, i);
    double         weight = fixed.IsInMask(i) ? weights[i] : 0.0;
    all += weight;
    for (int axis = 0; axis < 3; ++axis)
    {
      const double before = moving.goesOnBefore[axis] ? 0.0 : std::max(0.0, -position[axis]);
      const double behind = moving.goesOnBehind[axis] ? 0.0 : std::max(0.0, position[axis] - (moving.size[axis] - 1.0));
      weight *= std::max(0.0, 1.0 - before) * std::max(0.0, 1.0 - behind);
    }
    const int    bin = std::min(static_cast<int>(fixed.values[i]), bins - 3);
    const double value = Sample(moving, position);
    counted += weight;
    for (int k = 0; k < bins; ++k)
    {
      joint[bin][k] += weight * Spline(value - k);
    }
  }
  double sum = 0.0;
  for (int a = 0; a < bins; ++a)
  {
    for (int b = 0; b < bins; ++b)
    {
      double row = 0.0;
      double column = 0.0;
      for (int k = 0; k < bins; ++k)
      {
        row += joint[a][k];
        column += joint[k][b];
      }
      sum += joint[a][b] > 0.0 ? joint[a][b] * std::log(joint[a][b] * counted / (row * column)) : 0.0;
    }
  }
  return -sum / all;
}

std::array<double, 12>
Differentiate(const Metric &                                      metric,
              const ImageOnGrid &                                 fixed,
              const ImageOnGrid &                                 moving,
              const std::function<AffineMap(const AffineMap &)> & toIndices,
              const AffineMap &                                   map)
{
  const std::vector<std::size_t> voxels = VoxelsThatTakePart(fixed, moving, toIndices(map));
  std::array<double, 12>         derivatives{};
  for (int entry = 0; entry < 12; ++entry)
  {
    // So small that hardly a position comes to another cell, where the interpolation has a kink.
    constexpr double step = 1e-7;
    const auto       at = [&](double by) {
      AffineMap changed = map;
      (entry < 9 ? changed.matrix[entry] : changed.offset[entry - 9]) += by;
      return metric(fixed, moving, toIndices(changed), voxels);
    };
    derivatives[entry] = (at(step) - at(-step)) / (2.0 * step);
  }
  return derivatives;
}

void
FillOutsideMask(ImageOnGrid & image)
{
  const ImageOnGrid inside = image;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    if (inside.IsInMask(i))
    {
      continue;
    }
    const int x = static_cast<int>(i % image.size[0]);
    const int y = static_cast<int>(i / image.size[0] % image.size[1]);
    const int z = static_cast<int>(i / image.size[0] / image.size[1]);
    double    sum = 0.0;
    double    count = 0.0;
    for (int neighbor = 0; neighbor < 27; ++neighbor)
    {
      const std::array<int, 3> at{ x + neighbor % 3 - 1, y + neighbor / 3 % 3 - 1, z + neighbor / 9 - 1 };
      bool                     exists = true;
      for (int axis = 0; axis < 3; ++axis)
      {
        exists = exists && at[axis] >= 0 && at[axis] < image.size[axis];
      }
      if (exists && inside.IsInMask(image.Index(at[0], at[1], at[2])))
      {
        sum += inside.values[image.Index(at[0], at[1], at[2])];
        count += 1.0;
      }
    }
    image.values[i] = count > 0.0 ? sum / count : 0.0;
  }
}

ImageOnGrid
InBins(ImageOnGrid image, int bins)
{
  double least = std::numeric_limits<double>::infinity();
  double largest = -least;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    least = image.IsInMask(i) ? std::min(least, image.values[i]) : least;
    largest = image.IsInMask(i) ? std::max(largest, image.values[i]) : largest;
  }
  for (double & value : image.values)
  {
    value = 2.0 + (bins - 4.0) * (value - least) / (largest - least);
  }
  return image;
}

ImageOnGrid
Standardized(ImageOnGrid image, double mean, double deviation)
{
  for (double & value : image.values)
  {
    value = (value - mean) / deviation;
  }
  return image;
}

Moments
MomentsOf(const ImageOnGrid & image)
{
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    sum += image.IsInMask(i) ? image.values[i] : 0.0;
    count += image.IsInMask(i) ? 1.0 : 0.0;
  }
  const double mean = sum / count;
  double       squares = 0.0;
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    squares += image.IsInMask(i) ? (image.values[i] - mean) * (image.values[i] - mean) : 0.0;
  }
  return { mean, std::sqrt(squares / (count - 1.0)) };
}

} // namespace reference
