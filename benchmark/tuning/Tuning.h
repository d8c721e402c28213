// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Tuning_h
#define Tuning_h

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::tuning
{

/** One launch shape of a kernel. */
struct ShapeTiming
{
  /** Block dimensions, outputs per thread, and blocks per multiprocessor. */
  std::string shape;
  /** Median device time of one launch, or of all steps of a diffusion. */
  double milliseconds = 0.0;
  /** Whether this is the shape that the library instantiates. */
  bool isDefault = false;
};

/** The shapes that were tried for one kernel. */
struct KernelSweep
{
  std::string              kernel;
  std::vector<ShapeTiming> timings;
};

using Size = std::array<std::int64_t, 3>;

/** Each function times the shapes of its kernels on a noisy float volume of \p size on the current CUDA device.
 * \throws Error, OutOfMemoryError */
std::vector<KernelSweep>
TuneBilateral(const Size & size);
std::vector<KernelSweep>
TuneAnisotropicDiffusion(const Size & size);
std::vector<KernelSweep>
TuneNonLocalMeans(const Size & size);
std::vector<KernelSweep>
TuneStructuralSimilarity(const Size & size);

} // namespace cudaneuro::tuning

#endif
