// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshTopology.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace cudaneuro
{
namespace
{

/** Number of vertices or triangles that a task processes. */
constexpr std::int64_t chunk = 4096;

/** The stable order of increasing keys. */
template <typename TKey>
std::vector<std::int32_t>
OrderOf(const std::vector<TKey> & keys, int bits)
{
  constexpr int             bitsPerPass = 11;
  constexpr std::size_t     bins = std::size_t{ 1 } << bitsPerPass;
  std::vector<std::int32_t> order(keys.size());
  std::vector<std::int32_t> next(keys.size());
  std::iota(order.begin(), order.end(), 0);
  for (int shift = 0; shift < bits; shift += bitsPerPass)
  {
    std::vector<std::int32_t> first(bins + 1, 0);
    const auto binOf = [&](std::int32_t i) { return static_cast<std::size_t>(keys[i] >> shift) & (bins - 1); };
    for (const std::int32_t i : order)
    {
      ++first[binOf(i) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (const std::int32_t i : order)
    {
      next[first[binOf(i)]++] = i;
    }
    order.swap(next);
  }
  return order;
}

class TopologyMaker
{
public:
  TopologyMaker(Context & context, const ConstTriangles & surface, const MeshMeasures & measures)
    : m_Context(context)
    , m_Surface(surface)
    , m_Frame(FrameOf(measures))
  {
    m_Mesh.numberOfVertices = static_cast<std::int32_t>(surface.numberOfPoints);
    m_Mesh.numberOfTriangles = static_cast<std::int32_t>(surface.numberOfTriangles);
  }

  MeshTopology
  Make()
  {
    this->OrderVertices();
    this->OrderTriangles();
    this->FindTriangles();
    this->FindNeighbors();
    return std::move(m_Mesh);
  }

private:
  const double *
  Point(std::int64_t point) const
  {
    return m_Surface.points + 3 * point;
  }

  /** Sorts the vertices along Morton's curve. */
  void
  OrderVertices()
  {
    const std::int32_t         count = m_Mesh.numberOfVertices;
    std::vector<std::uint64_t> distances(count);
    std::vector<std::uint32_t> codes(count);
    for (std::int32_t i = 0; i < count; ++i)
    {
      codes[i] = m_Frame.MortonCode(this->Point(i));
      distances[i] = m_Frame.DistanceKey(this->Point(i));
    }
    m_Mesh.inputVertex = OrderOf(codes, mortonBits);
    std::vector<std::int32_t> ranks(count);
    // The bits of non-negative numbers have the order of the numbers.
    const std::vector<std::int32_t> byDistance = OrderOf(distances, 64);
    for (std::int32_t i = 0; i < count; ++i)
    {
      ranks[byDistance[i]] = i;
    }
    m_Number.resize(count);
    m_Mesh.rank.resize(count);
    m_Mesh.positions.resize(3 * static_cast<std::size_t>(count));
    for (std::int32_t i = 0; i < count; ++i)
    {
      const std::int32_t input = m_Mesh.inputVertex[i];
      m_Number[input] = i;
      m_Mesh.rank[i] = ranks[input];
      for (int axis = 0; axis < 3; ++axis)
      {
        m_Mesh.positions[3 * static_cast<std::size_t>(i) + axis] = m_Frame.Coordinate(this->Point(input), axis);
      }
    }
  }

  /** Sorts the triangles by the first of their vertices. */
  void
  OrderTriangles()
  {
    const std::size_t          count = static_cast<std::size_t>(m_Mesh.numberOfTriangles);
    std::vector<std::uint32_t> keys(count);
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::int32_t * const corners = m_Surface.triangles + 3 * i;
      keys[i] =
        static_cast<std::uint32_t>(std::min({ m_Number[corners[0]], m_Number[corners[1]], m_Number[corners[2]] }));
    }
    int bits = 1;
    while (bits < 31 && (m_Mesh.numberOfVertices >> bits) > 0)
    {
      ++bits;
    }
    const std::vector<std::int32_t> order = OrderOf(keys, bits);
    m_Mesh.corners.resize(3 * count);
    for (std::size_t i = 0; i < 3 * count; ++i)
    {
      m_Mesh.corners[i] = m_Number[m_Surface.triangles[3 * static_cast<std::size_t>(order[i / 3]) + i % 3]];
    }
  }

  void
  FindTriangles()
  {
    std::vector<std::int32_t> & first = m_Mesh.firstTriangle;
    first.assign(static_cast<std::size_t>(m_Mesh.numberOfVertices) + 1, 0);
    for (const std::int32_t corner : m_Mesh.corners)
    {
      ++first[static_cast<std::size_t>(corner) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::int32_t> next(first.begin(), first.end() - 1);
    m_Mesh.trianglesOf.resize(m_Mesh.corners.size());
    for (std::size_t i = 0; i < m_Mesh.corners.size(); ++i)
    {
      m_Mesh.trianglesOf[next[m_Mesh.corners[i]]++] = static_cast<std::int32_t>(i / 3);
    }
  }

  /** The neighbors of a vertex, each once in increasing order; those along the border come first. */
  struct Around
  {
    std::vector<std::int32_t> all;
    std::vector<std::int32_t> distinct;
    std::int32_t              ofBorder = 0;

    void
    Find(const MeshTopology & mesh, std::int32_t vertex)
    {
      all.clear();
      distinct.clear();
      for (std::int32_t i = mesh.firstTriangle[vertex]; i < mesh.firstTriangle[vertex + 1]; ++i)
      {
        for (int corner = 0; corner < 3; ++corner)
        {
          const std::int32_t other = mesh.corners[3 * static_cast<std::size_t>(mesh.trianglesOf[i]) + corner];
          if (other != vertex)
          {
            all.push_back(other);
          }
        }
      }
      std::sort(all.begin(), all.end());
      ofBorder = 0;
      for (const bool border : { true, false })
      {
        for (std::size_t i = 0; i < all.size();)
        {
          std::size_t end = i + 1;
          while (end < all.size() && all[end] == all[i])
          {
            ++end;
          }
          if ((end - i == 1) == border)
          {
            distinct.push_back(all[i]);
            ofBorder += border ? 1 : 0;
          }
          i = end;
        }
      }
    }
  };

  void
  FindNeighbors()
  {
    const std::int64_t count = m_Mesh.numberOfVertices;
    m_Mesh.firstNeighbor.assign(static_cast<std::size_t>(count) + 1, 0);
    m_Mesh.meanNeighbors.resize(static_cast<std::size_t>(count));
    m_Mesh.isOnBorder.resize(static_cast<std::size_t>(count));
    const auto forAll = [&](const auto & body) {
      m_Context.ParallelFor(DivideUp(count, chunk), [&](std::int64_t task) {
        Around around;
        for (std::int64_t i = task * chunk; i < std::min((task + 1) * chunk, count); ++i)
        {
          around.Find(m_Mesh, static_cast<std::int32_t>(i));
          body(i, around);
        }
      });
    };
    std::vector<std::int32_t> ofBorder(static_cast<std::size_t>(count));
    forAll([&](std::int64_t i, const Around & around) {
      const auto degree = static_cast<std::int32_t>(around.distinct.size());
      m_Mesh.firstNeighbor[i + 1] = degree;
      ofBorder[i] = around.ofBorder;
      m_Mesh.isOnBorder[i] = around.ofBorder > 0 ? 1 : 0;
      m_Mesh.meanNeighbors[i] = around.ofBorder > 0 ? around.ofBorder : degree;
    });
    m_Mesh.borderEdges = std::accumulate(ofBorder.begin(), ofBorder.end(), std::int64_t{ 0 }) / 2;
    std::partial_sum(m_Mesh.firstNeighbor.begin(), m_Mesh.firstNeighbor.end(), m_Mesh.firstNeighbor.begin());
    m_Mesh.neighborsOf.resize(static_cast<std::size_t>(m_Mesh.firstNeighbor.back()));
    forAll([&](std::int64_t i, const Around & around) {
      std::copy(around.distinct.begin(), around.distinct.end(), m_Mesh.neighborsOf.begin() + m_Mesh.firstNeighbor[i]);
    });
  }

  Context &                 m_Context;
  const ConstTriangles &    m_Surface;
  MeshFrame                 m_Frame;
  MeshTopology              m_Mesh;
  std::vector<std::int32_t> m_Number; // new number of each vertex of the input
};

} // namespace

MeshFrame
FrameOf(const MeshMeasures & measures)
{
  const auto & [low, center] = std::tie(measures.low, measures.center);
  return { { low[0], low[1], low[2] }, { center[0], center[1], center[2] }, measures.Extent(), measures.edgeLength };
}

MeshTopology
MakeMeshTopology(Context & context, const ConstTriangles & surface, const MeshMeasures & measures)
{
  return TopologyMaker(context, surface, measures).Make();
}

} // namespace cudaneuro
