// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/means/FieldPose.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

void
FollowByAffine(Context & context, const Extent & extent, const AffineMap & map, const SoAField & field)
{
  AffineOperation operation{};
  operation.field = field;
  for (int row = 0; row < 3; ++row)
  {
    for (int column = 0; column < 3; ++column)
    {
      const double value = map.matrix[3 * row + column];
      operation.linear[3 * row + column] = static_cast<float>(value);
      operation.matrix[3 * row + column] = static_cast<float>(value - (row == column ? 1.0 : 0.0));
    }
    operation.offset[row] = static_cast<float>(map.offset[row]);
  }
  CUDANEURO_DISPATCH(context, ForAllVoxels(context, extent, operation));
}

} // namespace cudaneuro
