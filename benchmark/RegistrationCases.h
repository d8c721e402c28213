// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationCases_h
#define RegistrationCases_h

#include "RegistrationPair.h"

#include <functional>
#include <string>
#include <vector>

namespace cudaneuro::benchmark
{

/** A registration or a part of one, with the way to time it and its bound. */
struct RegistrationCase
{
  /** Name of the row. */
  std::string name;
  /** Least bytes per voxel that are read and written; 0 where no limit is known. */
  double bytesPerVoxel = 0.0;
  /** Milliseconds of one run, after warming up. */
  std::function<double(const Repetition &, Context &, const RegistrationPair &)> time;
};

/** The rows of the unbiased method and of the operations on images and fields.
 * \param iterations those of each level of whole registrations. */
std::vector<RegistrationCase>
UnbiasedCases(const Device & device, int iterations);

/** The rows of the greedy method; those with Fourier transforms only where their library is. */
std::vector<RegistrationCase>
GreedyCases(const Device & device, int iterations);

/** A registration whose device memory is measured. */
struct RegistrationMemoryCase
{
  std::string name;
  /** Peak, with both images and the results, all on the device. */
  std::function<std::size_t(Context &, const RegistrationPair &)> bytes;
};

/** For CUDA devices. */
std::vector<RegistrationMemoryCase>
RegistrationMemoryCases();

} // namespace cudaneuro::benchmark

#endif
