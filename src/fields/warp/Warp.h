// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_warp_Warp_h
#define cudaneuro_fields_warp_Warp_h

#include "cudaneuro/DisplacementField.h"
#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "core/SoAField.h"
#include "fields/FieldConversionFormulas.h"
#include "fields/warp/SplineCoefficients.h"

namespace cudaneuro
{

/** Calls body(std::integral_constant<Interpolation, V>()) for the interpolation V. */
template <typename TBody>
void
WithInterpolation(Interpolation interpolation, const TBody & body)
{
  switch (interpolation)
  {
    case Interpolation::Linear:
      body(std::integral_constant<Interpolation, Interpolation::Linear>());
      return;
    case Interpolation::Nearest:
      body(std::integral_constant<Interpolation, Interpolation::Nearest>());
      return;
    case Interpolation::CubicBSpline:
      body(std::integral_constant<Interpolation, Interpolation::CubicBSpline>());
      return;
    case Interpolation::WindowedSinc:
      body(std::integral_constant<Interpolation, Interpolation::WindowedSinc>());
      return;
    case Interpolation::Label:
      body(std::integral_constant<Interpolation, Interpolation::Label>());
      return;
  }
  ThrowInvalid("Interpolation", interpolation, "one of those that have a name");
}

/** Requires an interpolation that can exclude voxels outside a mask.
 * \throws InvalidParameterError */
void
RequireMaskedInterpolation(Interpolation interpolation);

/** A map of the voxels of a grid, index -> indexMap(index + field(index)). A field of null pointers is 0. */
struct IndexMapping
{
  AffineMap     indexMap;
  ConstSoAField field;
};

/** Arguments of output(i) = input(mapping(i)), as in WarpImage; volumes are in memory of the context's device. */
struct VolumeWarp
{
  Extent        inputExtent;
  const float * input = nullptr;
  /** The mask of the input; it may be null. */
  const unsigned char * inputMask = nullptr;
  Extent                outputExtent;
  IndexMapping          mapping;
  Interpolation         interpolation = Interpolation::Linear;
  float                 defaultValue = 0.0f;
  float *               output = nullptr;
  /** The field as interleaved vectors; if given, it replaces the mapping's field. */
  FieldVectors vectors{};
};

/** Computes the output; on a GPU, enqueues the computation on the compute stream.
 * \throws InvalidParameterError if there is a mask and the interpolation supports none */
void
WarpVolume(Context & context, const VolumeWarp & warp);

/** The last step of WarpVolume. \p coefficients are needed for cubic B-splines only. */
CUDANEURO_ON_BOTH(void SampleVolume(Context &                  context,
                                    const VolumeWarp &         warp,
                                    const SplineCoefficients & coefficients));

} // namespace cudaneuro

#endif
