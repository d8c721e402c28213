// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_atlas_means_FieldPose_h
#define cudaneuro_atlas_means_FieldPose_h

#include "cudaneuro/Geometry.h"
#include "core/Dispatch.h"
#include "core/HostDevice.h"
#include "core/SoAField.h"

/** Maps followed by a change of pose, in memory of the context's device. */
namespace cudaneuro
{

/** Replaces the displacement of x -> x + field(x) by that of x -> map(x + field(x)), in voxels. On a GPU, enqueues this
 * on the compute stream. */
void
FollowByAffine(Context & context, const Extent & extent, const AffineMap & map, const SoAField & field);

/** The field at voxel i after FollowByAffine. */
struct AffineOperation
{
  SoAField field;
  float    matrix[9] = {}; // matrix of the map minus the identity
  float    linear[9] = {}; // matrix of the map
  float    offset[3] = {};

  CUDANEURO_HOST_DEVICE void
  operator()(int x, int y, int z, std::int64_t i) const
  {
    const float position[3] = { static_cast<float>(x), static_cast<float>(y), static_cast<float>(z) };
    const float d[3] = { field.x[i], field.y[i], field.z[i] };
    float       moved[3];
    for (int row = 0; row < 3; ++row)
    {
      moved[row] = offset[row];
      for (int column = 0; column < 3; ++column)
      {
        moved[row] += matrix[3 * row + column] * position[column] + linear[3 * row + column] * d[column];
      }
    }
    field.x[i] = moved[0];
    field.y[i] = moved[1];
    field.z[i] = moved[2];
  }
};

CUDANEURO_ON_BOTH(void ForAllVoxels(Context & context, const Extent & extent, const AffineOperation & operation));

} // namespace cudaneuro

#endif
