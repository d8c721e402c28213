// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_WeickertStencil_cuh
#define cudaneuro_denoising_diffusion_WeickertStencil_cuh

#include "denoising/diffusion/DiffusionNoise.cuh"
#include "denoising/diffusion/DiffusionTile.cuh"

namespace cudaneuro::gpu
{

/* One step of Weickert26 is, with g the conductance field and w_ij = timeStep / (2 l_ij),
 *
 *   V_i' = V_i + sum_j w_ij (g_i + g_j) (V_j - V_i)
 *        = V_i + g_i (S_i[V] - L_i V_i) + S_i[gV] - V_i S_i[g],    S_i[q] = sum_j w_ij q_j,    L_i = S_i[1],
 *
 * where j runs over the neighbors that are not excluded: q is 0 in the excluded. S is symmetric in each axis, so that
 * S[q] = A[q] of the voxel's own plane + B[q] of the plane below + B[q] of the plane above. A and B share sums of
 * x-neighbors and y-neighbors. That takes 36 operations a voxel, where the sum over edges takes 104.
 *
 * One step of GeometricMean26 is, with s = sqrt(g) and w_ij = timeStep / l_ij,
 *
 *   V_i' = V_i + sum_j w_ij s_i s_j (V_j - V_i) = V_i + s_i (S_i[sV] - V_i S_i[s]),
 *
 * which needs two sums instead of three. s is 0 in excluded voxels. Where a comment or a name says
 * conductance, it is s here. */

/** The kinds of voxels in a plane of a tile, besides those of the image that are not excluded. Rows that end inside the
 * 4 voxels of a thread need VPadded below. */
enum class WeickertCase
{
  /** No other voxels. */
  Interior,
  /** Voxels beyond the image in x or y, which are 0 in shared memory. */
  Border,
  /** Excluded voxels, besides those of Border. */
  Excluded
};

/** The sums A and B of a quantity q for 4 x VRows voxels. Row and column 0 of \p q lie before the voxels. */
template <int VRows>
struct WeickertSums
{
  float own[VRows][4];
  float next[VRows][4];

  __device__ __forceinline__
  WeickertSums(const InverseEdgeLengths & w, const float (&q)[VRows + 2][6])
  {
    float x[VRows + 2][4];
#pragma unroll
    for (int j = 0; j < VRows + 2; ++j)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        x[j][i] = q[j][i] + q[j][i + 2];
      }
    }
#pragma unroll
    for (int j = 0; j < VRows; ++j)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const float y = q[j][i + 1] + q[j + 2][i + 1];
        const float xy = x[j][i] + x[j + 2][i];
        own[j][i] = fmaf(w.xy, xy, fmaf(w.y, y, w.x * x[j + 1][i]));
        next[j][i] = fmaf(w.xyz, xy, fmaf(w.yz, y, fmaf(w.xz, x[j + 1][i], w.z * q[j + 1][i + 1])));
      }
    }
  }
};

/** Returns \p q plus the contribution of an axis with the neighbors \p before and \p after for GeometricMean26.
 * Differences are multiplied by \p noise, RelativeInverseNoise() of the voxel, before they are squared: squares of
 * small ones could leave the range of floats. */
__device__ __forceinline__ float
AddSquaredDifferences(float q, float center, float before, float after, float scale, float noise)
{
  const float first = (after - before) * scale * noise;
  const float second = fmaf(0.5f, after + before, -center) * scale * noise;
  return fmaf(second, second, fmaf(first, first, q));
}

/** Returns the conductance of voxel \p c from the neighbors before and after along each axis.
 * \param noise RelativeInverseNoise() of the voxel */
template <DiffusionStencil VStencil, DiffusionConductance VConductance>
__device__ __forceinline__ float
WeickertConductance(
  const DiffusionArguments & a, float noise, float c, float x0, float x1, float y0, float y1, float z0, float z1)
{
  if constexpr (VStencil == DiffusionStencil::GeometricMean26)
  {
    float q = 0.0f;
    q = AddSquaredDifferences(q, c, x0, x1, a.units.gradientScale[0], noise);
    q = AddSquaredDifferences(q, c, y0, y1, a.units.gradientScale[1], noise);
    q = AddSquaredDifferences(q, c, z0, z1, a.units.gradientScale[2], noise);
    return RootOfConductance<VConductance>(q, a.units.kappa, a.units.squaredKappa);
  }
  const float dx = (x1 - x0) * a.units.gradientScale[0] * noise;
  const float dy = (y1 - y0) * a.units.gradientScale[1] * noise;
  const float dz = (z1 - z0) * a.units.gradientScale[2] * noise;
  return Conductance<VConductance>(fmaf(dz, dz, fmaf(dy, dy, dx * dx)), a.units.kappa, a.units.squaredKappa);
}

/** Returns WeickertConductance of \p c where any value may be NaN: 0 if \p c is; \p c replaces a neighbor that is. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance>
__device__ __forceinline__ float
WeickertConductanceAmongExcluded(
  const DiffusionArguments & a, float noise, float c, float x0, float x1, float y0, float y1, float z0, float z1)
{
  const auto  orCenter = [c](float neighbor) { return isnan(neighbor) ? c : neighbor; };
  const float g = WeickertConductance<VStencil, VConductance>(
    a, noise, c, orCenter(x0), orCenter(x1), orCenter(y0), orCenter(y1), orCenter(z0), orCenter(z1));
  return isnan(c) ? 0.0f : g;
}

/** Computes the conductances of the 4 voxels from (x, y) on, whose RelativeInverseNoise() is \p noise; 0 in excluded
 * voxels. Column 0 of the rows lies before the voxels. A voxel's own value replaces that of an excluded neighbor. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, WeickertCase VCase, bool VPadded>
__device__ __forceinline__ void
ComputeWeickertConductances(const DiffusionArguments & a,
                            int                        x,
                            int                        y,
                            const float (&noise)[4],
                            float (&before)[6],
                            float (&here)[6],
                            float (&after)[6],
                            const float (&z0)[4],
                            const float (&z1)[4],
                            float (&g)[4])
{
  const bool inside = y >= 0 && y < a.size.y && x >= 0 && x < a.size.x;
  if (VCase != WeickertCase::Interior)
  {
    here[0] = x <= 0 ? here[1] : here[0];
#pragma unroll
    for (int i = VPadded ? 1 : 4; i < 5; ++i)
    {
      here[i + 1] = x + i >= a.size.x ? here[i] : here[i + 1];
    }
#pragma unroll
    for (int i = 1; i < 5; ++i)
    {
      before[i] = y <= 0 ? here[i] : before[i];
      after[i] = y >= a.size.y - 1 ? here[i] : after[i];
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    const float x0 = here[i];
    const float x1 = here[i + 2];
    const float y0 = before[i + 1];
    const float y1 = after[i + 1];
    g[i] = VCase == WeickertCase::Excluded
             ? WeickertConductanceAmongExcluded<VStencil, VConductance>(
                 a, noise[i], here[i + 1], x0, x1, y0, y1, z0[i], z1[i])
             : WeickertConductance<VStencil, VConductance>(a, noise[i], here[i + 1], x0, x1, y0, y1, z0[i], z1[i]);
    const bool isInside = inside && (!VPadded || x + i < a.size.x);
    g[i] = VCase == WeickertCase::Interior || isInside ? g[i] : 0.0f;
  }
}

} // namespace cudaneuro::gpu

#endif
