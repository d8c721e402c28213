// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldInversion_h
#define cudaneuro_fields_FieldInversion_h

#include "cudaneuro/DisplacementField.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"

namespace cudaneuro
{

/** Finds inverse(i) with inverse(i) + scale * field(i + inverse(i)) = 0, in voxels, in memory of the context's device.
 * The inverse must not overlap with the field. */
struct FieldInversion
{
  Extent        extent;
  ConstSoAField field;
  /** A factor that compilers cannot see, although it is always 1: with a constant they contract other products, and
   * near folds, where Newton's iteration is ill-conditioned, results change in the third digit. */
  float    scale = 1.0f;
  int      maximumIterations = 50;
  float    tolerance = 0.01f;
  SoAField inverse;
  /** Whether iterations start from the values of inverse, not from 0. */
  bool startsFromInverse = false;
  /** The lengths of a voxel, which convert the reported residuals to their unit. */
  float spacing[3] = { 1.0f, 1.0f, 1.0f };
};

InversionResult
InvertField(Context &                   context,
            const InversionParameters & parameters,
            const Extent &              extent,
            const ConstSoAField &       field,
            const SoAField &            inverse);

/** Returns the residuals inverse(i) + field(i + inverse(i)), which are 0 for the exact inverse, in the unit of
 * \p spacing, the lengths of a voxel. */
InversionResult
InverseResidual(Context &                     context,
                const Extent &                extent,
                const ConstSoAField &         field,
                const SoAField &              inverse,
                const std::array<double, 3> & spacing = { 1.0, 1.0, 1.0 });

CUDANEURO_ON_BOTH(InversionResult InvertField(Context & context, const FieldInversion & inversion));

} // namespace cudaneuro

#endif
