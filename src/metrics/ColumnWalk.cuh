// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_ColumnWalk_cuh
#define cudaneuro_metrics_ColumnWalk_cuh

#include "core/ApproximateMath.h"
#include "fields/IndexPosition.h"
#include "metrics/ComparisonFormulas.h"
#include "metrics/MetricColumns.h"
#include "metrics/MetricEvaluator.h"

#include <limits>

/** Sampling of the moving image along the columns of the fixed image. */
namespace cudaneuro::gpu
{

/** The moving image in the form of a kernel argument. It must be IsSmall, and have at least 2 voxels along x. */
struct MovingImage
{
  Extent                extent;
  const float *         values = nullptr;
  const unsigned char * mask = nullptr;
  int                   row = 1; // distances in memory between neighbors along y and z
  int                   plane = 1;
  int                   stepY = 0; // the same, but 0 along an axis of length 1
  int                   stepZ = 0;
  float                 before[3] = {}; // how far the image extends beyond its first and its last voxel along each axis
  float                 behind[3] = {};
  GridSides             goesOn; // extended sides, at which no voxel fades out

  MovingImage() = default;
  explicit MovingImage(const ImageComparison & images)
    : extent(images.movingExtent)
    , values(images.moving)
    , mask(images.movingMask)
    , row(extent.x)
    , plane(extent.x * extent.y)
    , stepY(extent.y > 1 ? row : 0)
    , stepZ(extent.z > 1 ? plane : 0)
  {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float     reach = images.Reach();
    for (int axis = 0; axis < 3; ++axis)
    {
      before[axis] = images.extended.lower[axis] ? infinity : reach;
      behind[axis] = images.extended.upper[axis] ? infinity : reach;
      goesOn.lower[axis] = images.extended.lower[axis] || !images.fadesOut;
      goesOn.upper[axis] = images.extended.upper[axis] || !images.fadesOut;
    }
  }
};

/** One axis of the positions along a column: rest = begin + voxel step, relative to a voxel near the column. */
struct WalkAxis
{
  float begin;
  float step;
  float first; // the grid's first and last voxel
  float last;

  __device__ float
  Rest(float voxel) const
  {
    return fmaf(voxel, step, begin);
  }
  /** Returns whether interpolation is independent of the grid's ends. Along an axis of length 1 there is one such
   * position. */
  __device__ bool
  IsInterior(float rest) const
  {
    return rest >= first && (rest < last || rest == first);
  }
};

/** The cell of eight voxels of a position along one axis: the bits of its lower corner, as rounding gives them, and the
 * position in the cell. */
struct AxisCell
{
  unsigned int bits;
  float        fraction;
  bool         isInside;
  bool         hasDerivative;
  float        before; // distance before the grid's first center; negative inside
  float        behind; // distance behind the last center
};

/** The bits of roundingShift, which the bits of every corner include. */
constexpr unsigned int roundingBits = 0x4B400000u;

/** Returns the cell. \param before and \param behind how far the image extends before its first and behind its last
 * voxel \tparam VInterior whether the position IsInterior. */
template <bool VInterior>
__device__ __forceinline__ AxisCell
CellOf(const WalkAxis & axis, float before, float behind, float rest)
{
  if constexpr (VInterior)
  {
    const float shifted = __fadd_rd(rest, roundingShift);
    return { __float_as_uint(shifted), rest - (shifted - roundingShift), true, true, 0.0f, 0.0f };
  }
  const float bounded = Bounded(rest, axis.first, axis.last);
  const float most = fmaxf(axis.last - 1.0f, axis.first);
  const float whole = fminf(__fadd_rd(bounded, roundingShift) - roundingShift, most);
  return {
    __float_as_uint(whole + roundingShift), bounded - whole,   rest >= axis.first - before && rest < axis.last + behind,
    rest >= axis.first && rest < axis.last, axis.first - rest, rest - axis.last
  };
}

/** The cell of a position; the cell is on the grid even if the position is not. */
struct MovingCell
{
  AxisCell     x;
  AxisCell     y;
  AxisCell     z;
  unsigned int offset; // of the lower corner

  __device__ bool
  IsInside() const
  {
    return x.isInside && y.isInside && z.isInside;
  }
};

/** Returns the weight that remains for a voxel at a position, and its derivatives. */
__device__ __forceinline__ ValueAndGradient
FadeOf(const MovingImage & moving, const MovingCell & cell)
{
  const Fade x = FadeAt(cell.x.before, cell.x.behind, moving.goesOn.lower[0], moving.goesOn.upper[0]);
  const Fade y = FadeAt(cell.y.before, cell.y.behind, moving.goesOn.lower[1], moving.goesOn.upper[1]);
  const Fade z = FadeAt(cell.z.before, cell.z.behind, moving.goesOn.lower[2], moving.goesOn.upper[2]);
  return { x.left * y.left * z.left, x.slope * y.left * z.left, x.left * y.slope * z.left, x.left * y.left * z.slope };
}

/** The four edges of a cell along x; the digits are the offsets along y and z. */
struct CellEdges
{
  float v00; // values at the lower ends
  float v10;
  float v01;
  float v11;
  float d00; // differences between the ends
  float d10;
  float d01;
  float d11;
};

/** The positions of a column, with errors of 1e-5 voxels: the first is computed in double precision, split into a
 * voxel and the rest, and there are few steps from there. */
class ColumnWalk
{
public:
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): all members are set.
  __device__
  ColumnWalk(const MovingImage & moving, const IndexTransform & map, const ColumnStart & start)
  {
    const SplitPosition at = MapVoxel<std::uint32_t>(map, start.x, start.y, start.z);
    m_X = Axis(at.x, at.restX, map.linear[2], moving.extent.x);
    m_Y = Axis(at.y, at.restY, map.linear[5], moving.extent.y);
    m_Z = Axis(at.z, at.restZ, map.linear[8], moving.extent.z);
    const auto row = static_cast<unsigned int>(moving.row);
    const auto plane = static_cast<unsigned int>(moving.plane);
    m_Origin = static_cast<unsigned int>(at.x) + row * static_cast<unsigned int>(at.y) +
               plane * static_cast<unsigned int>(at.z) - roundingBits * (1u + row + plane);
  }

