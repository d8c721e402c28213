// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansFallbackKernel_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansFallbackKernel_cuh

#include "denoising/nonlocalmeans/NonLocalMeansVoxel.cuh"

namespace cudaneuro::gpu
{

/** Reads input, mask and, with a map, the noise; writes planes [zBegin, zEnd), for all radii. Each thread computes one
 * voxel from device memory, and each patch term again for each offset. */
template <NonLocalMeansWeighting VWeighting, bool VRician, bool VMap>
static __global__ void
NonLocalMeansFallbackKernel(NonLocalMeansArguments a, int patchX, int patchY, int patchZ)
{
  constexpr bool     sumOfTerms = VWeighting == NonLocalMeansWeighting::PatchSum;
  const std::int64_t first = static_cast<std::int64_t>(a.size.x) * a.size.y * a.zBegin;
  const std::int64_t voxel = first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const int          x = static_cast<int>(voxel % a.size.x);
  const int          y = static_cast<int>(voxel / a.size.x % a.size.y);
  const int          z = static_cast<int>(voxel / a.size.x / a.size.y);
  if (z >= a.zEnd)
  {
    return;
  }
  const float center = LoadNonLocalMeansVoxel<VMap>(a, x, y, z);
  if (!TakesPart(center))
  {
    a.output[voxel] = a.input[voxel];
    return;
  }
  // Differences from the center are summed, which are small and therefore round little.
  const float precision = PrecisionOfVoxel<VMap>(a, voxel);
  const float centerValue = ValueToAverage<VRician>(a, center);
  float       weightedSum = 0.0f;
  float       weightSum = 0.0f;
  float       largest = 0.0f;
  for (int tz = -a.window[2]; tz <= a.window[2]; ++tz)
  {
    for (int ty = -a.window[1]; ty <= a.window[1]; ++ty)
    {
      for (int tx = -a.window[0]; tx <= a.window[0]; ++tx)
      {
        const float neighbor = LoadNonLocalMeansVoxel<VMap>(a, x + tx, y + ty, z + tz);
        if (!TakesPart(neighbor) || (!sumOfTerms && tx == 0 && ty == 0 && tz == 0))
        {
          continue;
        }
        float sum = 0.0f;
        float count = 0.0f;
        for (int dz = z - patchZ; dz <= z + patchZ; ++dz)
        {
          for (int dy = y - patchY; dy <= y + patchY; ++dy)
          {
            for (int dx = x - patchX; dx <= x + patchX; ++dx)
            {
              const float base = FlipExcluded(LoadNonLocalMeansVoxel<VMap>(a, dx, dy, dz));
              const float difference = base - LoadNonLocalMeansVoxel<VMap>(a, dx + tx, dy + ty, dz + tz);
              if (TakesPart(difference))
              {
                const std::int64_t compared = (static_cast<std::int64_t>(dz) * a.size.y + dy) * a.size.x + dx;
                sum +=
                  sumOfTerms ? PatchSumTerm(difference, PrecisionOfVoxel<VMap>(a, compared)) : difference * difference;
                count += 1.0f;
              }
            }
          }
        }
        const float weight = sumOfTerms ? sum : PatchDistanceWeight(sum / count * precision);
        weightedSum += weight * (ValueToAverage<VRician>(a, neighbor) - centerValue);
        weightSum += weight;
        largest = fmaxf(largest, weight);
      }
    }
  }
  if constexpr (!sumOfTerms)
  {
    weightSum += a.maximumCenterWeight ? MaximumCenterWeight(largest) : 1.0f;
  }
  a.output[voxel] =
    IsDenoised(center)
      ? NonLocalMeansResult<VRician, VMap>(a, fmaf(centerValue, weightSum, weightedSum), weightSum, precision)
      : KeptIntensity<VRician>(center, a.input[voxel]);
}

} // namespace cudaneuro::gpu

#endif
