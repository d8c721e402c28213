// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/ZeroLevelDistance.h"

#include "core/ParallelRows.h"
#include "jobs/PixelConversion.h"
#include "surface/TriangleRowsCpu.h"
#include "surface/ZeroLevelFormulas.h"

#include <cmath>

namespace cudaneuro::cpu
{
namespace
{

/** Corner 0 of a cell in a layer between two planes of voxels. */
struct CellPlace
{
  int x;
  int y;
};

/** The cells of a layer that the zero level crosses, and the number of nonfinite values in its lower plane. */
struct CellLayer
{
  std::vector<CellPlace> cells;
  std::int64_t           valuesNotFinite = 0;
};

class CellSearch
{
public:
  explicit CellSearch(const ZeroLevelDistance & distance)
    : m_Extent(distance.extent)
    , m_Input(distance.input)
  {}

  /** Finds the cells between planes \p z and z + 1. There are none above the last plane. */
  CellLayer
  Find(int z) const
  {
    CellLayer           layer;
    const std::int64_t  planeVoxels = std::int64_t{ m_Extent.x } * m_Extent.y;
    const float * const plane = m_Input + z * planeVoxels;
    layer.valuesNotFinite =
      std::count_if(plane, plane + planeVoxels, [](float value) { return !std::isfinite(value); });
    for (int y = 0; z + 1 < m_Extent.z && y + 1 < m_Extent.y; ++y)
    {
      const float * const row = plane + std::int64_t{ y } * m_Extent.x;
      // The number of corners inside, among the four corners with the same x.
      const auto numberInside = [&](int x) {
        return static_cast<int>(IsInside(row[x])) + static_cast<int>(IsInside(row[x + m_Extent.x])) +
               static_cast<int>(IsInside(row[x + planeVoxels])) +
               static_cast<int>(IsInside(row[x + planeVoxels + m_Extent.x]));
      };
      int before = numberInside(0);
      for (int x = 0; x + 1 < m_Extent.x; ++x)
      {
        const int after = numberInside(x + 1);
        if ((before + after) % 8 != 0)
        {
          layer.cells.push_back({ x, y });
        }
        before = after;
      }
    }
    return layer;
  }

private:
  Extent        m_Extent;
  const float * m_Input;
};

/** Squared distances in some consecutive planes. */
class Slab
{
public:
  Slab(const ZeroLevelDistance & distance, float * squared, std::int64_t slab)
    : m_Distance(distance)
    , m_Squared{ distance.extent, ToFloat(distance.spacing), distance.reach, squared }
    , m_Begin(static_cast<int>(slab) * slabPlanes)
    , m_End(std::min(m_Begin + slabPlanes, distance.extent.z))
  {
    const float reach = distance.reach;
    std::fill(squared + m_Begin * this->PlaneVoxels(), squared + m_End * this->PlaneVoxels(), reach * reach);
  }

  /** Lowers the distances to those of the zero level in the cells of layer \p z. */
  template <typename TElements>
  CUDANEURO_ALWAYS_INLINE void
  Include(const std::vector<CellPlace> & cells, int z) const
  {
    for (const CellPlace & cell : cells)
    {
      const std::int64_t        sizeX = m_Distance.extent.x;
      const float * const       corner = m_Distance.input + z * this->PlaneVoxels() + cell.y * sizeX + cell.x;
      float                     values[8];
      typename TElements::Shape shapes[TElements::perCell];
      int                       count = 0;
      for (int i = 0; i < 8; ++i)
      {
        values[i] = corner[(i & 1) + (i / 2 & 1) * sizeX + (i / 4) * this->PlaneVoxels()];
      }
      for (int i = 0; i < TElements::perCell; ++i)
      {
        count += TElements::Make(values, m_Distance.spacing, i, shapes[count]) ? 1 : 0;
      }
      const std::array<int, 3> place{ cell.x, cell.y, z };
      m_Squared.IncludeCell(shapes, count, place, this->VoxelsAround(place));
    }
  }

private:
  std::int64_t
  PlaneVoxels() const
  {
    return std::int64_t{ m_Distance.extent.x } * m_Distance.extent.y;
  }

  /** The voxels of the slab within reach of a cell. */
  IndexBox
  VoxelsAround(const std::array<int, 3> & cell) const
  {
    const Extent &              extent = m_Distance.extent;
    const std::array<double, 3> spacing{ m_Distance.spacing.x, m_Distance.spacing.y, m_Distance.spacing.z };
    IndexBox                    box{};
    for (int axis = 0; axis < 3; ++axis)
    {
      const int reach = VoxelsInReach(m_Distance.reach, spacing[axis]);
      box.begin[axis] = cell[axis] - reach;
      box.end[axis] = cell[axis] + 2 + reach;
    }
    return Intersection(box, { { 0, 0, m_Begin }, { extent.x, extent.y, m_End } });
  }

