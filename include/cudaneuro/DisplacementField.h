// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_DisplacementField_h
#define cudaneuro_DisplacementField_h

#include "cudaneuro/Context.h"
#include "cudaneuro/EnumNames.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/Parameters.h"

#include <string>

namespace cudaneuro
{

/** A read-only displacement field on a grid: float32 vectors in mm along the axes of space (LPS), the components of a
 * voxel adjacent in memory, as in itk::Image<itk::Vector<float, D>, D>. Null data means "absent". */
struct ConstField
{
  const float * data = nullptr;
  /** 2 for 2D grids, else 3. */
  unsigned int components = 3;
  MemorySpace  space = MemorySpace::Host;
};

/** A displacement field that is written, in the layout of ConstField. */
struct Field
{
  float *      data = nullptr;
  unsigned int components = 3;
  MemorySpace  space = MemorySpace::Host;
};
/** How values between voxels are interpolated. */
enum class Interpolation
{
  Linear,
  /** The value of the nearest voxel, for images of labels. */
  Nearest,
  /** A cubic B-spline that passes through the voxels, with the image mirrored at its ends. */
  CubicBSpline,
  /** A sinc with a Lanczos window, 3 voxels to each side, with weights normalized to sum 1; the outermost voxels are
   * repeated. */
  WindowedSinc,
  /** The label with the largest weight by linear interpolation; of weights equal to 1e-5, the smallest label. */
  Label
};

/** The names of the values, for streams and FromName. */
constexpr auto
NamesOf(Interpolation)
{
  using E = Interpolation;
  return MakeEnumNames<E>("interpolation",
                          { { E::Linear, "Linear" },
                            { E::Nearest, "Nearest" },
                            { E::CubicBSpline, "CubicBSpline" },
                            { E::WindowedSinc, "WindowedSinc" },
                            { E::Label, "Label" } });
}

/** Whether an interpolation can exclude voxels outside a mask. CubicBSpline and WindowedSinc cannot: a spline passes
 * through all voxels, and the weights of a sinc from which voxels are excluded may cancel. */
constexpr bool
TakesMask(Interpolation interpolation)
{
  return interpolation != Interpolation::CubicBSpline && interpolation != Interpolation::WindowedSinc;
}

/** Parameters of WarpImage; Describe lists their units, meanings and ranges. */
struct WarpParameters
{
  Interpolation interpolation = Interpolation::Linear;
  /** The output where the input has no value: outside its grid, and where its mask is 0. */
  double edgePaddingValue = 0.0;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const WarpParameters &)
{
  using P = WarpParameters;
  return std::make_tuple(Parameter(&P::interpolation, "Interpolation", "", "Interpolation of values between voxels"),
                         Parameter(&P::edgePaddingValue,
                                   "EdgePaddingValue",
                                   "intensity units",
                                   "Value of output voxels outside the input",
                                   pixelValueRange));
}

/** Warps an image: output(p) = input(transform(p + field(p))) at every point p of the output grid, as
 * itk::WarpImageFilter and itk::ResampleImageFilter do. The input reaches half a voxel beyond the centers of its
 * outermost voxels, whose values are repeated there.
 *
 * \p field may be absent (no displacement); it lies on the output grid. With \p inputMask (optional, UnsignedChar, on
 * the input grid), linear interpolation averages only the voxels inside the mask, Label counts only their weights, and
 * there is no value where there are none; CubicBSpline and WindowedSinc take no mask.
 *
 * Values are computed in float, positions in double: labels above 2^24 would be rounded and need a program that moves
 * them as integers. Non-finite voxels are interpolated as they are; voxels with weight 0 are left out. CubicBSpline and
 * WindowedSinc are not finite exactly where linear interpolation is not; elsewhere such a voxel has the value of the
 * previous finite one along x, or else of the next. NaN is no label. \p output may be \p input where the grids have the
 * same size.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
WarpImage(Context &              context,
          const WarpParameters & parameters,
          const Geometry &       inputGeometry,
          const ConstVolume &    input,
          const ConstVolume &    inputMask,
          const Geometry &       outputGeometry,
          const AffineMap &      transform,
          const ConstField &     field,
          const Volume &         output);

/** Writes the displacement field of the map p -> p + first(p) followed by q -> q + second(q):
 * output(p) = first(p) + second(p + first(p)), where second is interpolated linearly, and repeated beyond its grid's
 * edge. \p first and \p output lie on \p geometry, and may be the same memory.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
ComposeDisplacementFields(Context &          context,
                          const Geometry &   geometry,
                          const ConstField & first,
                          const Geometry &   geometryOfSecond,
                          const ConstField & second,
                          const Field &      output);

/** Resamples a displacement field on another grid: output(p) = input(p) at every point p of the output grid, by linear
 * interpolation. Beyond the edge of its grid the input is repeated.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT void
ResampleDisplacementField(Context &          context,
                          const Geometry &   inputGeometry,
                          const ConstField & input,
                          const Geometry &   outputGeometry,
                          const Field &      output);
/** Parameters of InvertDisplacementField; Describe lists their units, meanings and ranges. */
struct InversionParameters
{
  int    maximumNumberOfIterations = 50;
  double tolerance = 0.01;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const InversionParameters &)
{
  using P = InversionParameters;
  return std::make_tuple(Parameter(&P::maximumNumberOfIterations,
                                   "MaximumNumberOfIterations",
                                   "",
                                   "Maximum number of iterations at a voxel",
                                   AtLeast(1)),
                         Parameter(&P::tolerance,
                                   "Tolerance",
                                   "voxels",
                                   "The iteration at a voxel stops when its residual is this or less",
                                   lengthRange));
}

/** Convergence of an inversion. */
struct InversionResult
{
  /** Maximum number of iterations of a voxel. All results are over the voxels whose p + inverse(p) lies on the
   * grid. */
  int numberOfIterations = 0;
  /** Mean and maximum of the length of inverse(p) + field(p + inverse(p)), in voxels; NaN where a voxel has no
   * inverse. */
  double meanResidual = 0.0;
  double maximumResidual = 0.0;
};

/** Writes inverse(p) with inverse(p) + field(p + inverse(p)) = 0, by Newton's method from 0; steps are halved
 * until they reduce the residual, and replaced by a step of the fixed-point iteration where some halvings do not
 * suffice. Both fields are on \p geometry; beyond its edge the field is repeated. The method converges where the
 * field does not fold; the fixed-point iteration inverse <- -field(p + inverse) of Chen et al. 2008 would also
 * need a field that contracts. Where it does not converge, the result is the iterate with the smallest residual;
 * it is NaN where no iterate has a finite one, because the field is NaN or infinite there. \p inverse may be \p
 * field.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT InversionResult
InvertDisplacementField(Context &                   context,
                        const InversionParameters & parameters,
                        const Geometry &            geometry,
                        const ConstField &          field,
                        const Field &               inverse);
/** The range and the spread of a map's Jacobian determinant. */
struct JacobianResult
{
  /** Extremes of the determinant over the grid; both are NaN where all determinants are. */
  double minimum = 0.0;
  double maximum = 0.0;
  /** Number of voxels whose determinant is 0, negative or NaN. Minimum and maximum exclude NaN. */
  std::int64_t numberOfFoldedVoxels = 0;
  /** Mean and sample standard deviation of log J over the other voxels. */
  double meanLogarithm = 0.0;
  double standardDeviationLogarithm = 0.0;
  /** The 0.1 and 99.9 percentiles of their determinants, to 1/64 of the value, which is limited to 256. */
  double lowerPercentile = 0.0;
  double upperPercentile = 0.0;
};

/** Computes det(I + d field / dp) by central differences, one-sided at the border, and 0 along axes of one voxel.
 * Derivatives are along the axes of space. itk::DisplacementFieldJacobianDeterminantFilter, which ignores the direction
 * of the grid, gives the same away from the border where the direction is the identity. \p output may be absent.
 * \throws InvalidParameterError, Error, Aborted */
CudaNeuro_EXPORT JacobianResult
DisplacementFieldJacobianDeterminant(Context &          context,
                                     const Geometry &   geometry,
                                     const ConstField & field,
                                     const Volume &     output);

} // namespace cudaneuro

#endif
