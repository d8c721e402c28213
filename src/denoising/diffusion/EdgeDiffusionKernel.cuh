// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_EdgeDiffusionKernel_cuh
#define cudaneuro_denoising_diffusion_EdgeDiffusionKernel_cuh

#include "denoising/diffusion/DiffusionNoise.cuh"
#include "denoising/diffusion/DiffusionOutput.cuh"
#include "denoising/diffusion/DiffusionTile.cuh"

namespace cudaneuro::gpu
{

/** Computes the conductances of two differences, each with the product of the inverse noises of its ends. */
template <DiffusionConductance VConductance>
__device__ __forceinline__ void
ConductancePair(float a, float b, float noiseOfA, float noiseOfB, const DiffusionUnits & units, float (&g)[2])
{
  const float inverseKappa = units.inverseKappa;
  if constexpr (VConductance == DiffusionConductance::PeronaMalikRational)
  {
    // 1/p = q/(pq) and 1/q = p/(pq) share one reciprocal. p and q are scaled by 2^-62 and saturate at 1, so that
    // neither pq nor its reciprocal overflows. Differences that saturate are above units.largestEdgeDifference.
    constexpr float scale = 2.1684043e-19f;     // 2^-62
    constexpr float scaleRoot = 4.6566129e-10f; // 2^-31
    const float     ta = a * (inverseKappa * scaleRoot);
    const float     tb = b * (inverseKappa * scaleRoot);
    const float     p = __saturatef(fmaf(ta * noiseOfA, ta, scale));
    const float     q = __saturatef(fmaf(tb * noiseOfB, tb, scale));
    const float     r = ReciprocalOfPositive(p * q) * scale;
    // Where the noise is smaller than the largest noise, differences below units.largestEdgeDifference may saturate.
    g[0] = noiseOfA != 1.0f && p == 1.0f ? 0.0f : q * r;
    g[1] = noiseOfB != 1.0f && q == 1.0f ? 0.0f : p * r;
  }
  else
  {
    const float ta = a * inverseKappa;
    const float tb = b * inverseKappa;
    g[0] = Conductance<VConductance>(EdgeArgument(ta, noiseOfA), units.kappa, units.squaredKappa);
    g[1] = Conductance<VConductance>(EdgeArgument(tb, noiseOfB), units.kappa, units.squaredKappa);
  }
}

/** Returns the flux from two neighbors into a voxel. With VSomeExcluded, a neighbor that is excluded, or differs by
 * more than units.largestEdgeDifference, adds no flux. Noises are products of the inverse noises of an edge's ends. */
template <DiffusionConductance VConductance, bool VSomeExcluded>
__device__ __forceinline__ float
EdgePairFlux(float center, float neighbor0, float neighbor1, float noise0, float noise1, const DiffusionUnits & units)
{
  float d0 = neighbor0 - center;
  float d1 = neighbor1 - center;
  if (VSomeExcluded)
  {
    // False for NaN.
    d0 = fabsf(d0) <= units.largestEdgeDifference ? d0 : 0.0f;
    d1 = fabsf(d1) <= units.largestEdgeDifference ? d1 : 0.0f;
  }
  float g[2];
  ConductancePair<VConductance>(d0, d1, noise0, noise1, units, g);
  return fmaf(g[0], d0, g[1] * d1);
}

/** Reads a thread's 4 voxels, the one before, and the one after. */
__device__ __forceinline__ void
ReadEdgeRow(const float * first, float (&row)[6])
{
  float quad[4];
  ReadQuad(first, quad);
  row[0] = first[-1];
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    row[i + 1] = quad[i];
  }
  row[5] = first[4];
}

/** The coordinates of a thread's first voxel, and the inverse noises of its 4 voxels. */
struct EdgeVoxels
{
  int   x;
  int   y;
  int   z;
  float noise[4];
};

/** Adds the flux from two rows on opposite sides, at (dy, dz) and (-dy, -dz). \p direct is the weight of edges in the
 * plane of y and z, \p diagonal the weight of edges that also extend along x. */