  const ZeroLevelDistance & m_Distance;
  SquaredDistances          m_Squared;
  int                       m_Begin;
  int                       m_End;
};

/** Includes the layers within reach of the slab that begins with plane \p begin. Near ones come first, because they
 * leave less work for the others. */
template <typename TElements>
CUDANEURO_ALWAYS_INLINE void
IncludeLayers(const Slab & slab, int begin, int layersInReach, const std::vector<CellLayer> & layers)
{
  const int planes = static_cast<int>(layers.size());
  const int end = std::min(begin + slabPlanes, planes);
  for (int z = begin; z < end; ++z)
  {
    slab.Include<TElements>(layers[z].cells, z);
  }
  for (int i = 1; i <= layersInReach; ++i)
  {
    if (begin - i >= 0)
    {
      slab.Include<TElements>(layers[begin - i].cells, begin - i);
    }
    if (end - 1 + i < planes)
    {
      slab.Include<TElements>(layers[end - 1 + i].cells, end - 1 + i);
    }
  }
}

void
ComputeSquaredDistances(Context &                      context,
                        const ZeroLevelDistance &      distance,
                        const std::vector<CellLayer> & layers,
                        float *                        squared)
{
  const int planes = distance.extent.z;
  const int layersInReach = std::min(VoxelsInReach(distance.reach, distance.spacing.z) + 1, planes);
  context.ParallelFor(DivideUp(planes, slabPlanes), [&](std::int64_t index) {
    VectorDispatch([&] {
      const Slab slab(distance, squared, index);
      const int  begin = static_cast<int>(index) * slabPlanes;
      if (distance.shape == ZeroLevelShape::Triangles)
      {
        IncludeLayers<ZeroLevelPoints>(slab, begin, layersInReach, layers);
        IncludeLayers<ZeroLevelTriangles>(slab, begin, layersInReach, layers);
      }
      else
      {
        IncludeLayers<ZeroLevelMidpoints>(slab, begin, layersInReach, layers);
      }
    });
  });
}

} // namespace

ZeroLevel
DistanceToZeroLevel(Context & context, const ZeroLevelDistance & distance)
{
  const int              planes = distance.extent.z;
  const CellSearch       search(distance);
  std::vector<CellLayer> layers(static_cast<std::size_t>(planes));
  Context::ProgressSteps progress(context);
  progress.UpTo(0.1);
  context.ParallelFor(planes, [&](std::int64_t z) { layers[z] = search.Find(static_cast<int>(z)); });
  ZeroLevel zeroLevel;
  for (const CellLayer & layer : layers)
  {
    zeroLevel.cells += static_cast<std::int64_t>(layer.cells.size());
    zeroLevel.valuesNotFinite += layer.valuesNotFinite;
  }
  if (!zeroLevel.IsUsable())
  {
    return zeroLevel;
  }
  const DeviceMemory memory =
    context.Allocate(static_cast<std::size_t>(NumberOfVoxels(distance.extent)) * sizeof(float));
  auto * const squared = static_cast<float *>(memory.Data());
  progress.UpTo(0.9);
  ComputeSquaredDistances(context, distance, layers, squared);
  progress.UpTo(1.0);
  const DistanceFinish finish = MakeDistanceFinish(distance, squared);
  const ParallelRows   rows(distance.extent);
  rows.Run(context, [&](std::int64_t, int y, int z, std::int64_t begin) {
    for (int x = 0; x < distance.extent.x; ++x)
    {
      distance.output[begin + x] = FinishedDistance(finish, x, y, z);
    }
  });
  return zeroLevel;
}

void
MakeLabelSides(Context & context, const LabelSides & levels)
{
  constexpr std::int64_t voxelsPerTask = 65536;
  WithPixelType(levels.type, [&](auto pixel) {
    const auto * const labels = static_cast<const decltype(pixel) *>(levels.labels);
    context.ParallelFor(DivideUp(levels.count, voxelsPerTask), [&](std::int64_t task) {
      const std::int64_t end = std::min(levels.count, (task + 1) * voxelsPerTask);
      for (std::int64_t i = task * voxelsPerTask; i < end; ++i)
      {
        levels.levels[i] = LevelOf(labels[i], levels.label);
      }
    });
  });
}

} // namespace cudaneuro::cpu
