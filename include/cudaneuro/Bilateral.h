// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Bilateral_h
#define cudaneuro_Bilateral_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{
/** Parameters of Bilateral; Describe lists their units, meanings and ranges. */
struct BilateralParameters
{
  std::array<double, 3> domainSigma{ 1.0, 1.0, 1.0 };
  double                rangeSigma = 50.0;
  std::array<int, 3>    radius{ 2, 2, 2 };
  bool                  useImageSpacing = true;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const BilateralParameters &)
{
  using P = BilateralParameters;
  return std::make_tuple(
    Parameter(&P::domainSigma, "DomainSigma", "mm", "Standard deviation of the spatial Gaussian", lengthRange),
    Parameter(&P::rangeSigma,
              "RangeSigma",
              "intensity units",
              "Standard deviation of the intensity Gaussian",
              intensityScaleRange),
    Parameter(&P::radius, "Radius", "voxels", "Half-width of the neighborhood", AtLeast(1)),
    Parameter(&P::useImageSpacing, "UseImageSpacing", "", "Measure distances in mm rather than in voxels"));
}

/** Returns the ratio of the range sigma to the standard deviation of the noise that was best on T1 brain images with
 * Rician noise of 3 and 9 %, at radius 2 and a domain sigma of one voxel: 3. */
CudaNeuro_EXPORT double
RecommendedRangeFactor();

/** Smooths noise and keeps edges: bilateral filter, Howison eq. 1-2, exact over the box neighborhood.
 *
 * Voxels outside the mask (mask value 0) or not finite are excluded: they keep their value and have no weight in
 * others. \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output);

/** The bilateral filter for noise that varies in space. \p noise holds the standard deviation of the noise at each
 * voxel, as EstimateNoiseMap writes it. The range sigma of the parameters multiplies it: a voxel i is compared with its
 * neighbors by rangeSigma * noise_i.
 *
 * A constant map gives the same bits as Bilateral with that constant times rangeSigma. A map value of 0 means unknown
 * noise: such voxels are excluded, like those outside the mask. Values below 2^-30 of the maximum count as that much.
 * Outside the mask the map may have any values.
 * \returns the number of voxels of the mask where the map is 0
 * \throws InvalidParameterError with value and voxel where the map is negative, infinite or NaN inside the mask, or if
 * it is 0 everywhere there; Error, Aborted */
CudaNeuro_EXPORT std::int64_t
                 BilateralWithNoiseMap(Context &                   context,
                                       const BilateralParameters & parameters,
                                       const Grid &                grid,
                                       const ConstVolume &         input,
                                       const ConstVolume &         mask,
                                       const ConstVolume &         noise,
                                       const Volume &              output);

} // namespace cudaneuro

#endif
