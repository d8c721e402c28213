// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelJudgeKernel_cuh
#define cudaneuro_labels_levels_LabelJudgeKernel_cuh

#include "labels/levels/LabelLevelsKernel.cuh"

/** Kernels for left-out labels. A thread per voxel of the band. */
namespace cudaneuro::gpu
{

/** Writes which labels judge, and their distances from the level sets that leave them out, one set after the other. */
__global__ void
__launch_bounds__(labelThreads)
  JudgeKernel(const __grid_constant__ DeviceBand band, const float * levels, std::uint8_t * judges, float * left)
{
  const std::int64_t voxel = LabelItem();
  if (voxel >= band.count)
  {
    return;
  }
  const unsigned int code = band.codes[voxel];
  const int          part = PartOf(code);
  float              nearest = HUGE_VALF;
  for (int set = firstJudgingFit; set <= lastJudgingFit; ++set)
  {
    nearest = fminf(nearest, fabsf(band.DistanceAt(levels + set * band.Size(), voxel, 0)));
  }
  for (int set = 0; set < numberOfFits; ++set)
  {
    left[std::int64_t{ set } * band.count + voxel] = band.DistanceAt(levels + set * band.Size(), voxel, part);
  }
  judges[voxel] = IsKnown(code) && part > 0 && nearest < judgedDistance ? 1 : 0;
}

/** Sums of losses for all widths. */
struct WidthSums
{
  double values[numberOfWidths];

  __device__ void
  Include(const WidthSums & other)
  {
    for (int i = 0; i < numberOfWidths; ++i)
    {
      values[i] += other.values[i];
    }
  }
};

/** The widths as an argument of a kernel. */
struct WidthList
{
  float values[numberOfWidths];
};

/** Sums the losses of a block's voxels; block row k has candidate k. */
__global__ void
__launch_bounds__(labelThreads) SumLossesKernel(const __grid_constant__ DeviceBand band,
                                                const std::uint8_t *               judges,
                                                const float *                      distances,
                                                const __grid_constant__ WidthList  widths,
                                                WidthSums *                        sums)
{
  const std::int64_t voxel = LabelItem();
  WidthSums          own{};
  if (voxel < band.count && judges[voxel] != 0)
  {
    const float distance = SideOf(band.codes[voxel]) * distances[std::int64_t{ blockIdx.y } * band.count + voxel];
    for (int i = 0; i < numberOfWidths; ++i)
    {
      own.values[i] = LossOf(distance, widths.values[i]);
    }
  }
  ReduceBlock<labelThreads>(
    own, static_cast<int>(threadIdx.x), sums + std::int64_t{ blockIdx.y } * gridDim.x + blockIdx.x);
}

/** Writes losses times a factor as numbers of versions: four candidates side by side. Block row g has the candidates
 * from 4 g on. */
__global__ void
__launch_bounds__(labelThreads) LossKernel(const __grid_constant__ DeviceBand band,
                                           const std::uint8_t *               judges,
                                           const float *                      distances,
                                           int                                candidates,
                                           float                              width,
                                           float                              factor,
                                           float *                            losses)
{
  const std::int64_t number = LabelItem();
  if (number >= band.Size())
  {
    return;
  }
  const std::int64_t voxel = number / versions;
  const int          candidate = static_cast<int>(blockIdx.y * versions + number % versions);
  float              loss = 0.0f;
  if (candidate < candidates && judges[voxel] != 0)
  {
    const float distance = distances[std::int64_t{ candidate } * band.count + voxel];
    loss = factor * LossOf(SideOf(band.codes[voxel]) * distance, width);
  }
  losses[blockIdx.y * band.Size() + number] = loss;
}

/** Writes the distances of version 0 of a level set. */
__global__ void
__launch_bounds__(labelThreads)
  FirstDistanceKernel(const __grid_constant__ DeviceBand band, const float * levels, float * distances)
{
  const std::int64_t voxel = LabelItem();
  if (voxel < band.count)
  {
    distances[voxel] = band.DistanceAt(levels, voxel, 0);
  }
}

/** Writes the distances of all versions of a level set. */
__global__ void
__launch_bounds__(labelThreads)
  DistanceKernel(const __grid_constant__ DeviceBand band, const float * levels, float * distances)
{
  const std::int64_t number = LabelItem();
  if (number < band.Size())
  {
    distances[number] = band.DistanceAt(levels, number / versions, static_cast<int>(number % versions));
  }
}

} // namespace cudaneuro::gpu

#endif
