// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuroAnisotropicDiffusion_h
#define cudaneuroAnisotropicDiffusion_h

#include "cudaneuroContext.h"

#include <iosfwd>
#include <string>

namespace cudaneuro
{

/** Which neighbours exchange, and where the conductance is taken (Howison eq. 4-6). */
enum class DiffusionStencil
{
  /** 6 neighbours, conductance of the difference along each edge. */
  PeronaMalik6,
  /** 26 neighbours weighted by 1 / edge length, conductance of the difference along each edge. */
  Gerig26,
  /** 26 neighbours weighted by 1 / edge length, mean of the two ends' conductances of the gradient magnitude. */
  Weickert26
};

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

/** Names as they stand above. */
CudaNeuro_EXPORT std::ostream &
                 operator<<(std::ostream & os, DiffusionStencil stencil);
CudaNeuro_EXPORT std::ostream &
                 operator<<(std::ostream & os, DiffusionConductance conductance);
/** Sets the value that has the name.
 * \throws InvalidParameterError, which lists the names. */
CudaNeuro_EXPORT void
FromName(const std::string & name, DiffusionStencil & stencil);
CudaNeuro_EXPORT void
FromName(const std::string & name, DiffusionConductance & conductance);

struct AnisotropicDiffusionParameters
{
  DiffusionStencil     stencil = DiffusionStencil::Weickert26;
  DiffusionConductance conductance = DiffusionConductance::PeronaMalikRational;
  /** Explicit steps; >= 1. */
  int numberOfIterations = 20;
  /** > 0; stable up to StableTimeStep. */
  double timeStep = 1.0 / 32.0;
  /** Scale of the conductance; > 0. Intensity units for edge conductances, intensity per mm (per voxel when useSpacing
   * is false) for Weickert26. */
  double kappa = 1.0;
  /** Measure edge lengths and gradients in physical units. */
  bool useSpacing = true;
};

/** Largest stable time step, 1 / sum over the neighbours of 1 / edge length. Axes of size 1 have no neighbours. */
CudaNeuro_EXPORT double
StableTimeStep(DiffusionStencil stencil, const Grid & grid, bool useSpacing);

/** Explicit anisotropic diffusion, Howison eq. 3-7.
 *
 * Voxels outside the image, outside the mask (mask value 0) or not finite take no part: they keep their value and no
 * edge leads to them, so the sum over the others is conserved. A central difference that lacks an end takes the
 * centre's value there. \p mask may be absent; it is of type UnsignedChar.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
AnisotropicDiffusion(Context &                              context,
                     const AnisotropicDiffusionParameters & parameters,
                     const Grid &                           grid,
                     const ConstVolume &                    input,
                     const ConstVolume &                    mask,
                     const Volume &                         output);

} // namespace cudaneuro

#endif
