// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_AnisotropicDiffusion_h
#define cudaneuro_AnisotropicDiffusion_h

#include "cudaneuro/Context.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>
#include <string>

namespace cudaneuro
{

/** Which neighbors exchange intensity, and which quantity the conductance depends on (Howison eq. 4-6). */
enum class DiffusionStencil
{
  /** 6 neighbors; the conductance of an edge depends on the difference of its two voxels. */
  PeronaMalik6,
  /** 26 neighbors weighted by 1 / edge length; an edge's conductance depends on the difference of its two voxels. */
  Gerig26,
  /** 26 neighbors weighted by 1 / edge length, mean of both ends' conductances of the gradient magnitude (Howison eq.
   * 6). It leaks across strong edges: a diagonal edge is open if one of its ends does not see the step. */
  Weickert26,
  /** 26 neighbors weighted by 1 / edge length; an edge has the geometric mean of both ends' conductances, which depend
   * on gradient magnitude and second differences. One end that sees the step closes the edge. */
  GeometricMean26
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(DiffusionStencil)
{
  using E = DiffusionStencil;
  return MakeEnumNames<E>("stencil",
                          { { E::PeronaMalik6, "PeronaMalik6" },
                            { E::Gerig26, "Gerig26" },
                            { E::Weickert26, "Weickert26" },
                            { E::GeometricMean26, "GeometricMean26" } });
}

/** Conductance g(t) with scale kappa; g(0) = 1. */
enum class DiffusionConductance
{
  /** exp(-(t / kappa)^2) */
  PeronaMalikExponential,
  /** 1 / (1 + (t / kappa)^2) */
  PeronaMalikRational,
  /** 1 / sqrt(1 + (t / kappa)^2) */
  Charbonnier,
  /** (1 - (t / kappa)^2)^2 for |t| < kappa, else 0 */
  TukeyBiweight
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(DiffusionConductance)
{
  using E = DiffusionConductance;
  return MakeEnumNames<E>("conductance",
                          { { E::PeronaMalikExponential, "PeronaMalikExponential" },
                            { E::PeronaMalikRational, "PeronaMalikRational" },
                            { E::Charbonnier, "Charbonnier" },
                            { E::TukeyBiweight, "TukeyBiweight" } });
}

/** Parameters of AnisotropicDiffusion; Describe lists their units, meanings and ranges. */
struct AnisotropicDiffusionParameters
{
  DiffusionStencil     stencil = DiffusionStencil::GeometricMean26;
  DiffusionConductance conductance = DiffusionConductance::PeronaMalikRational;
  int                  numberOfIterations = 20;
  /** Steps are stable up to S = StableTimeStep. Above it, each step may multiply intensities by 2 timeStep / S - 1.
   * A timeStep above (1 + 10^(30 / numberOfIterations)) / 2 S, for which the factor of all steps is 1e30 or more, is
   * an error. */
  double timeStep = 1.0 / 32.0;
  /** Kappa is in intensity units for conductances along edges, and in intensity units per mm (per voxel without
   * useImageSpacing) for Weickert26 and GeometricMean26. */
  double kappa = 1.0;
  bool   useImageSpacing = true;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const AnisotropicDiffusionParameters &)
{
  using P = AnisotropicDiffusionParameters;
  return std::make_tuple(
    Parameter(&P::stencil, "Stencil", "", "Neighbors between which intensities diffuse, and the measure of edges"),
    Parameter(&P::conductance, "Conductance", "", "Conductance function: how gradients reduce diffusion"),
    Parameter(&P::numberOfIterations, "NumberOfIterations", "", "Number of explicit steps", AtLeast(1)),
    Parameter(&P::timeStep, "TimeStep", "mm^2", "Time step for a diffusivity of 1", intensityScaleRange),
    Parameter(&P::kappa,
              "Kappa",
              "intensity units",
              "Contrast parameter of the conductance; much stronger edges are preserved",
              intensityScaleRange),
    Parameter(
      &P::useImageSpacing, "UseImageSpacing", "", "Measure edge lengths and gradients in mm rather than in voxels"));
}

/** Returns the largest stable time step, 1 / (sum over the neighbors of 1 / edge length). Axes of size 1 have no
 * neighbors. */
CudaNeuro_EXPORT double
StableTimeStep(DiffusionStencil stencil, const Grid & grid, bool useImageSpacing);

/** Returns the root mean square of the conductance's argument in an image of independent noise of standard deviation 1:
 * sqrt(2) for the difference of two voxels, and sqrt(sum of 1 / (2 h^2)) for the gradient of Weickert26, whose
 * component along an axis of spacing h (1 where useImageSpacing is false), (V+ - V-) / (2 h), has the variance 1 / (2
 * h^2). GeometricMean26 adds (V+ - 2 V + V-) / (4 h), with variance 3 / (8 h^2), in total 7 / (8 h^2) per axis. Axes of
 * one voxel are left out. */
CudaNeuro_EXPORT double
ConductanceNoise(DiffusionStencil stencil, const Grid & grid, bool useImageSpacing);

/** Returns the best ratio of kappa to the noise in the conductance's argument, which is the noise's standard deviation
 * times ConductanceNoise(): 0.3 for GeometricMean26, 0.25 for Weickert26, 0.4 for the others. They were found on brain
 * MR images with 3 and 9 % of noise, with PeronaMalikRational and 20 steps of 0.6 times the largest stable one. */
CudaNeuro_EXPORT double
UsualKappaFactor(DiffusionStencil stencil);

/** Smooths within regions and keeps edges, by explicit anisotropic diffusion (Howison eq. 3-7).
 *
 * Voxels outside the mask (mask value 0) or not finite are excluded: they keep their value, and no edge leads to them
 * or out of the image, so that the sum over the others is conserved. \p mask may be absent; it is of type UnsignedChar.
 *
 * The conductance of Weickert26 depends on the gradient's magnitude t, t^2 = sum over the axes longer than one voxel of
 * ((V+ - V-) / (2 h))^2, where h is the spacing (1 where useImageSpacing is false), and V+ and V- are the two neighbors
 * on the axis. The voxel's own V replaces an excluded neighbor; h does not change.
 *
 * GeometricMean26 adds ((V+ - 2 V + V-) / (4 h))^2 for each axis to t^2, which also sees lines and sheets of one voxel,
 * where central differences are 0.
 *
 * Steps compute in float with differences from a typical intensity. On data of range R the result is within 1e-5 R +
 * 2^-24 |V| of the same steps in double precision, where 2^-24 |V| is the rounding of a stored float. All results of
 * stable steps are finite. With Charbonnier, nothing flows across differences above 4e37 kappa.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
AnisotropicDiffusion(Context &                              context,
                     const AnisotropicDiffusionParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    input,
                     const ConstVolume &                    mask,
                     const Volume &                         output);

/** Anisotropic diffusion for noise that varies in space. \p noise holds the standard deviation of the noise at each
 * voxel, as EstimateNoiseMap writes it. The kappa of the parameters multiplies it, kappa_i = kappa * noise_i:
 * UsualKappaFactor() times ConductanceNoise() is a good value. Weickert26 and GeometricMean26 evaluate the conductance
 * at voxel i with kappa_i. PeronaMalik6 and Gerig26 compare the difference of two neighbors i and j with the geometric
 * mean kappa * sqrt(noise_i noise_j), the same for both: what leaves one arrives at the other, and the sum is
 * conserved. Time steps are stable up to the same StableTimeStep.
 *
 * A constant map gives the same bits as the other function with that constant times kappa. A map value of 0 means
 * unknown noise: such voxels are excluded, like those outside the mask. Values below 2^-30 of the map's maximum are
 * raised to it. Outside the mask the map may have any values.
 * \returns the number of voxels of the mask where the map is 0
 * \throws InvalidParameterError with value and voxel where the map is negative, infinite or NaN inside the mask, or if
 * it is 0 everywhere there; Error, Aborted */
CudaNeuro_EXPORT std::int64_t
                 AnisotropicDiffusionWithNoiseMap(Context &                              context,
                                                  const AnisotropicDiffusionParameters & parameters,
                                                  const Grid &                           grid,
                                                  const ConstVolume &                    input,
                                                  const ConstVolume &                    mask,
                                                  const ConstVolume &                    noise,
                                                  const Volume &                         output);

} // namespace cudaneuro

#endif
