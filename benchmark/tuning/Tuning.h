// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Tuning_h
#define Tuning_h

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro
{
namespace tuning
{

/** One launch shape of a kernel. */
struct ShapeTiming
{
  /** Block dimensions and outputs per thread, in the kernel's own words. */
  std::string shape;
  /** Median device time of one launch (of one whole pass where a kernel is launched in a loop). */
  double milliseconds = 0.0;
  /** Whether this is the shape that the library instantiates. */
  bool isDefault = false;
};

/** The shapes tried for one kernel. */
struct KernelSweep
{
  std::string              kernel;
  std::vector<ShapeTiming> timings;
};

using Size = std::array<std::int64_t, 3>;

/** Each times its kernels on a noisy float volume of \p size on the current CUDA device. They throw what the engine
 * throws. */
std::vector<KernelSweep>
TuneBilateral(const Size & size);
std::vector<KernelSweep>
TuneAnisotropicDiffusion(const Size & size);
std::vector<KernelSweep>
TuneNonLocalMeans(const Size & size);
std::vector<KernelSweep>
TuneStructuralSimilarity(const Size & size);

} // namespace tuning
} // namespace cudaneuro

#endif
