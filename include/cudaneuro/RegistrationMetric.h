// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_RegistrationMetric_h
#define cudaneuro_RegistrationMetric_h

#include "CudaNeuroExport.h"

#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"

#include <string>

namespace cudaneuro
{

/** Measure of the difference between two images; smaller is more similar. */
enum class RegistrationMetric
{
  /** Half the mean squared difference, of intensities divided by the standard deviation of the fixed image (Lee et al.,
   * eq. 9). */
  MeanSquares,
  /** 1 minus the mean squared local correlation coefficient, over boxes of half-width correlationRadius. */
  LocalCorrelation,
  /** Minus the mutual information of Mattes et al. (2003), in nats, for images of any two contrasts. Deformable
   * registration multiplies it by the fraction of the voxels where both images have a value. */
  MutualInformation
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(RegistrationMetric)
{
  using E = RegistrationMetric;
  return MakeEnumNames<E>("metric",
                          { { E::MeanSquares, "MeanSquares" },
                            { E::LocalCorrelation, "LocalCorrelation" },
                            { E::MutualInformation, "MutualInformation" } });
}

/** Description that the parameters of deformations and of linear maps share, because their members have the same
 * names. */
template <typename P>
constexpr auto
DescribeCorrelationRadius()
{
  return Parameter(&P::correlationRadius,
                   "CorrelationRadius",
                   "voxels",
                   "Half-width of the boxes of the local correlation",
                   Between(1, 8),
                   OnlyWith(&P::metric, RegistrationMetric::LocalCorrelation));
}
/** Shared like DescribeCorrelationRadius. */
template <typename P>
constexpr auto
DescribeHistogramBins()
{
  return Parameter(&P::numberOfHistogramBins,
                   "NumberOfHistogramBins",
                   "",
                   "Number of bins for each image's intensities",
                   Between(8, 64),
                   OnlyWith(&P::metric, RegistrationMetric::MutualInformation));
}
/** Shared like DescribeCorrelationRadius. */
template <typename P>
constexpr auto
DescribeMatchIntensities()
{
  return Parameter(&P::matchIntensities,
                   "MatchIntensities",
                   "",
                   "Map the intensities of the moving image to those of the fixed image by their quantiles first",
                   OnlyWith(&P::metric, RegistrationMetric::MeanSquares));
}
/** Shared like DescribeCorrelationRadius. */
template <typename P>
constexpr auto
DescribeRepairOutliers()
{
  return Parameter(&P::repairOutliers,
                   "RepairOutliers",
                   "",
                   "Repair intensities far beyond nearly all others, such as spikes and codes");
}

} // namespace cudaneuro

#endif
