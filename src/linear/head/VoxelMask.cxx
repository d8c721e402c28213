// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/head/VoxelMask.h"

#include "core/VoxelNeighbors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cudaneuro
{

namespace
{

constexpr float infinity = std::numeric_limits<float>::infinity();

/** A mask in which the voxels with \p value have grown by their face neighbors. */
VoxelMask
Grown(const Extent & extent, const VoxelMask & mask, unsigned char value)
{
  VoxelMask grown = mask;
  for (std::size_t i = 0; i < mask.size(); ++i)
  {
    ForFaceNeighbors(extent, static_cast<std::int64_t>(i), [&](std::int64_t neighbor) {
      if (mask[static_cast<std::size_t>(neighbor)] == value)
      {
        grown[i] = value;
      }
    });
  }
  return grown;
}

/** Gives all voxels of a connected part, which have one value, another value.
 * \param visit is called for each of them */
template <typename TVisit>
void
MarkPart(const Extent & extent, std::int64_t first, int value, std::vector<int> & parts, const TVisit & visit)
{
  const int                 before = parts[static_cast<std::size_t>(first)];
  std::vector<std::int64_t> open{ first };
  parts[static_cast<std::size_t>(first)] = value;
  while (!open.empty())
  {
    const std::int64_t voxel = open.back();
    open.pop_back();
    visit(static_cast<std::size_t>(voxel));
    ForFaceNeighbors(extent, voxel, [&](std::int64_t neighbor) {
      int & part = parts[static_cast<std::size_t>(neighbor)];
      if (part == before)
      {
        part = value;
        open.push_back(neighbor);
      }
    });
  }
}

/** The lower envelope of the parabolas f(j) + (step (i - j))^2 along one line. */
class LineDistances
{
public:
  explicit LineDistances(int length)
    : m_Values(length)
    , m_Apexes(length)
    , m_Begins(length + 1)
  {}

  void
  Transform(float * line, std::int64_t stride, double step)
  {
    const int length = static_cast<int>(m_Values.size());
    int       count = 0;
    for (int i = 0; i < length; ++i)
    {
      m_Values[i] = static_cast<double>(line[i * stride]);
      if (!std::isinf(m_Values[i]))
      {
        this->Add(i, step * step, count);
      }
    }
    for (int i = 0, k = 0; i < length && count > 0; ++i)
    {
      while (k + 1 < count && m_Begins[k + 1] <= i)
      {
        ++k;
      }
      const double distance = step * (i - m_Apexes[k]);
      line[i * stride] = static_cast<float>(distance * distance + m_Values[m_Apexes[k]]);
    }
  }

private:
  void
  Add(int apex, double square, int & count)
  {
    // Position from which the parabola is below the previous one, which is removed if it begins later than that.
    double begin = -std::numeric_limits<double>::infinity();
    while (count > 0)
    {
      const int before = m_Apexes[count - 1];
      begin = 0.5 * ((m_Values[apex] - m_Values[before]) / (square * (apex - before)) + apex + before);
      if (begin > m_Begins[count - 1])
      {
        break;
      }
      --count;
      begin = -std::numeric_limits<double>::infinity();
    }
    m_Apexes[count] = apex;
    m_Begins[count] = begin;
    ++count;
  }

  std::vector<double> m_Values;
  std::vector<int>    m_Apexes;
  std::vector<double> m_Begins;
};

} // namespace

void
OpenMask(const Extent & extent, VoxelMask & mask)
{
  mask = Grown(extent, Grown(extent, mask, 0), 1);
}

void
KeepLargestPart(const Extent & extent, const VoxelMask & counted, VoxelMask & mask)
{
  std::vector<int> parts(mask.begin(), mask.end());
  int              largest = 0;
  std::size_t      most = 0;
  int              last = 1;
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    if (parts[i] == 1)
    {
      std::size_t count = 0;
      MarkPart(
        extent, static_cast<std::int64_t>(i), ++last, parts, [&](std::size_t voxel) { count += counted[voxel]; });
      if (count > most)
      {
        most = count;
        largest = last;
      }
    }
  }
  std::transform(parts.begin(), parts.end(), mask.begin(), [largest](int part) {
    return static_cast<unsigned char>(largest > 0 && part == largest);
  });
}

void
FillHoles(const Extent & extent, const GridSides & sides, VoxelMask & mask)
{
  constexpr int    outside = 2;
  std::vector<int> parts(mask.begin(), mask.end());
  const int        lengths[3] = { extent.x, extent.y, extent.z };
  for (std::size_t i = 0; i < parts.size(); ++i)
  {
    const auto voxel = static_cast<std::int64_t>(i);
    const int  index[3] = { static_cast<int>(voxel % extent.x),
                            static_cast<int>(voxel / extent.x % extent.y),
                            static_cast<int>(voxel / extent.x / extent.y) };
    bool       isAtSide = false;
    for (int axis = 0; axis < 3; ++axis)
    {
      isAtSide =
        isAtSide || (sides.lower[axis] && index[axis] == 0) || (sides.upper[axis] && index[axis] == lengths[axis] - 1);
    }
    if (isAtSide && parts[i] == 0)
    {
      MarkPart(extent, voxel, outside, parts, [](std::size_t) {});
    }
  }
  std::transform(
    parts.begin(), parts.end(), mask.begin(), [](int part) { return static_cast<unsigned char>(part != outside); });
}

std::vector<float>
SquaredDistances(Context &                     context,
                 const Extent &                extent,
                 const std::array<double, 3> & spacing,
                 const VoxelMask &             mask,
                 unsigned char                 to)
{
  std::vector<float> distances(mask.size());
  std::transform(
    mask.begin(), mask.end(), distances.begin(), [to](unsigned char value) { return value == to ? 0.0f : infinity; });
  const int          lengths[3] = { extent.x, extent.y, extent.z };
  const std::int64_t strides[3] = { 1, extent.x, std::int64_t{ extent.x } * extent.y };
  for (int axis = 0; axis < 3; ++axis)
  {
    const int inner = axis == 0 ? 1 : 0;
    const int outer = axis == 2 ? 1 : 2;
    context.ParallelFor(lengths[outer], [&](std::int64_t i) {
      LineDistances line(lengths[axis]);
      for (int j = 0; j < lengths[inner]; ++j)
      {
        line.Transform(distances.data() + i * strides[outer] + j * strides[inner],
                       strides[axis],
                       spacing[static_cast<std::size_t>(axis)]);
      }
    });
  }
  return distances;
}

} // namespace cudaneuro
