// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionNoise_cuh
#define cudaneuro_denoising_diffusion_DiffusionNoise_cuh

#include "denoising/diffusion/DiffusionArguments.cuh"

namespace cudaneuro::gpu
{

/* Reads of DiffusionArguments::inverseNoise. Without a map (VMap) all return 1, a factor that compilers remove.
 * Beyond the image they return the value of a voxel inside, which is finite and has no effect. */

__device__ __forceinline__ const float *
InverseNoiseRow(const DiffusionArguments & a, int y, int z)
{
  const int insideY = min(max(y, 0), a.size.y - 1);
  const int insideZ = min(max(z, 0), a.size.z - 1);
  return a.inverseNoise + (static_cast<std::int64_t>(insideZ) * a.size.y + insideY) * a.inverseNoisePitch;
}

__device__ __forceinline__ float
InverseNoiseInRow(const DiffusionArguments & a, const float * row, int x)
{
  return __ldg(row + min(max(x, 0), static_cast<int>(a.inverseNoisePitch) - 1));
}

template <bool VMap>
__device__ __forceinline__ float
ReadInverseNoise(const DiffusionArguments & a, int x, int y, int z)
{
  return VMap ? InverseNoiseInRow(a, InverseNoiseRow(a, y, z), x) : 1.0f;
}

/** Reads the inverse noises of 4 voxels from \p x on, which is a multiple of 4. */
template <bool VMap>
__device__ __forceinline__ void
ReadInverseNoiseQuad(const DiffusionArguments & a, int x, int y, int z, float (&to)[4])
{
  float4 v = make_float4(1.0f, 1.0f, 1.0f, 1.0f);
  if constexpr (VMap)
  {
    const int insideX = min(max(x, 0), static_cast<int>(a.inverseNoisePitch) - 4);
    v = __ldg(reinterpret_cast<const float4 *>(InverseNoiseRow(a, y, z) + insideX));
  }
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

/** Reads the inverse noises of 4 voxels from \p x on into places 1 to 4 and, with VEnds, of both neighbors of these. */
template <bool VMap, bool VEnds>
__device__ __forceinline__ void
ReadInverseNoiseRow(const DiffusionArguments & a, int x, int y, int z, float (&to)[6])
{
  float quad[4];
  ReadInverseNoiseQuad<VMap>(a, x, y, z, quad);
#pragma unroll
  for (int i = 0; i < 4; ++i)
  {
    to[i + 1] = quad[i];
  }
  to[0] = VEnds ? ReadInverseNoise<VMap>(a, x - 1, y, z) : 1.0f;
  to[5] = VEnds ? ReadInverseNoise<VMap>(a, x + 4, y, z) : 1.0f;
}

} // namespace cudaneuro::gpu

#endif
