// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_BandKernel_cuh
#define cudaneuro_surface_BandKernel_cuh

#include "cuda/Reduce.cuh"
#include "surface/BandFormulas.h"

/** Finds the voxels of a band in two passes over the image: the first counts those in each chunk of consecutive voxels,
 * the second writes them behind those of the preceding chunks. */
namespace cudaneuro::gpu
{

constexpr int bandThreads = 256;
constexpr int bandWarps = bandThreads / 32;
constexpr int voxelsPerWarp = 512;
constexpr int voxelsPerChunk = voxelsPerWarp * bandWarps;

/** Writes the survey of each block's chunk to the block's element of surveys. Reads distances and, unless it is null,
 * the mask. */
__global__ void
__launch_bounds__(bandThreads)
  SurveyKernel(const __grid_constant__ BandSearch search, std::int64_t numberOfVoxels, BandSurvey * surveys)
{
  const std::int64_t begin = std::int64_t{ blockIdx.x } * voxelsPerChunk;
  const std::int64_t end = min(numberOfVoxels, begin + voxelsPerChunk);
  BandSurvey         survey = BandSurvey::Empty();
  for (std::int64_t i = begin + threadIdx.x; i < end; i += bandThreads)
  {
    survey.Add(search, i);
  }
  ReduceBlock<bandThreads>(survey, static_cast<int>(threadIdx.x), surveys + blockIdx.x);
}

/** Writes the band's voxels in each block's chunk, in their order, from its element of firsts on. Reads the same. */
__global__ void
__launch_bounds__(bandThreads) BandKernel(const __grid_constant__ BandSearch search,
                                          std::int64_t                       numberOfVoxels,
                                          const std::int64_t *               firsts,
                                          BandVoxel *                        voxels)
{
  constexpr unsigned int all = 0xffffffffu;
  const unsigned int     warp = threadIdx.x / 32;
  const unsigned int     lane = threadIdx.x % 32;
  const std::int64_t     begin = std::int64_t{ blockIdx.x } * voxelsPerChunk + warp * voxelsPerWarp;
  const std::int64_t     end = min(numberOfVoxels, begin + voxelsPerWarp);
  int                    count = 0;
  for (std::int64_t i = begin; i < end; i += 32)
  {
    count += __popc(__ballot_sync(all, i + lane < end && IsInBand(search, i + lane)));
  }
  __shared__ int counts[bandWarps];
  if (lane == 0)
  {
    counts[warp] = count;
  }
  __syncthreads();
  std::int64_t to = firsts[blockIdx.x];
  for (unsigned int before = 0; before < warp; ++before)
  {
    to += counts[before];
  }
  for (std::int64_t i = begin; i < end; i += 32)
  {
    const bool         isInBand = i + lane < end && IsInBand(search, i + lane);
    const unsigned int lanes = __ballot_sync(all, isInBand);
    if (isInBand)
    {
      voxels[to + __popc(lanes & ((1u << lane) - 1u))] = VoxelAt(search.extent, i + lane);
    }
    to += __popc(lanes);
  }
}

/** Adds the voxels of the band to the histogram counts of numberOfGradientBins elements. Reads the voxels and the
 * distances beside them. Each block has counts in shared memory, because most voxels of a distance share a few bins. */
__global__ void
__launch_bounds__(bandThreads) GradientKernel(
  const __grid_constant__ BandView band, float inverseX, float inverseY, float inverseZ, unsigned int * counts)
{
  __shared__ unsigned int ofBlock[numberOfGradientBins];
  for (int bin = threadIdx.x; bin < numberOfGradientBins; bin += bandThreads)
  {
    ofBlock[bin] = 0;
  }
  __syncthreads();
  const float        inverseSpacing[3] = { inverseX, inverseY, inverseZ };
  const std::int64_t step = std::int64_t{ gridDim.x } * bandThreads;
  for (std::int64_t i = std::int64_t{ blockIdx.x } * bandThreads + threadIdx.x; i < band.count; i += step)
  {
    atomicAdd(ofBlock + GradientBin(band, band.voxels[i], inverseSpacing), 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < numberOfGradientBins; bin += bandThreads)
  {
    if (ofBlock[bin] != 0)
    {
      atomicAdd(counts + bin, ofBlock[bin]);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
