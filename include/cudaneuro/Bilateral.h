// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Bilateral_h
#define cudaneuro_Bilateral_h

#include "cudaneuro/Context.h"

namespace cudaneuro
{
/** Parameters of Bilateral. */
struct BilateralParameters
{
  /** Standard deviation of the spatial Gaussian per axis, in mm (in voxels when useSpacing is false); 1e-6 to 1e6. */
  std::array<double, 3> domainSigma{ 1.0, 1.0, 1.0 };
  /** Standard deviation of the intensity Gaussian, in intensity units; 1e-30 to 1e30. */
  double rangeSigma = 1.0;
  /** Half-width of the neighborhood per axis, in voxels; >= 1. Ignored along an axis of size 1. */
  std::array<int, 3> radius{ 2, 2, 2 };
  /** Measure distances in physical units. */
  bool useSpacing = true;
};

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
