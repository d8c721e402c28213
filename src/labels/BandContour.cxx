// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "labels/BandContour.h"

#include "core/ParallelRanges.h"
#include "labels/MarchingCubes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

namespace cudaneuro
{
namespace
{

class Contour
{
public:
  Contour(Context & context, const LabelGrid & grid, const LabelBand & band, const VersionValues & levels)
    : m_Context(context)
    , m_Grid(grid)
    , m_Band(band)
    , m_Levels(levels)
    , m_Steps{ 1, grid.extent.x, std::int64_t{ grid.extent.x } * grid.extent.y }
  {
    m_Contour.vertices.assign(3 * static_cast<std::size_t>(band.count), -1);
  }

  BandContour
  Make()
  {
    for (const std::vector<Cube> & cubes : this->FindCubes())
    {
      for (const Cube & cube : cubes)
      {
        this->AddCube(cube);
      }
    }
    return std::move(m_Contour);
  }

private:
  /** A cube that the surface crosses. */
  struct Cube
  {
    /** The cube's lowest corner. */
    std::int64_t voxel;
    /** Bit c is set if corner c is inside. */
    unsigned int inside;
  };

  /** The cubes that the surface crosses, by ranges of the band's voxels. */
  std::vector<std::vector<Cube>>
  FindCubes() const
  {
    constexpr std::int64_t         length = 4096;
    std::vector<std::vector<Cube>> found(static_cast<std::size_t>(DivideUp(std::int64_t{ m_Band.count }, length)));
    ForEachRange(m_Context, m_Band.count, length, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Cube> & cubes = found[static_cast<std::size_t>(begin / length)];
      for (std::int64_t i = begin; i < end; ++i)
      {
        this->FindCubesOf(m_Band.voxels[static_cast<std::size_t>(i)], cubes);
      }
    });
    return found;
  }

  /** Finds the cubes whose first corner in the band is \p voxel, so that each cube is found once. */
  void
  FindCubesOf(std::int64_t voxel, std::vector<Cube> & cubes) const
  {
    for (int own = 7; own >= 0; --own)
    {
      const std::int64_t cube = voxel - this->StepTo(own);
      bool               isFirst = true;
      for (int corner = 0; corner < own && isFirst; ++corner)
      {
        isFirst = this->NumberAt(cube + this->StepTo(corner)) < 0;
      }
      unsigned int inside = 0;
      for (int corner = 0; isFirst && corner < 8; ++corner)
      {
        inside |= (this->LevelAt(cube + this->StepTo(corner)) > 0.0f ? 1u : 0u) << corner;
      }
      if (inside != 0 && inside != 255)
      {
        cubes.push_back({ cube, inside });
      }
    }
  }

  std::int64_t
  StepTo(int corner) const
  {
    return (corner & 1) * m_Steps[0] + (corner >> 1 & 1) * m_Steps[1] + (corner >> 2 & 1) * m_Steps[2];
  }

  std::int32_t
  NumberAt(std::int64_t voxel) const
  {
    return m_Band.numbers[static_cast<std::size_t>(voxel)];
  }

  float
  LevelAt(std::int64_t voxel) const
  {
    const std::int32_t number = this->NumberAt(voxel);
    if (number >= 0)
    {
      return m_Levels[static_cast<std::size_t>(versions) * static_cast<std::size_t>(number)];
    }
    return bandRadius * SideOf(m_Grid.codes[static_cast<std::size_t>(voxel)]);
  }

  void
  AddCube(const Cube & cube)
  {
    static const MarchingCubes cases;
    for (const MarchingCubes::Polygon & polygon : cases.PolygonsOf(cube.inside))
    {
      m_Corners.clear();
      for (const int edge : polygon)
      {
        const std::int64_t low = cube.voxel + this->StepTo(MarchingCubes::LowCorner(edge));
        m_Corners.push_back({ edge, this->VertexOn(low, edge / 4) });
      }
      this->AddPolygon(m_Corners);
    }
  }

