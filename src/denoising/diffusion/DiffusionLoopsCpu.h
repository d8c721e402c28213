// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionLoopsCpu_h
#define cudaneuro_denoising_diffusion_DiffusionLoopsCpu_h

#include "denoising/diffusion/AnisotropicDiffusion.h"
#include "denoising/diffusion/DiffusionFormulas.h"
#include "denoising/diffusion/PaddedVolumeCpu.h"
#include "system/Compiler.h"

#include <algorithm>
#include <array>
#include <cstdint>

/** The inner loops of diffusion: conductances and steps of one row. They are inlined into functions that VectorDispatch
 * compiles for the processor's SIMD vectors. */
namespace cudaneuro::cpu
{

/** The constants that all steps share. */
struct DiffusionPlan
{
  DiffusionUnits     units;
  InverseEdgeLengths inverseLengths;
  float              timeStep;
  std::array<int, 3> reach{};

  explicit DiffusionPlan(const DiffusionCall & call)
    : units(MakeDiffusionUnits(call.parameters, call.grid, call.reference, SmallestNoise(call.noiseValues)))
    , inverseLengths(MakeInverseEdgeLengths(call.parameters.stencil, call.grid, call.parameters.useImageSpacing))
  {
    const AnisotropicDiffusionParameters & parameters = call.parameters;
    const Grid &                           grid = call.grid;
    for (int axis = 0; axis < 3; ++axis)
    {
      reach[axis] = grid.size[axis] > 1 ? 1 : 0;
    }
    // The mean of two conductances is half of their sum; the half is part of the time step.
    const bool isMean = parameters.stencil == DiffusionStencil::Weickert26;
    timeStep = static_cast<float>(isMean ? 0.5 * parameters.timeStep : parameters.timeStep);
  }
};

CUDANEURO_ALWAYS_INLINE float
ScaledSquaredDifference(float after, float before, float center, float scale, float inverseNoise)
{
  after = after == after ? after : center;
  before = before == before ? before : center;
  const float difference = (after - before) * scale * inverseNoise;
  return difference * difference;
}

/** Returns the above plus the square of half the second difference, which is not 0 on a line of one voxel. */
CUDANEURO_ALWAYS_INLINE float
ScaledSquaredDifferences(float after, float before, float center, float scale, float inverseNoise)
{
  after = after == after ? after : center;
  before = before == before ? before : center;
  const float first = (after - before) * scale * inverseNoise;
  const float second = (0.5f * (after + before) - center) * scale * inverseNoise;
  return first * first + second * second;
}

/** Computes the conductances of the gradient magnitude along a row, or for GeometricMean26 their roots. Those of
 * excluded voxels are not used. \p inverseNoise is read with VMap. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE void
ComputeConductanceRow(const DiffusionPlan & plan,
                      std::int64_t          n,
                      const float *         values,
                      const float *         inverseNoise,
                      std::int64_t          rowStride,
                      std::int64_t          planeStride,
                      float *               conductances)
{
  const DiffusionUnits units = plan.units;
  const auto [scaleX, scaleY, scaleZ] = units.gradientScale;
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    const float center = values[x];
    const float ofNoise = VMap ? inverseNoise[x] : 1.0f;
    if constexpr (VStencil == DiffusionStencil::GeometricMean26)
    {
      const float q =
        ScaledSquaredDifferences(values[x + 1], values[x - 1], center, scaleX, ofNoise) +
        ScaledSquaredDifferences(values[x + rowStride], values[x - rowStride], center, scaleY, ofNoise) +
        ScaledSquaredDifferences(values[x + planeStride], values[x - planeStride], center, scaleZ, ofNoise);
      conductances[x] = RootOfConductance<VConductance>(q, units.kappa, units.squaredKappa);
    }
    else
    {
      const float q =
        ScaledSquaredDifference(values[x + 1], values[x - 1], center, scaleX, ofNoise) +
        ScaledSquaredDifference(values[x + rowStride], values[x - rowStride], center, scaleY, ofNoise) +
        ScaledSquaredDifference(values[x + planeStride], values[x - planeStride], center, scaleZ, ofNoise);
      conductances[x] = Conductance<VConductance>(q, units.kappa, units.squaredKappa);
    }
  }
}

/** The values of a row and of a row of its neighbors, and their conductances for stencils with a field of
 * conductances; for the other stencils, with a map, RelativeInverseNoise(). */
struct EdgeRow
{
  const float * values;
  const float * neighbors;
  const float * conductances;
  const float * neighborConductances;
  const float * inverseNoise;
  const float * neighborInverseNoise;
};

template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE float
EdgeTerm(const EdgeRow & row, std::int64_t x, std::int64_t neighborX, const DiffusionUnits & units, float inverseLength)
{
  const float difference = row.neighbors[neighborX] - row.values[x];
  float       conductance = 0.0f;
  if constexpr (VStencil == DiffusionStencil::GeometricMean26)
  {
    conductance = row.conductances[x] * row.neighborConductances[neighborX];
  }
  else if constexpr (VStencil == DiffusionStencil::Weickert26)
  {
    conductance = row.conductances[x] + row.neighborConductances[neighborX];
  }
  else
  {
    const float ratio = difference * units.inverseKappa;
    const float inverseNoises = VMap ? row.inverseNoise[x] * row.neighborInverseNoise[neighborX] : 1.0f;
    conductance = Conductance<VConductance>(EdgeArgument(ratio, inverseNoises), units.kappa, units.squaredKappa);
  }
  const float term = conductance * difference * inverseLength;
  return difference == difference ? term : 0.0f;
}

/** Adds the edges to a row of neighbors: with VMiddle those to x, with VSides those to x - 1 and x + 1. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap, bool VMiddle, bool VSides>
CUDANEURO_ALWAYS_INLINE void
AccumulateEdges(
  std::int64_t n, EdgeRow row, DiffusionUnits units, float middleLength, float sideLength, float * changes)
{
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    float change = changes[x];
    if constexpr (VMiddle)
    {
      change += EdgeTerm<VStencil, VConductance, VMap>(row, x, x, units, middleLength);
    }
    if constexpr (VSides)
    {
      change += EdgeTerm<VStencil, VConductance, VMap>(row, x, x - 1, units, sideLength) +
                EdgeTerm<VStencil, VConductance, VMap>(row, x, x + 1, units, sideLength);
    }
    changes[x] = change;
  }
}

/** Returns the inverse lengths of the edges to the row at offset (dy, dz): straight, and to the sides. */
inline std::array<float, 2>
InverseLengths(const InverseEdgeLengths & l, std::int64_t dy, std::int64_t dz)
{
  if (dy != 0 && dz != 0)
  {
    return { l.yz, l.xyz };
  }
  return dy != 0 ? std::array<float, 2>{ l.y, l.xy } : std::array<float, 2>{ l.z, l.xz };
}

/** Computes one step of one row. \p changes is a buffer of n floats. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE void
UpdateRow(const DiffusionPlan & plan,
          const PaddedVolume &  from,
          const PaddedVolume &  field,
          const PaddedVolume &  inverseNoise,
          const PaddedVolume &  to,
          std::int64_t          n,
          std::int64_t          y,
          std::int64_t          z,
          float *               changes)
{
  EdgeRow row{ from.Row(y, z),  from.Row(y, z),         field.Row(y, z),
               field.Row(y, z), inverseNoise.Row(y, z), inverseNoise.Row(y, z) };
  std::fill_n(changes, n, 0.0f);
  AccumulateEdges<VStencil, VConductance, VMap, false, true>(n, row, plan.units, 0.0f, plan.inverseLengths.x, changes);
  for (std::int64_t dz = -plan.reach[2]; dz <= plan.reach[2]; ++dz)
  {
    for (std::int64_t dy = -plan.reach[1]; dy <= plan.reach[1]; ++dy)
    {
      const auto [middle, side] = InverseLengths(plan.inverseLengths, dy, dz);
      if ((dy == 0 && dz == 0) || (middle == 0.0f && side == 0.0f))
      {
        continue;
      }
      row.neighbors = from.Row(y + dy, z + dz);
      row.neighborConductances = field.Row(y + dy, z + dz);
      row.neighborInverseNoise = inverseNoise.Row(y + dy, z + dz);
      if (side == 0.0f)
      {
        AccumulateEdges<VStencil, VConductance, VMap, true, false>(n, row, plan.units, middle, side, changes);
      }
      else
      {
        AccumulateEdges<VStencil, VConductance, VMap, true, true>(n, row, plan.units, middle, side, changes);
      }
    }
  }
  const float * const values = row.values;
  float * const       result = to.Row(y, z);
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    result[x] = values[x] + plan.timeStep * changes[x];
  }
}

} // namespace cudaneuro::cpu

#endif
