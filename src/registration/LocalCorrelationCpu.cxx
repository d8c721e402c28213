// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/RegistrationForceCpu.h"

#include "core/IntegerMath.h"
#include "fields/CellSampler.h"
#include "registration/LocalCorrelationFormulas.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** Rows that a thread sums along z together. */
constexpr int rowsPerPart = 4;

/** Volumes of one float per voxel, one after another. */
template <std::size_t VCount>
class Volumes
{
public:
  Volumes(Context & context, std::int64_t voxels)
    : m_Voxels(voxels)
    , m_Memory(context.Allocate(VCount * static_cast<std::size_t>(voxels) * sizeof(float)))
  {}

  float *
  At(std::size_t channel) const
  {
    return static_cast<float *>(m_Memory.Data()) + static_cast<std::int64_t>(channel) * m_Voxels;
  }

private:
  std::int64_t m_Voxels;
  DeviceMemory m_Memory;
};

void
DeformImage(Context & context, const ImagePair & images, const ConstSoAField & displacement, float * deformed)
{
  const Extent   extent = images.extent;
  const CellGrid grid(extent);
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    std::int64_t i = z * extent.y * extent.x;
    for (int y = 0; y < extent.y; ++y)
    {
      for (int x = 0; x < extent.x; ++x, ++i)
      {
        const float px = static_cast<float>(x) + displacement.x[i];
        const float py = static_cast<float>(y) + displacement.y[i];
        const float pz = static_cast<float>(z) + displacement.z[i];
        const bool  hasValue = grid.Contains(px, py, pz) && images.fixed[i] == images.fixed[i];
        deformed[i] =
          hasValue ? Cell(grid, px, py, pz).Interpolate(grid, images.moving) : std::numeric_limits<float>::quiet_NaN();
      }
    }
  });
}

/** Sums a plane over the box in x and y, in place; voxels outside the grid add nothing. \p rows is scratch memory. */
void
BoxOfPlane(const Extent & extent, int radius, float * plane, std::vector<float> & rows)
{
  rows.assign(static_cast<std::size_t>(extent.x) * static_cast<std::size_t>(extent.y), 0.0f);
  for (int y = 0; y < extent.y; ++y)
  {
    const float * const from = plane + std::int64_t{ y } * extent.x;
    float * const       to = rows.data() + std::int64_t{ y } * extent.x;
    for (int shift = -radius; shift <= radius; ++shift)
    {
      const int end = std::min(extent.x, extent.x - shift);
      for (int x = std::max(0, -shift); x < end; ++x)
      {
        to[x] += from[x + shift];
      }
    }
  }
  for (int y = 0; y < extent.y; ++y)
  {
    float * const to = plane + std::int64_t{ y } * extent.x;
    std::fill_n(to, extent.x, 0.0f);
    for (int other = std::max(0, y - radius); other <= std::min(extent.y - 1, y + radius); ++other)
    {
      const float * const from = rows.data() + std::int64_t{ other } * extent.x;
      for (int x = 0; x < extent.x; ++x)
      {
        to[x] += from[x];
      }
    }
  }
}

/** Calls body(first, part, length, sums) for groups of rows: the index of the first voxel, the number of the group, its
 * voxels, and their sums over the box along z for each of the VCount volumes. */
template <std::size_t VCount, typename TBody>
void
ForBoxesAlongZ(
  Context & context, const Extent & extent, int radius, const Volumes<VCount> & volumes, const TBody & body)
{
  context.ParallelFor(DivideUp(extent.y, rowsPerPart), [&](std::int64_t part) {
    const auto         begin = static_cast<int>(part) * rowsPerPart;
    const int          rows = std::min(rowsPerPart, extent.y - begin);
    const std::int64_t length = std::int64_t{ rows } * extent.x;
    const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
    std::vector<float> sums(VCount * static_cast<std::size_t>(length), 0.0f);
    const auto         add = [&](int z, float sign) {
      for (std::size_t channel = 0; channel < VCount; ++channel)
      {
        const float * const from = volumes.At(channel) + z * plane + std::int64_t{ begin } * extent.x;
        float * const       to = sums.data() + static_cast<std::int64_t>(channel) * length;
        for (std::int64_t x = 0; x < length; ++x)
        {
          to[x] += sign * from[x];
        }
      }
    };
    for (int z = 0; z < std::min(radius, extent.z); ++z)
    {
      add(z, 1.0f);
    }
    for (int z = 0; z < extent.z; ++z)
    {
      if (z + radius < extent.z)
      {
        add(z + radius, 1.0f);
      }
      if (z - radius - 1 >= 0)
      {
        add(z - radius - 1, -1.0f);
      }
      body(z * plane + std::int64_t{ begin } * extent.x, part, length, sums.data());
    }
  });
}

