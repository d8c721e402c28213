// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Bilateral_h
#define cudaneuro_Bilateral_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

namespace cudaneuro
{
/** Parameters of Bilateral; Describe says what each is. */
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

/** Bilateral filter, Howison eq. 1-2, exact over the box neighborhood.
 *
 * Voxels outside the mask (mask value 0) or not finite take no part: they keep their value and have no weight in
 * others. \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
Bilateral(Context &                   context,
          const BilateralParameters & parameters,
          const Grid &                grid,
          const ConstVolume &         input,
          const ConstVolume &         mask,
          const Volume &              output);

} // namespace cudaneuro

#endif
