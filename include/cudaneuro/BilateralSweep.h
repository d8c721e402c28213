// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_BilateralSweep_h
#define cudaneuro_BilateralSweep_h

#include "cudaneuro/Context.h"

#include <vector>

namespace cudaneuro
{
/** Parameters of BilateralSweep. */
struct BilateralSweepParameters
{
  /** Standard deviation of the intensity Gaussian, in intensity units; 1e-30 to 1e30. */
  double rangeSigma = 1.0;
  /** Half-widths of the neighborhood, in voxels, the same along each axis; 1 to 7, in rising order. Ignored along an
   * axis of size 1. */
  std::vector<int> radii{ 2 };
  /** Standard deviations of the spatial Gaussian, the same along each axis, in mm (in voxels when useSpacing is false);
   * 1e-6 to 1e6, in any order. */
  std::vector<double> domainSigmas{ 1.0 };
  /** Measure distances in physical units. */
  bool useSpacing = true;
};

/** The bilateral filter for all pairs of a radius and a domain sigma at once: outputs[r * domainSigmas.size() + s] is
 * what Bilateral gives for radii[r] and domainSigmas[s], up to rounding.
 *
 * The intensity weights, which take most of the time, are computed once: neighbors at the same distance share their
 * spatial weight, and a smaller neighborhood is a part of a larger one. For every eight domain sigmas this takes 1.2 to
 * 1.5 times as long as Bilateral with the largest radius.
 *
 * Voxels outside the mask (mask value 0) or not finite take no part: they keep their value and have no weight in
 * others. \p mask may be absent; it is of type UnsignedChar.
 * \param outputs one for each pair, which overlap neither each other nor the input
 * \throws InvalidParameterError, Error, OutOfMemoryError, Aborted */
CudaNeuro_EXPORT void
BilateralSweep(Context &                        context,
               const BilateralSweepParameters & parameters,
               const Grid &                     grid,
               const ConstVolume &              input,
               const ConstVolume &              mask,
               const std::vector<Volume> &      outputs);

} // namespace cudaneuro

#endif