template <DiffusionConductance VConductance, bool VDiagonal, bool VSomeExcluded, bool VMap>
__device__ __forceinline__ void
AddOppositeRows(const DiffusionArguments & a,
                const EdgeVoxels &         voxels,
                int                        dy,
                int                        dz,
                const float *              before,
                const float *              after,
                float                      direct,
                float                      diagonal,
                const float (&center)[4],
                float (&sum)[4])
{
  float row0[6];
  float row1[6];
  if (VDiagonal)
  {
    ReadEdgeRow(before, row0);
    ReadEdgeRow(after, row1);
  }
  else
  {
    float quad0[4], quad1[4];
    ReadQuad(before, quad0);
    ReadQuad(after, quad1);
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      row0[i + 1] = quad0[i];
      row1[i + 1] = quad1[i];
    }
  }
  float noise0[6];
  float noise1[6];
  ReadInverseNoiseRow<VMap, VDiagonal>(a, voxels.x, voxels.y - dy, voxels.z - dz, noise0);
  ReadInverseNoiseRow<VMap, VDiagonal>(a, voxels.x, voxels.y + dy, voxels.z + dz, noise1);
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    const float c = center[i];
    const float n = voxels.noise[i];
    const float straight = EdgePairFlux<VConductance, VSomeExcluded>(
      c, row0[i + 1], row1[i + 1], n * noise0[i + 1], n * noise1[i + 1], a.units);
    sum[i] = fmaf(direct, straight, sum[i]);
    if (VDiagonal)
    {
      const float flux =
        EdgePairFlux<VConductance, VSomeExcluded>(c, row0[i], row0[i + 2], n * noise0[i], n * noise0[i + 2], a.units) +
        EdgePairFlux<VConductance, VSomeExcluded>(c, row1[i], row1[i + 2], n * noise1[i], n * noise1[i + 2], a.units);
      sum[i] = fmaf(diagonal, flux, sum[i]);
    }
  }
}

