// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldComposition_h
#define cudaneuro_fields_FieldComposition_h

#include "core/Dispatch.h"
#include "fields/IndexPosition.h"

/** Composition and resampling of displacement fields in memory of the context's device. On a GPU, these functions
 * enqueue work on the compute stream. */
namespace cudaneuro
{

/** output(i) = first(i) + scale * second(transform(i + first(i))), with linear interpolation of second, whose border
 * values are repeated outside its grid. The output must not overlap with first or second. */
struct FieldComposition
{
  /** The grid of first and output. */
  Extent extent;
  /** The first field, which is 0 if its pointers are null. */
  ConstSoAField first;
  Extent        secondExtent;
  ConstSoAField second;
  /** Whether all fields have one grid; then the transform is the identity, and is not read. */
  bool           isSameGrid = false;
  IndexTransform transform{};
  float          scale[3] = { 1.0f, 1.0f, 1.0f };
  SoAField       output;
};

CUDANEURO_DISPATCHED(void ComposeFields(Context & context, const FieldComposition & composition));

/** Computes output(i) = first(i) + second(i + first(i)) for fields on one grid. */
void
ComposeFields(Context &             context,
              const Extent &        extent,
              const ConstSoAField & first,
              const ConstSoAField & second,
              const SoAField &      output);

/** Computes output(i) = scale * input(indexMap(i)), with a scale per axis: the field on another grid. */
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
