// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansArguments_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansArguments_cuh

#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace cudaneuro
{
namespace gpu
{

/** What the non-local means kernels work on: planes [zBegin, zEnd) of a volume that is size[2] planes high. */
struct NonLocalMeansArguments
{
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  float *               output = nullptr;
  int                   size[3] = { 0, 0, 0 };
  int                   zBegin = 0;
  int                   zEnd = 0;
  int                   window[3] = { 0, 0, 0 };
  /** Kernels compute with ScaledIntensity(); see NonLocalMeansIntensityScale. */
  IntensityScale intensity;
  /** With inverseScale, which is used without the correction, too. */
  RicianScale rician;
  bool        maximumCenterWeight = false;
  /** Tiles of the plane, and blocks of VPlanes planes in [zBegin, zEnd). */
  int tilesX = 0;
  int tilesY = 0;
  int strips = 0;
};

/** Largest window radius, along any axis, that the kernels that work in tiles are made for. */
constexpr int nonLocalMeansLargestWindow = 8;

/** A kernel for one choice of radii. */
struct NonLocalMeansKernel
{
  using Launcher = void (*)(NonLocalMeansArguments, int multiprocessors, cudaStream_t);

  /** Null where there is no such kernel. */
  Launcher launch = nullptr;
  /** zBegin counts in these from the volume's plane 0, so that the same voxels are always worked on together. */
  int planes = 1;
  /** Planes on either side of its own that a plane depends on. */
  int         reach = 0;
  std::size_t sharedBytes = 0;
};

/** The kernel in tiles for PatchSum, for patch radii patch, patch, patchZ and the window of \p arguments. It may
 * still need more shared memory than there is. */
NonLocalMeansKernel
FindNonLocalMeansSumKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

/** The same for PatchDistance. */
NonLocalMeansKernel
FindNonLocalMeansDistanceKernel(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

} // namespace gpu
} // namespace cudaneuro

#endif
