// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_ImageOperations_h
#define cudaneuro_ImageOperations_h

#include "cudaneuro/Context.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"

namespace cudaneuro
{

/** Which values are assumed beyond the edge of the grid. */
enum class Boundary
{
  /** The outermost value, as with itk::ZeroFluxNeumannBoundaryCondition. */
  Repeat,
  Zero
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(Boundary)
{
  using E = Boundary;
  return MakeEnumNames<E>("boundary", { { E::Repeat, "Repeat" }, { E::Zero, "Zero" } });
}

/** Parameters of GaussianSmoothing; Describe lists their units, meanings and ranges. */
struct GaussianSmoothingParameters
{
  std::array<double, 3> sigma{ 1.0, 1.0, 1.0 };
  bool                  useImageSpacing = true;
  Boundary              boundary = Boundary::Repeat;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const GaussianSmoothingParameters &)
{
  using P = GaussianSmoothingParameters;
  return std::make_tuple(
    Parameter(&P::sigma,
              "Sigma",
              "mm",
              "Standard deviation of the Gaussian along each axis; 0 does not smooth",
              Between(0.0, 1e12)),
    Parameter(&P::useImageSpacing, "UseImageSpacing", "", "Measure distances in mm rather than in voxels"),
    Parameter(&P::boundary, "Boundary", "", "Boundary condition: the values outside the grid"));
}

/** Convolves with a sampled Gaussian, truncated where it is below 1e-6 of its peak and normalized to sum 1. Axes of one
 * voxel are not smoothed. A voxel that is not finite makes all voxels within reach not finite.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
GaussianSmoothing(Context &                           context,
                  const GaussianSmoothingParameters & parameters,
                  const Grid &                        grid,
                  const ConstVolume &                 input,
                  const Volume &                      output);

/** Computes the gradient by central differences, along the axes of space, per mm. At the border the outermost value is
 * repeated, as in itk::GradientImageFilter.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
ImageGradient(Context & context, const Geometry & geometry, const ConstVolume & input, const Field & output);

/** Returns the geometry of a grid with one voxel for factor voxels of \p geometry along each axis: ceil(size / factor)
 * voxels, each centered on its factor voxels, which reach beyond \p geometry if the size is no multiple. Axes of size 1
 * are kept.
 * \throws InvalidParameterError */
CudaNeuro_EXPORT Geometry
ShrunkGeometry(const Geometry & geometry, const std::array<int, 3> & factors);

/** Computes one level of a pyramid: smoothing with sigma = 0.5 factor voxels along axes with a factor above 1, then
 * linear interpolation on ShrunkGeometry, as in itk::MultiResolutionPyramidImageFilter. \p output has that geometry.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
ShrinkImage(Context &                  context,
            const Geometry &           geometry,
            const std::array<int, 3> & factors,
            const ConstVolume &        input,
            const Volume &             output);

} // namespace cudaneuro

#endif
