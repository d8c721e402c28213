// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldCompositionFormulas_h
#define cudaneuro_fields_FieldCompositionFormulas_h

#include "fields/FieldComposition.h"

/** Composition of fields at one voxel, for both compilers. */
namespace cudaneuro
{

/** Writes element \p index of the output. \p position is the voxel's position on the grid of second, before \p first
 * displaces it. */
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
