// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/TriangleDistance.h"

#include "surface/TriangleRowsCpu.h"
#include "surface/WindingNumberFormulas.h"

#include <mutex>
#include <utility>

namespace cudaneuro::cpu
{
namespace
{

/** The distances in some consecutive planes. */
class Slab
{
public:
  Slab(const SurfaceDistance & distance, std::int64_t slab)
    : m_Distance(distance)
    , m_Begin(static_cast<int>(slab) * slabPlanes)
    , m_End(std::min(m_Begin + slabPlanes, distance.extent.z))
    , m_PlaneVoxels(std::int64_t{ distance.extent.x } * distance.extent.y)
    , m_Windings(static_cast<std::size_t>((m_End - m_Begin) * m_PlaneVoxels))
  {
    const auto reach = static_cast<float>(distance.reach);
    std::fill(distance.output + m_Begin * m_PlaneVoxels, distance.output + m_End * m_PlaneVoxels, reach * reach);
  }

  CUDANEURO_ALWAYS_INLINE void
  Include(std::int64_t triangle)
  {
    const IndexBox              slab{ { 0, 0, m_Begin }, { m_Distance.extent.x, m_Distance.extent.y, m_End } };
    const IndexBox              box = Intersection(VoxelsAround(m_Distance, triangle), slab);
    const SpaceVector<double> & spacing = m_Distance.spacing;
    const SpaceVector<double>   origin{ spacing.x * box.begin[0], spacing.y * box.begin[1], spacing.z * box.begin[2] };
    const TriangleShape         shape = MakeTriangleShape(
      this->Corner(triangle, 0) - origin, this->Corner(triangle, 1) - origin, this->Corner(triangle, 2) - origin);
    const SquaredDistances squared{
      m_Distance.extent, ToFloat(spacing), static_cast<float>(m_Distance.reach), m_Distance.output
    };
    squared.Include(shape, box.begin, box);
    this->IncludeCrossings(triangle);
  }

  /** Converts squared distances to signed distances. */
  CUDANEURO_ALWAYS_INLINE WindingCounts
  Finish()
  {
    WindingCounts counts;
    const int     sizeX = m_Distance.extent.x;
    const int *   windings = m_Windings.data();
    float *       values = m_Distance.output + m_Begin * m_PlaneVoxels;
    const auto    reach = static_cast<float>(m_Distance.reach);
    for (std::int64_t row = 0; row < std::int64_t{ m_End - m_Begin } * m_Distance.extent.y; ++row)
    {
      int winding = 0;
      for (int x = 0; x < sizeX; ++x)
      {
        winding += windings[x];
        counts.Add(winding);
        const float value = DistanceWithin(reach, values[x]);
        values[x] = winding != 0 ? -value : value;
      }
      windings += sizeX;
      values += sizeX;
    }
    return counts;
  }

private:
  SpaceVector<double>
  Corner(std::int64_t triangle, int corner) const
  {
    return PointAt(m_Distance.surface.points, m_Distance.surface.triangles[3 * triangle + corner]);
  }

  WindingCorner
  RowCorner(std::int64_t triangle, int corner) const
  {
    return MakeWindingCorner(this->Corner(triangle, corner), m_Distance.spacing, m_Distance.fractionBits);
  }

  void
  IncludeCrossings(std::int64_t triangle)
  {
    const WindingCorner a = this->RowCorner(triangle, 0);
    const WindingCorner b = this->RowCorner(triangle, 1);
    const WindingCorner c = this->RowCorner(triangle, 2);
    const RowRange      rows = RowsOf(a, b, c, m_Distance.fractionBits);
    const int           endZ = std::min(rows.endZ, m_End);
    for (int z = std::max(rows.beginZ, m_Begin); z < endZ; ++z)
    {
      for (int y = rows.beginY; y < rows.endY; ++y)
      {
        int       voxel = 0;
        const int winding = WindingOfCrossing(
          a, b, c, std::int64_t{ y } << m_Distance.fractionBits, std::int64_t{ z } << m_Distance.fractionBits, voxel);
        if (winding != 0)
        {
          m_Windings[(z - m_Begin) * m_PlaneVoxels + std::int64_t{ y } * m_Distance.extent.x + voxel] += winding;
        }
      }
    }
  }

  const SurfaceDistance & m_Distance;
  int                     m_Begin;
  int                     m_End;
  std::int64_t            m_PlaneVoxels;
  /** The change of the winding number at each voxel. */
  std::vector<int> m_Windings;
};

} // namespace

WindingCounts
DistanceToSurface(Context & context, const SurfaceDistance & distance)
{
  const SlabLists lists(distance.extent.z, distance.surface.numberOfTriangles, [&](std::int64_t triangle) {
    const IndexBox box = VoxelsAround(distance, triangle);
    return std::make_pair(box.begin[2], box.end[2]);
  });
  WindingCounts   counts;
  std::mutex      mutex;
  context.ParallelFor(lists.NumberOfSlabs(), [&](std::int64_t index) {
    VectorDispatch([&] {
      Slab slab(distance, index);
      lists.ForEachPart(index, [&slab](std::int64_t triangle) { slab.Include(triangle); });
      const WindingCounts               ofSlab = slab.Finish();
      const std::lock_guard<std::mutex> lock(mutex);
      counts.Include(ofSlab);
    });
  });
  return counts;
}

} // namespace cudaneuro::cpu