  /** Returns whether a column of \p voxels voxels lies in the interior; this is so if both of its ends do, because
   * rounding is monotonic. */
  __device__ bool
  IsInterior(int voxels) const
  {
    const auto end = static_cast<float>(voxels - 1);
    return m_X.IsInterior(m_X.begin) && m_Y.IsInterior(m_Y.begin) && m_Z.IsInterior(m_Z.begin) &&
           m_X.IsInterior(m_X.Rest(end)) && m_Y.IsInterior(m_Y.Rest(end)) && m_Z.IsInterior(m_Z.Rest(end));
  }

  template <bool VInterior>
  __device__ MovingCell
  At(const MovingImage & moving, float voxel) const
  {
    MovingCell cell{ CellOf<VInterior>(m_X, moving.before[0], moving.behind[0], m_X.Rest(voxel)),
                     CellOf<VInterior>(m_Y, moving.before[1], moving.behind[1], m_Y.Rest(voxel)),
                     CellOf<VInterior>(m_Z, moving.before[2], moving.behind[2], m_Z.Rest(voxel)),
                     0u };
    cell.offset = m_Origin + cell.x.bits + static_cast<unsigned int>(moving.row) * cell.y.bits +
                  static_cast<unsigned int>(moving.plane) * cell.z.bits;
    return cell;
  }

private:
  /** Returns an axis. The bounds, which are far outside any grid, keep positions finite: infinite ones would not be
   * inside where the image is extended without end. */
  __device__ static WalkAxis
  Axis(int voxel, float rest, float step, int length)
  {
    constexpr float farAway = 1e30f;
    return { Bounded(rest, -farAway, farAway),
             Bounded(step, -farAway, farAway),
             -static_cast<float>(voxel),
             static_cast<float>(length - 1 - voxel) };
  }

  WalkAxis     m_X;
  WalkAxis     m_Y;
  WalkAxis     m_Z;
  unsigned int m_Origin;
};

__device__ __forceinline__ CellEdges
LoadEdges(const MovingImage & moving, const MovingCell & cell)
{
  const float * const v00 = moving.values + cell.offset;
  const float * const v10 = v00 + moving.stepY;
  const float * const v01 = v00 + moving.stepZ;
  const float * const v11 = v10 + moving.stepZ;
  CellEdges           edges{ __ldg(v00), __ldg(v10), __ldg(v01), __ldg(v11), 0.0f, 0.0f, 0.0f, 0.0f };
  edges.d00 = __ldg(v00 + 1) - edges.v00;
  edges.d10 = __ldg(v10 + 1) - edges.v10;
  edges.d01 = __ldg(v01 + 1) - edges.v01;
  edges.d11 = __ldg(v11 + 1) - edges.v11;
  return edges;
}

__device__ __forceinline__ float
Interpolate(const MovingCell & cell, const CellEdges & edges)
{
  const auto  along = SampleCellOf<std::uint32_t>::Along;
  const float x = cell.x.fraction;
  const float v0 = along(cell.y.fraction, fmaf(x, edges.d00, edges.v00), fmaf(x, edges.d10, edges.v10));
  const float v1 = along(cell.y.fraction, fmaf(x, edges.d01, edges.v01), fmaf(x, edges.d11, edges.v11));
  return along(cell.z.fraction, v0, v1);
}

/** Returns the value and the derivative as SampleWithGradient does: 0 along an axis if the position is outside. */
__device__ __forceinline__ ValueAndGradient
InterpolateWithGradient(const MovingCell & cell, const CellEdges & edges)
{
  const auto  along = SampleCellOf<std::uint32_t>::Along;
  const float x = cell.x.fraction;
  const float v00 = fmaf(x, edges.d00, edges.v00);
  const float v10 = fmaf(x, edges.d10, edges.v10);
  const float v01 = fmaf(x, edges.d01, edges.v01);
  const float v11 = fmaf(x, edges.d11, edges.v11);
  const float dy0 = v10 - v00;
  const float dy1 = v11 - v01;
  const float v0 = fmaf(cell.y.fraction, dy0, v00);
  const float dz = fmaf(cell.y.fraction, dy1, v01) - v0;
  const float dx0 = along(cell.y.fraction, edges.d00, edges.d10);
  const float dx1 = along(cell.y.fraction, edges.d01, edges.d11);
  return { fmaf(cell.z.fraction, dz, v0),
           cell.x.hasDerivative ? along(cell.z.fraction, dx0, dx1) : 0.0f,
           cell.y.hasDerivative ? along(cell.z.fraction, dy0, dy1) : 0.0f,
           cell.z.hasDerivative ? dz : 0.0f };
}

/** Returns whether the voxel of the moving image that is nearest to a position is in its mask. */
__device__ __forceinline__ bool
IsInMask(const MovingImage & moving, const MovingCell & cell)
{
  const int nearest = (cell.x.fraction >= 0.5f ? 1 : 0) + (cell.y.fraction >= 0.5f ? moving.stepY : 0) +
                      (cell.z.fraction >= 0.5f ? moving.stepZ : 0);
  return __ldg(moving.mask + cell.offset + nearest) != 0;
}

} // namespace cudaneuro::gpu

#endif
