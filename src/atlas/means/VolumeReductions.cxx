// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/VolumeReductions.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

namespace
{

template <typename TOperation>
typename TOperation::Partial
Reduce(Context & context, const Extent & extent, const TOperation & operation)
{
  CUDANEURO_DISPATCH(context, ReduceVoxels(context, extent, operation));
}

} // namespace

FieldMoments
MomentsOfField(Context & context, const Extent & extent, const std::array<double, 3> & spacing, const SoAField & field)
{
  return Reduce(context,
                extent,
                MomentsOperation{ field,
                                  { 0.5 * (extent.x - 1), 0.5 * (extent.y - 1), 0.5 * (extent.z - 1) },
                                  { spacing[0], spacing[1], spacing[2] } })
    .moments;
}

VoxelBox
NonZeroBox(Context & context, const Extent & extent, const float * volume)
{
  const VoxelBox box = Reduce(context, extent, BoxOperation{ volume }).box;
  return box.IsEmpty() ? VoxelBox() : box;
}

} // namespace cudaneuro