/** Sums the products of CorrelationSums over the boxes in x and y. */
void
SumProducts(Context &                        context,
            const ImagePair &                images,
            int                              radius,
            const float *                    deformed,
            const Volumes<correlationSums> & sums)
{
  const Extent       extent = images.extent;
  const std::int64_t planeVoxels = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * planeVoxels; i < (z + 1) * planeVoxels; ++i)
    {
      const float w = deformed[i];
      const float r = images.fixed[i];
      const bool  hasValue = w == w;
      const float products[correlationSums] = { 1.0f, w, r, w * w, r * r, w * r };
      for (std::size_t channel = 0; channel < correlationSums; ++channel)
      {
        sums.At(channel)[i] = hasValue ? products[channel] : 0.0f;
      }
    }
    std::vector<float> rows;
    for (std::size_t channel = 0; channel < correlationSums; ++channel)
    {
      BoxOfPlane(extent, radius, sums.At(channel) + z * planeVoxels, rows);
    }
  });
}

/** Completes the sums along z and computes terms from them, which are summed in x and y.
 * \returns the sum of squared correlations. */
double
SumTerms(Context &                         context,
         const Extent &                    extent,
         int                               radius,
         const Volumes<correlationSums> &  sums,
         const Volumes<correlationTerms> & terms)
{
  std::vector<double> squares(static_cast<std::size_t>(DivideUp(extent.y, rowsPerPart)), 0.0);
  ForBoxesAlongZ(
    context, extent, radius, sums, [&](std::int64_t first, std::int64_t part, std::int64_t length, const float * row) {
      for (std::int64_t x = 0; x < length; ++x)
      {
        const CorrelationTerm term = CorrelationTermOf({ row[x],
                                                         row[length + x],
                                                         row[2 * length + x],
                                                         row[3 * length + x],
                                                         row[4 * length + x],
                                                         row[5 * length + x] });
        terms.At(0)[first + x] = term.p;
        terms.At(1)[first + x] = term.q;
        terms.At(2)[first + x] = term.s;
        squares[static_cast<std::size_t>(part)] += static_cast<double>(term.square);
      }
    });
  const std::int64_t planeVoxels = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    std::vector<float> rows;
    for (std::size_t channel = 0; channel < correlationTerms; ++channel)
    {
      BoxOfPlane(extent, radius, terms.At(channel) + z * planeVoxels, rows);
    }
  });
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

} // namespace

double
LocalCorrelation(
  Context & context, int radius, const ImagePair & images, const ConstSoAField & displacement, float * derivative)
{
  const Extent                    extent = images.extent;
  const std::int64_t              voxels = NumberOfVoxels(extent);
  const Volumes<1>                deformedMemory(context, voxels);
  const Volumes<correlationSums>  sums(context, voxels);
  const Volumes<correlationTerms> terms(context, voxels);
  float * const                   deformed = deformedMemory.At(0);
  DeformImage(context, images, displacement, deformed);
  SumProducts(context, images, radius, deformed, sums);
  const double squares = SumTerms(context, extent, radius, sums, terms);
  ForBoxesAlongZ(
    context, extent, radius, terms, [&](std::int64_t first, std::int64_t, std::int64_t length, const float * row) {
      for (std::int64_t x = 0; x < length; ++x)
      {
        const std::int64_t i = first + x;
        derivative[i] = deformed[i] * row[length + x] - images.fixed[i] * row[x] + row[2 * length + x];
      }
    });
  return -squares;
}

} // namespace cudaneuro::cpu
