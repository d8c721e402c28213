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

/** Requires an interpolation that leaves out voxels outside a mask.
 * \throws InvalidParameterError */
void
RequireMaskedInterpolation(Interpolation interpolation);

/** A map of the voxels of a grid, index -> indexMap(index + field(index)). A field of null pointers is 0. */
struct IndexMapping
{
  AffineMap     indexMap;
  ConstSoAField field;
};

/** output(i) = input(mapping(i)), as in WarpImage; volumes are in memory of the context's device. */
struct VolumeWarp
{
  Extent        inputExtent;
  const float * input = nullptr;
  /** May be null. */
  const unsigned char * inputMask = nullptr;
  Extent                outputExtent;
  IndexMapping          mapping;
  Interpolation         interpolation = Interpolation::Linear;
  float                 defaultValue = 0.0f;
  float *               output = nullptr;
  /** Instead of the mapping's field. */
  FieldVectors vectors{};
};

/** Computes the output; on a GPU, enqueues that on the compute stream.
 * \throws InvalidParameterError where there is a mask and the interpolation takes none */
void
WarpVolume(Context & context, const VolumeWarp & warp);

/** WarpVolume's last step. \p coefficients are there for cubic B-splines. */
CUDANEURO_ON_BOTH(void SampleVolume(Context &                  context,
                                    const VolumeWarp &         warp,
                                    const SplineCoefficients & coefficients));

} // namespace cudaneuro

#endif
