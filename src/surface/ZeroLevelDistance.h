// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_ZeroLevelDistance_h
#define cudaneuro_surface_ZeroLevelDistance_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "surface/ZeroLevelFormulas.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

/** The representation of the zero level of a field. */
enum class ZeroLevelShape
{
  /** Triangles between the points where linear interpolation is 0. These points stay in place. */
  Triangles,
  /** The midpoints between neighbors along the axes of the grid, one of which is inside. */
  Midpoints
};

/** The distances of a grid's voxels to the zero level of a field, with the sign of the field. Input and output are
 * different volumes in the memory of the context's device. */
struct ZeroLevelDistance
{
  Extent              extent{};
  SpaceVector<double> spacing{};
  float               reach = 0.0f;
  ZeroLevelShape      shape = ZeroLevelShape::Triangles;
  const float *       input = nullptr;
  float *             output = nullptr;
};

/** Number of voxels along an axis that may be within reach of one, bounded so that sums of indices do not overflow. */
inline int
VoxelsInReach(double reach, double spacing)
{
  constexpr double most = 1 << 28;
  return static_cast<int>(std::min(std::floor(1.001 * reach / spacing), most));
}

inline DistanceFinish
MakeDistanceFinish(const ZeroLevelDistance & distance, const float * squared)
{
  return { distance.extent,
           distance.reach,
           std::max({ distance.spacing.x, distance.spacing.y, distance.spacing.z }),
           distance.shape == ZeroLevelShape::Triangles,
           distance.input,
           squared };
}

/** Properties of a zero level. */
struct ZeroLevel
{
  /** Number of cells between eight voxel centers that are neither all inside nor all outside. */
  std::int64_t cells = 0;
  std::int64_t valuesNotFinite = 0;

  bool
  IsUsable() const
  {
    return cells > 0 && valuesNotFinite == 0;
  }
};

/** A field that is -1 where a label is, and 1 elsewhere. Both volumes are in the memory of the context's device. */
struct LabelSides
{
  std::int64_t count;
  const void * labels;
  PixelType    type;
  double       label;
  float *      levels;
};

/** Writes no output if the zero level is not usable. On a GPU it waits for the returned value, not for the output. */
CUDANEURO_ON_BOTH(ZeroLevel DistanceToZeroLevel(Context & context, const ZeroLevelDistance & distance));

CUDANEURO_ON_BOTH(void MakeLabelSides(Context & context, const LabelSides & levels));

} // namespace cudaneuro

#endif
