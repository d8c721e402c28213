// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldCompositionFormulas_h
#define cudaneuro_fields_FieldCompositionFormulas_h

#include "fields/IndexPosition.h"

/** Fields taken from where other fields lead, for both compilers. */
namespace cudaneuro
{

/** output(i) = first(i) + scale * second(transform(i + first(i))), second repeated beyond its edge; first and output on
 * \c extent, first 0 where its pointers are null. */
struct FieldComposition
{
  Extent        extent;
  ConstSoAField first;
  Extent        secondExtent;
  ConstSoAField second;
  /** Both on the same grid: the transform is the identity and is not read. */
  bool           isSameGrid;
  IndexTransform transform;
  float          scale[3];
  SoAField       output;
};

struct Displacement
{
  float x;
  float y;
  float z;
};

/** Writes the output's voxel \p index; \p position is where it is on second's grid without \p first. */
template <bool VIsSameGrid, typename TIndex>
CUDANEURO_HOST_DEVICE void
ComposeAt(const FieldComposition & composition, SplitPosition position, const Displacement & first, TIndex index)
{
  if constexpr (VIsSameGrid)
  {
    position.restX += first.x;
    position.restY += first.y;
    position.restZ += first.z;
  }
  else
  {
    position = Moved(composition.transform, position, first.x, first.y, first.z);
  }
  const SampleCellOf<TIndex> cell(position, composition.secondExtent);
  composition.output.x[index] = first.x + composition.scale[0] * cell.Interpolate(composition.second.x);
  composition.output.y[index] = first.y + composition.scale[1] * cell.Interpolate(composition.second.y);
  composition.output.z[index] = first.z + composition.scale[2] * cell.Interpolate(composition.second.z);
}

} // namespace cudaneuro

#endif