/** Computes new values of 4 voxels from their 6 or 26 neighbors. The first is voxel (x, y, z), to which the pointers
 * into three planes of the tile lead. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VSomeExcluded, bool VMap, int VStride>
__device__ __forceinline__ void
ExchangeAlongEdges(const DiffusionArguments & a,
                   int                        x,
                   int                        y,
                   int                        z,
                   const float *              below,
                   const float *              here,
                   const float *              above,
                   float (&result)[4])
{
  constexpr bool diagonal = VStencil == DiffusionStencil::Gerig26;
  const auto &   w = a.weight;
  float          row[6];
  ReadEdgeRow(here, row);
  const float center[4] = { row[1], row[2], row[3], row[4] };
  float       noise[6];
  ReadInverseNoiseRow<VMap, true>(a, x, y, z, noise);
  const EdgeVoxels voxels{ x, y, z, { noise[1], noise[2], noise[3], noise[4] } };
  float            sum[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    sum[i] = w.x * EdgePairFlux<VConductance, VSomeExcluded>(
                     row[i + 1], row[i], row[i + 2], noise[i + 1] * noise[i], noise[i + 1] * noise[i + 2], a.units);
  }
  AddOppositeRows<VConductance, diagonal, VSomeExcluded, VMap>(
    a, voxels, 1, 0, here - VStride, here + VStride, w.y, w.xy, center, sum);
  AddOppositeRows<VConductance, diagonal, VSomeExcluded, VMap>(a, voxels, 0, 1, below, above, w.z, w.xz, center, sum);
  if (diagonal)
  {
    AddOppositeRows<VConductance, diagonal, VSomeExcluded, VMap>(
      a, voxels, 1, 1, below - VStride, above + VStride, w.yz, w.xyz, center, sum);
    AddOppositeRows<VConductance, diagonal, VSomeExcluded, VMap>(
      a, voxels, -1, 1, below + VStride, above - VStride, w.yz, w.xyz, center, sum);
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    // An excluded voxel stays NaN.
    result[i] = center[i] + sum[i];
  }
}

/** One step of PeronaMalik6 or Gerig26. Reads input, mask, restore and, with a map, noise; writes planes
 * [zBegin, zEnd) of the output. A block marches along z with three planes in shared memory and the next one being
 * loaded. Both ends of an edge compute its flux. Edges are checked only in tiles with excluded or outside voxels. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape, bool VFirst>
static __global__ void
__launch_bounds__(TShape::threads, TShape::minimumBlocks) EdgeDiffusionKernel(const DiffusionArguments a)
{
  extern __shared__ float4 diffusionShared[];
  BeginDiffusionStep<VFirst>();
  using Tile = DiffusionTile<TShape, 1, DiffusionBeyond::NotANumber, VFirst>;
  const DiffusionBlock block = LocateDiffusionBlock<TShape>(a);
  const bool           border =
    block.x0 == 0 || block.y0 == 0 || block.x0 + TShape::width >= a.size.x || block.y0 + TShape::height >= a.size.y;
  const int x = block.x0 + 4 * (threadIdx.x % TShape::threadsX);
  const int y = block.y0 + TShape::rows * (threadIdx.x / TShape::threadsX);
  const int first = (y - block.y0 + 1) * Tile::stride + x - block.x0 + 4;
  Tile      tile(a, block, reinterpret_cast<float *>(diffusionShared), block.zBegin - 1);

  DiffusionOutput output(a, x, y, block.zBegin);

  // Bit n: whether plane z + 1 - n of the tile has excluded voxels.
  int excluded = 0;
  tile.Load(block.zBegin - 1);
  excluded = tile.Arrive(block.zBegin - 1);
  tile.Load(block.zBegin);
  excluded = 2 * excluded + tile.Arrive(block.zBegin);
  tile.Load(block.zBegin + 1);

#pragma unroll 1
  for (int z = block.zBegin; z < block.zEnd; ++z)
  {
    excluded = (2 * excluded & 7) + tile.Arrive(z + 1);
    if (z + 1 < block.zEnd)
    {
      tile.Load(z + 2);
    }
#pragma unroll
    for (int j = 0; j < TShape::rows; ++j)
    {
      const float * const below = tile.Plane(z - 1) + first + j * Tile::stride;
      const float * const here = tile.Plane(z) + first + j * Tile::stride;
      const float * const above = tile.Plane(z + 1) + first + j * Tile::stride;
      float               result[4];
      if (border || excluded != 0)
      {
        ExchangeAlongEdges<VStencil, VConductance, true, TShape::hasMap, Tile::stride>(
          a, x, y + j, z, below, here, above, result);
      }
      else
      {
        ExchangeAlongEdges<VStencil, VConductance, false, TShape::hasMap, Tile::stride>(
          a, x, y + j, z, below, here, above, result);
      }
      if (output.IsLastStep())
      {
        output.WriteIntensities(j, z, result);
      }
      else
      {
        output.Write(j, result);
      }
    }
    output.NextPlane();
  }
}

/** The shapes that were measured to be the fastest on an H200; see benchmark/tuning. */
using PeronaMalikDefaultShape = DiffusionShape<16, 8, 2, 6>;
using GerigDefaultShape = DiffusionShape<8, 8, 1, 8>;

template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape>
void
LaunchEdgeDiffusion(const DiffusionArguments & arguments, bool first, int multiprocessors, cudaStream_t stream)
{
  LaunchDiffusion<TShape>(first,
                          first ? EdgeDiffusionKernel<VStencil, VConductance, TShape, true>
                                : EdgeDiffusionKernel<VStencil, VConductance, TShape, false>,
                          arguments,
                          sizeof(float) * DiffusionTile<TShape, 1, DiffusionBeyond::NotANumber, true>::ringFloats,
                          1,
                          multiprocessors,
                          stream);
}

} // namespace cudaneuro::gpu

#endif
