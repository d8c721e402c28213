// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_UncoveredVoxels_h
#define cudaneuro_linear_UncoveredVoxels_h

#include "cudaneuro/RegistrationMetric.h"

#include <cmath>

namespace cudaneuro
{

/** The metric of unrelated images: no information; no correlation; the mean squared difference of two intensities of
 * variance 1. */
inline double
ValueOfUnlike(RegistrationMetric metric)
{
  switch (metric)
  {
    case RegistrationMetric::MutualInformation:
      return 0.0;
    case RegistrationMetric::LocalCorrelation:
      return 1.0;
    case RegistrationMetric::MeanSquares:
      break;
  }
  return 2.0;
}

/** The value of a metric if uncovered voxels count as unrelated, see LinearMetricParameters::countUncovered. Infinite
 * where nothing is covered, as \p mean is.
 * \param mean over the covered voxels */
inline double
WithUncovered(RegistrationMetric metric, double mean, double coverage)
{
  return std::isfinite(mean) ? coverage * mean + (1.0 - coverage) * ValueOfUnlike(metric) : mean;
}

} // namespace cudaneuro

#endif
