// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansArguments_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansArguments_cuh

#include "core/SoAField.h"
#include "denoising/nonlocalmeans/NonLocalMeansFormulas.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace cudaneuro::gpu
{

/** The arguments of the non-local means kernels: planes [zBegin, zEnd) of a volume. */
struct NonLocalMeansArguments
{
  const float *         input = nullptr;
  const unsigned char * mask = nullptr;
  float *               output = nullptr;
  Extent                size;
  int                   zBegin = 0;
  int                   zEnd = 0;
  int                   window[3] = { 0, 0, 0 };
  /** The scale of ScaledIntensity(), the unit of kernels; see NonLocalMeansIntensityScale. */
  IntensityScale intensity;
  /** The constants of the Rician correction. Its inverseScale is used without the correction, too. */
  RicianScale rician;
  bool        maximumCenterWeight = false;
  /** Numbers of tiles of a plane, and of strips of planes in [zBegin, zEnd). */
  int tilesX = 0;
  int tilesY = 0;
  int strips = 0;
  /** 1 if blocks that start later get fewer strips; 0 if all blocks get equally many, from one column of tiles each. */
  double taper = 1.0;
  /** The standard deviation of the noise at each voxel, for kernels with a map; null for the others. */
  const float * noise = nullptr;
  float         largestNoise = 0.0f;
  /** NonLocalMeansChoice::scratchBytesPerPlane for each plane of [zBegin, zEnd); null where a kernel needs none. */
  float * scratch = nullptr;
};

/** The largest window radius, along any axis, that the kernels with tiles support. */
constexpr int nonLocalMeansLargestWindow = 8;

/** The kernel that was chosen for some radii. */
struct NonLocalMeansChoice
{
  using Launcher = void (*)(NonLocalMeansArguments, int multiprocessors, cudaStream_t);

  /** Null if no kernel with tiles supports the radii. */
  Launcher launch = nullptr;
  /** zBegin must be a multiple of this, counted from the volume's plane 0, so that the same voxels are always computed
   * together. */
  int planes = 1;
  /** The number of planes on either side on which a plane depends. */
  int         reach = 0;
  std::size_t sharedBytes = 0;
  /** Device memory that a launch needs for each of its planes. */
  std::size_t scratchBytesPerPlane = 0;
};

/** Returns the kernel with tiles for PatchSum, patch radii \p patch, \p patch, \p patchZ, and the window of
 * \p arguments. The kernel may need more shared memory than the device has. */
NonLocalMeansChoice
ChooseNonLocalMeansSum(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

/** Returns the same for PatchDistance. */
NonLocalMeansChoice
ChooseNonLocalMeansDistance(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

/** Returns the kernel for PatchDistance that compares each pair of voxels once, or no kernel if it does not apply. It
 * exists for a window radius of 3 and cubic patches of radius 1 or 2, and needs some 180 KB of shared memory. With a
 * mask, the other kernels are faster. */
NonLocalMeansChoice
ChooseNonLocalMeansPairs(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

/** Return the kernels for noise that varies, which read NonLocalMeansArguments::noise. */
NonLocalMeansChoice
ChooseNonLocalMeansSumWithMap(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);
NonLocalMeansChoice
ChooseNonLocalMeansDistanceWithMap(
  int patch, int patchZ, bool rician, const NonLocalMeansArguments & arguments, std::size_t sharedBytesPerBlock);

} // namespace cudaneuro::gpu

#endif