  /** A corner of a polygon: the cube's edge, and the vertex on it. */
  struct Corner
  {
    int          edge;
    std::int32_t vertex;
  };

  /** Squared length of a diagonal. A diagonal that would lie in a face of the cube gets a penalty above any length. */
  double
  CostOf(const Corner & a, const Corner & b) const
  {
    constexpr double most = 1e6;
    double           sum = MarchingCubes::AreOnOneFace(a.edge, b.edge) ? most : 0.0;
    for (std::size_t i = 0; i < 3; ++i)
    {
      const double difference = m_Contour.surface.points[3 * static_cast<std::size_t>(a.vertex) + i] -
                                m_Contour.surface.points[3 * static_cast<std::size_t>(b.vertex) + i];
      sum += difference * difference;
    }
    return sum;
  }

  /** Cuts off triangles, the one with the shortest diagonal first, which does not depend on the numbers of vertices. */
  void
  AddPolygon(std::vector<Corner> & corners)
  {
    while (corners.size() >= 3)
    {
      const std::size_t count = corners.size();
      std::size_t       best = 0;
      double            least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; count > 3 && i < count; ++i)
      {
        const double cost = this->CostOf(corners[(i + count - 1) % count], corners[(i + 1) % count]);
        if (cost < least)
        {
          least = cost;
          best = i;
        }
      }
      for (const std::size_t i : { best + count - 1, best, best + 1 })
      {
        m_Contour.surface.triangles.push_back(corners[i % count].vertex);
      }
      corners.erase(corners.begin() + static_cast<std::ptrdiff_t>(best));
    }
  }

  std::int32_t
  VertexOn(std::int64_t voxel, int axis)
  {
    const std::int32_t number = this->NumberAt(voxel);
    std::int32_t &     vertex =
      number >= 0 ? m_Contour.vertices[3 * static_cast<std::size_t>(number) + static_cast<std::size_t>(axis)]
                      : m_Beyond.try_emplace({ voxel, axis }, -1).first->second;
    if (vertex < 0)
    {
      vertex = static_cast<std::int32_t>(m_Contour.places.size());
      this->AddVertex(voxel, axis);
    }
    return vertex;
  }

  void
  AddVertex(std::int64_t voxel, int axis)
  {
    // Keeps triangles from degenerating to zero area.
    constexpr float    clearance = 1e-3f;
    const auto         a = static_cast<std::size_t>(axis);
    const std::int64_t other = voxel + m_Steps[a];
    const float        from = this->LevelAt(voxel);
    const float        part = std::clamp(from / (from - this->LevelAt(other)), clearance, 1.0f - clearance);
    const std::int32_t low = this->NumberAt(voxel);
    const std::int32_t high = this->NumberAt(other);
    m_Contour.places.push_back({ low < 0 ? high : low, high < 0 ? low : high, part });
    m_Contour.edges.push_back({ voxel, axis, from > 0.0f });
    const std::array<int, 3> index = m_Grid.IndexOf(voxel);
    for (std::size_t i = 0; i < 3; ++i)
    {
      const double place = index[i] + (i == a ? static_cast<double>(part) : 0.0);
      m_Contour.surface.points.push_back(place * m_Grid.spacing[i]);
    }
  }

  Context &                                            m_Context;
  const LabelGrid &                                    m_Grid;
  const LabelBand &                                    m_Band;
  const VersionValues &                                m_Levels;
  std::array<std::int64_t, 3>                          m_Steps;
  std::vector<Corner>                                  m_Corners;
  BandContour                                          m_Contour;
  std::map<std::pair<std::int64_t, int>, std::int32_t> m_Beyond;
};

} // namespace

BandContour
ContourOfBand(Context & context, const LabelGrid & grid, const LabelBand & band, const VersionValues & levels)
{
  return Contour(context, grid, band, levels).Make();
}

} // namespace cudaneuro
