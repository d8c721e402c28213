// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_linear_UnlikeImages_h
#define cudaneuro_linear_UnlikeImages_h

#include "cudaneuro/RegistrationMetric.h"

namespace cudaneuro
{

/** The metric of images that have nothing in common: no information; no correlation; the difference of two intensities that have the
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

} // namespace cudaneuro

#endif
