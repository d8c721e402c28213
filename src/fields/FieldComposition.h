// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldComposition_h
#define cudaneuro_fields_FieldComposition_h

#include "core/Dispatch.h"
#include "fields/IndexPosition.h"

/** Fields sampled where other fields lead, in memory of the context's device. On a GPU, these functions enqueue on the
 * compute stream. */
namespace cudaneuro
{

/** output(i) = first(i) + scale * second(transform(i + first(i))), with linear interpolation of second, which is
 * repeated beyond its edge. The output overlaps with neither. */
struct FieldComposition
{
  /** Grid of first and output. */
  Extent extent;
  /** 0 where its pointers are null. */
  ConstSoAField first;
  Extent        secondExtent;
  ConstSoAField second;
  /** Whether all have one grid; the transform, which is the identity then, is not read. */
  bool           isSameGrid = false;
  IndexTransform transform{};
  float          scale[3] = { 1.0f, 1.0f, 1.0f };
  SoAField       output;
};

CUDANEURO_DISPATCHED(void ComposeFields(Context & context, const FieldComposition & composition));

/** output(i) = first(i) + second(i + first(i)) of fields on one grid. */
void
ComposeFields(Context &             context,
              const Extent &        extent,
              const ConstSoAField & first,
              const ConstSoAField & second,
              const SoAField &      output);

/** output(i) = scale * input(indexMap(i)), scaled per axis: a field on another grid. */
void
ResampleField(Context &                     context,
              const Extent &                inputExtent,
              const ConstSoAField &         input,
              const AffineMap &             indexMap,
              const std::array<double, 3> & scale,
              const Extent &                outputExtent,
              const SoAField &              output);

} // namespace cudaneuro

#endif
