// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_BilateralSweep_h
#define cudaneuro_BilateralSweep_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <vector>

namespace cudaneuro
{
/** The largest half-width of a sweep, in voxels, whose neighborhood fits into the shared memory of a GPU. */
constexpr int largestBilateralSweepRadius = 7;

/** Parameters of BilateralSweep; Describe lists their units, meanings and ranges. */
struct BilateralSweepParameters
{
  double              rangeSigma = 50.0;
  std::vector<int>    radii{ 2 };
  std::vector<double> domainSigmas{ 1.0 };
  bool                useImageSpacing = true;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const BilateralSweepParameters &)
{
  using P = BilateralSweepParameters;
  return std::make_tuple(
    Parameter(&P::rangeSigma,
              "RangeSigma",
              "intensity units",
              "Standard deviation of the intensity Gaussian",
              intensityScaleRange),
    Parameter(&P::radii,
              "Radii",
              "voxels",
              "Half-widths of the neighborhood, the same along all axes, in rising order",
              Between(1, largestBilateralSweepRadius)),
    Parameter(&P::domainSigmas,
              "DomainSigmas",
              "mm",
              "Standard deviations of the spatial Gaussian, the same along all axes",
              lengthRange),
    Parameter(&P::useImageSpacing, "UseImageSpacing", "", "Measure distances in mm rather than in voxels"));
}

/** Runs the bilateral filter for all pairs of a radius and a domain sigma at once: outputs[r * domainSigmas.size() + s]
 * is the result of Bilateral for radii[r] and domainSigmas[s], up to rounding.
 *
 * The intensity weights, which take most of the time, are computed once: neighbors at the same distance share their
 * spatial weight, and a smaller neighborhood is a part of a larger one. For every eight domain sigmas this takes 1.2 to
 * 1.5 times as long as Bilateral with the largest radius.
 *
 * Voxels outside the mask (mask value 0) or not finite are excluded: they keep their value and have no weight in
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
