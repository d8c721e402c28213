// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_WeickertHalo_cuh
#define cudaneuro_denoising_diffusion_WeickertHalo_cuh

#include "denoising/diffusion/WeickertStencil.cuh"

namespace cudaneuro::gpu
{

/** Computes the conductances around a block's voxels in plane \p t. A thread computes 4 conductances of the rows before
 * and after, or one of the columns before and after. */
template <DiffusionStencil     VStencil,
          DiffusionConductance VConductance,
          WeickertCase         VCase,
          bool                 VPadded,
          typename TShape,
          typename TTile>
__device__ __forceinline__ void
ComputeConductanceHalo(
  const DiffusionArguments & a, const DiffusionBlock & block, const TTile & tile, int t, float * conductances)
{
  constexpr int stride = TTile::stride;
  constexpr int quads = 2 * TShape::threadsX;
  constexpr int singles = 2 * (TShape::height + 2);
  static_assert(quads + singles <= TShape::threads, "the halo takes one pass");
  const float * const here = tile.Plane(t);
  const float * const below = tile.Plane(t - 1);
  const float * const above = tile.Plane(t + 1);
  const int           item = threadIdx.x;
  if (item < quads)
  {
    const int row = item < TShape::threadsX ? 0 : TShape::height + 1;
    const int column = 4 + 4 * (item % TShape::threadsX);
    const int at = (row + 1) * stride + column;
    float     quad[4];
    float     before[6], center[6], after[6], z0[4], z1[4], g[4], noise[4];
    ReadQuad(here + at, quad);
    ReadQuad(below + at, z0);
    ReadQuad(above + at, z1);
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      before[i + 1] = here[at - stride + i];
      center[i + 1] = quad[i];
      after[i + 1] = here[at + stride + i];
    }
    center[0] = here[at - 1];
    center[5] = here[at + 4];
    ReadInverseNoiseQuad<TShape::hasMap>(a, block.x0 + column - 4, block.y0 + row - 1, t, noise);
    ComputeWeickertConductances<VStencil, VConductance, VCase, VPadded>(
      a, block.x0 + column - 4, block.y0 + row - 1, noise, before, center, after, z0, z1, g);
    *reinterpret_cast<float4 *>(conductances + row * stride + column) = make_float4(g[0], g[1], g[2], g[3]);
  }
  else if (item < quads + singles)
  {
    const int    row = (item - quads) >> 1;
    const int    column = (item - quads) & 1 ? TShape::width + 4 : 3;
    const int    at = (row + 1) * stride + column;
    const int    x = block.x0 + column - 4;
    const int    y = block.y0 + row - 1;
    const Extent size = a.size;
    const float  noise = ReadInverseNoise<TShape::hasMap>(a, x, y, t);
    float        g = 0.0f;
    if (VCase == WeickertCase::Interior)
    {
      g = WeickertConductance<VStencil, VConductance>(
        a, noise, here[at], here[at - 1], here[at + 1], here[at - stride], here[at + stride], below[at], above[at]);
    }
    else if (x >= 0 && x < size.x && y >= 0 && y < size.y)
    {
      const float c = here[at];
      g = WeickertConductanceAmongExcluded<VStencil, VConductance>(a,
                                                                   noise,
                                                                   c,
                                                                   here[at - 1],
                                                                   x == size.x - 1 ? c : here[at + 1],
                                                                   y == 0 ? c : here[at - stride],
                                                                   y == size.y - 1 ? c : here[at + stride],
                                                                   below[at],
                                                                   above[at]);
    }
    conductances[row * stride + column] = g;
  }
}

} // namespace cudaneuro::gpu

#endif
