// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_ImageStatistics_h
#define cudaneuro_ImageStatistics_h

#include "cudaneuro/Context.h"

namespace cudaneuro
{
/** Statistics of an image's voxels. */
struct ImageStatistics
{
  /** Voxels that are finite and inside the mask; all members but the next one refer to these voxels alone. */
  std::int64_t count = 0;
  /** Voxels inside the mask that are infinite or NaN. */
  std::int64_t numberOfNotFinite = 0;
  double       minimum = 0.0;
  double       maximum = 0.0;
  double       sum = 0.0;
  double       mean = 0.0;
  /** Sample variance, divided by count - 1 as in itk::StatisticsImageFilter; 0 for fewer than two voxels. */
  double variance = 0.0;
};

/** Computes statistics of the intensities, accumulated in double precision in a fixed order: repeated runs give the
 * same bits. \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT ImageStatistics
ComputeImageStatistics(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask);

/** Returns the smallest and the largest finite value; {0, 0} where there is none.
 * \throws Error, Aborted */
CudaNeuro_EXPORT std::array<double, 2>
                 ComputeFiniteRange(Context & context, const Grid & grid, const ConstVolume & input);

} // namespace cudaneuro

#endif
