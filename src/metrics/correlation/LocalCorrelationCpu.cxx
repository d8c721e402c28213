// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/correlation/LocalCorrelationCpu.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

/** The number of rows that a thread sums along z together. */
constexpr int rowsPerPart = 4;

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
  Context & context, const Extent & extent, int radius, const CorrelationVolumes<VCount> & volumes, const TBody & body)
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

} // namespace

LocalCorrelation::LocalCorrelation(Context & context, const Extent & extent, int radius)
  : m_Context(context)
  , m_Extent(extent)
  , m_Radius(radius)
  , m_Deformed(context, NumberOfVoxels(extent))
  , m_Sums(context, NumberOfVoxels(extent))
  , m_Terms(context, NumberOfVoxels(extent))
{}

/** Computes the products of CorrelationSums and their sums over the boxes in x and y. */
void
LocalCorrelation::SumProducts(const float * fixed) const
{
  const float * const deformed = this->GetDeformed();
  const std::int64_t  planeVoxels = std::int64_t{ m_Extent.x } * m_Extent.y;
  m_Context.ParallelFor(m_Extent.z, [&](std::int64_t z) {
    for (std::int64_t i = z * planeVoxels; i < (z + 1) * planeVoxels; ++i)
    {
      const float w = deformed[i];
      const float r = fixed[i];
      const bool  hasValue = w == w;
      const float products[correlationSums] = { 1.0f, w, r, w * w, r * r, w * r };
      for (std::size_t channel = 0; channel < correlationSums; ++channel)
      {
        m_Sums.At(channel)[i] = hasValue ? products[channel] : 0.0f;
      }
    }
    std::vector<float> rows;
    for (std::size_t channel = 0; channel < correlationSums; ++channel)
    {
      BoxOfPlane(m_Extent, m_Radius, m_Sums.At(channel) + z * planeVoxels, rows);
    }
  });
}

/** Completes the sums along z and computes terms from them. */
template <BoxesOf VBoxes>
CorrelationEnergy
LocalCorrelation::SumTerms(const unsigned char * weights) const
{
  const float * const            deformed = this->GetDeformed();
  std::vector<CorrelationEnergy> parts(static_cast<std::size_t>(DivideUp(m_Extent.y, rowsPerPart)));
  ForBoxesAlongZ(m_Context,
                 m_Extent,
                 m_Radius,
                 m_Sums,
                 [&](std::int64_t first, std::int64_t part, std::int64_t length, const float * row) {
                   CorrelationEnergy & sum = parts[static_cast<std::size_t>(part)];
                   for (std::int64_t x = 0; x < length; ++x)
                   {
                     CorrelationTerm term = CorrelationTermOf({ row[x],
                                                                row[length + x],
                                                                row[2 * length + x],
                                                                row[3 * length + x],
                                                                row[4 * length + x],
                                                                row[5 * length + x] });
                     const int       units = WeightOfBox<VBoxes>(deformed, weights, first + x);
                     term = Weighted<VBoxes>(term, units);
                     sum.count += static_cast<double>(units) / wholeBox<VBoxes>;
                     m_Terms.At(0)[first + x] = term.p;
                     m_Terms.At(1)[first + x] = term.q;
                     m_Terms.At(2)[first + x] = term.s;
                     sum.energy -= static_cast<double>(term.square);
                   }
                 });
  CorrelationEnergy all;
  for (const CorrelationEnergy & part : parts)
  {
    all.energy += part.energy;
    all.count += part.count;
  }
  return all;
}

CorrelationEnergy
LocalCorrelation::ComputeTerms(const float * fixed, BoxesOf boxes, const unsigned char * weights) const
{
  this->SumProducts(fixed);
  switch (boxes)
  {
    case BoxesOf::AllVoxels:
      return this->SumTerms<BoxesOf::AllVoxels>(weights);
    case BoxesOf::VoxelsWithValue:
      return this->SumTerms<BoxesOf::VoxelsWithValue>(weights);
    case BoxesOf::WeightedVoxels:
      break;
  }
  return this->SumTerms<BoxesOf::WeightedVoxels>(weights);
}

void
LocalCorrelation::ComputeDerivative(const float * fixed, float * derivative) const
{
  const float * const deformed = this->GetDeformed();
  const std::int64_t  planeVoxels = std::int64_t{ m_Extent.x } * m_Extent.y;
  m_Context.ParallelFor(m_Extent.z, [&](std::int64_t z) {
    std::vector<float> rows;
    for (std::size_t channel = 0; channel < correlationTerms; ++channel)
    {
      BoxOfPlane(m_Extent, m_Radius, m_Terms.At(channel) + z * planeVoxels, rows);
    }
  });
  ForBoxesAlongZ(m_Context,
                 m_Extent,
                 m_Radius,
                 m_Terms,
                 [&](std::int64_t first, std::int64_t, std::int64_t length, const float * row) {
                   for (std::int64_t x = 0; x < length; ++x)
                   {
                     const std::int64_t i = first + x;
                     derivative[i] = deformed[i] * row[length + x] - fixed[i] * row[x] + row[2 * length + x];
                   }
                 });
}

} // namespace cudaneuro::cpu
