// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NearestNeighbors.h"
#include "neighbors/NeighborCandidatesCpu.h"
#include "neighbors/NeighborPanelsCpu.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

static_assert(pointsPerPanel <= NeighborCandidates::mostAtOnce);

/** Number of queries whose distances to a panel are computed together. Their sums for the points of a panel fill the
 * registers of common processors. */
constexpr int queriesPerTile = 4;

/** Number of queries of a task, for which a panel is read from memory once. A multiple of queriesPerTile. */
constexpr int queriesPerTask = 64;

/** Number of components after which the search checks whether a tile may have near points. */
constexpr int componentsPerStep = 24;

using TileDistances = float[queriesPerTile][pointsPerPanel];
using TileLimits = float[queriesPerTile];

/** Adds the squared differences of some components. Those of a query are \p dimension apart from those of the next. */
CUDANEURO_ALWAYS_INLINE void
AddComponents(const float * queries, int dimension, const float * panel, int components, TileDistances & distances)
{
  TileDistances sums;
  for (int q = 0; q < queriesPerTile; ++q)
  {
    for (int p = 0; p < pointsPerPanel; ++p)
    {
      sums[q][p] = distances[q][p];
    }
  }
  for (int i = 0; i < components; ++i)
  {
    for (int q = 0; q < queriesPerTile; ++q)
    {
      const float component = queries[q * dimension + i];
      for (int p = 0; p < pointsPerPanel; ++p)
      {
        const float difference = panel[i * pointsPerPanel + p] - component;
        sums[q][p] += difference * difference;
      }
    }
  }
  for (int q = 0; q < queriesPerTile; ++q)
  {
    for (int p = 0; p < pointsPerPanel; ++p)
    {
      distances[q][p] = sums[q][p];
    }
  }
}

/** Whether any of a panel's points is within the limit, which NaN is not. */
CUDANEURO_ALWAYS_INLINE bool
IsAnyNear(const float * distances, float limit)
{
  int isNear = 0;
  for (int p = 0; p < pointsPerPanel; ++p)
  {
    isNear |= distances[p] <= limit ? 1 : 0;
  }
  return isNear != 0;
}

/** Whether any of a panel's points is within the limit of any query of a tile. */
CUDANEURO_ALWAYS_INLINE bool
IsAnyNear(const TileDistances & distances, const TileLimits & limits)
{
  int isNear = 0;
  for (int q = 0; q < queriesPerTile; ++q)
  {
    for (int p = 0; p < pointsPerPanel; ++p)
    {
      isNear |= distances[q][p] <= limits[q] ? 1 : 0;
    }
  }
  return isNear != 0;
}

/** Computes the squared distances of queries to the points of a panel, until they show that no point is near: no sum
 * ever decreases, because adding a non-negative term does not lower it by rounding either.
 * \returns whether there may be near points */
CUDANEURO_ALWAYS_INLINE bool
ComputeTile(
  const float * queries, const float * panel, int dimension, const TileLimits & limits, TileDistances & distances)
{
  for (int begin = 0; begin < dimension; begin += componentsPerStep)
  {
    const int components = std::min(componentsPerStep, dimension - begin);
    AddComponents(queries + begin, dimension, panel + begin * pointsPerPanel, components, distances);
    if (!IsAnyNear(distances, limits))
    {
      return false;
    }
  }
  return true;
}

/** The queries [begin, end) of a task, in the layout and scale of the panels. */
class QueryBlock
{
public:
  QueryBlock(const NeighborSearch & search, std::int64_t begin, std::int64_t end, double scale)
    : m_Search(search)
    , m_Begin(begin)
    , m_Size(static_cast<int>(end - begin))
    , m_Values(static_cast<std::size_t>(queriesPerTask) * search.dimension)
  {
    m_Candidates.reserve(static_cast<std::size_t>(m_Size));
    for (int q = 0; q < m_Size; ++q)
    {
      m_Candidates.emplace_back(search, begin + q, scale);
      for (int i = 0; i < search.dimension; ++i)
      {
        m_Values[static_cast<std::size_t>(q) * search.dimension + i] =
          static_cast<float>(search.queries[(begin + q) * search.stride + i] * scale);
      }
    }
  }

  /** Adds the points of a panel to the candidates of all queries. */
  CUDANEURO_ALWAYS_INLINE void
  AddPanel(const float * panel, std::int64_t first)
  {
    for (int begin = 0; begin < m_Size; begin += queriesPerTile)
    {
      const int  end = std::min(queriesPerTile, m_Size - begin);
      TileLimits limits;
      for (int q = 0; q < queriesPerTile; ++q)
      {
        limits[q] = q < end ? m_Candidates[begin + q].GetLimit() : -1.0f;
      }
      TileDistances       distances = {};
      const float * const queries = m_Values.data() + begin * m_Search.dimension;
      if (!ComputeTile(queries, panel, m_Search.dimension, limits, distances))
      {
        continue;
      }
      for (int q = 0; q < end; ++q)
      {
        this->LeaveSelfOut(m_Begin + begin + q, first, distances[q]);
        NeighborCandidates & candidates = m_Candidates[begin + q];
        if (IsAnyNear(distances[q], candidates.GetLimit()))
        {
          candidates.Add(distances[q], pointsPerPanel, static_cast<std::int32_t>(first));
        }
      }
    }
  }

  void
  Finish()
  {
    for (NeighborCandidates & candidates : m_Candidates)
    {
      candidates.Finish();
    }
  }

private:
  CUDANEURO_ALWAYS_INLINE void
  LeaveSelfOut(std::int64_t query, std::int64_t first, float * distances) const
  {
    if (m_Search.excludeSelf && query >= first && query < first + pointsPerPanel)
    {
      distances[query - first] = std::numeric_limits<float>::quiet_NaN();
    }
  }

  const NeighborSearch &          m_Search;
  std::int64_t                    m_Begin;
  int                             m_Size;
  std::vector<float>              m_Values;
  std::vector<NeighborCandidates> m_Candidates;
};

void
FindNeighborsOf(const NeighborSearch & search, const NeighborPanels & panels, std::int64_t begin, std::int64_t end)
{
  QueryBlock         block(search, begin, end, panels.GetScale());
  const std::int64_t count = panels.GetNumberOfPanels();
  // The result does not depend on the order of panels. In a search for neighbors within one set, near points often have
  // near indices, and the sooner they are visited, the fewer candidates there are.
  const std::int64_t start = begin * count / search.numberOfQueries;
  VectorDispatch([&] {
    for (std::int64_t i = 0; i < count; ++i)
    {
      const std::int64_t panel = (start + i) % count;
      block.AddPanel(panels.GetPanel(panel), panel * pointsPerPanel);
    }
  });
  block.Finish();
}

} // namespace

void
FindNeighbors(Context & context, const NeighborSearch & search)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.01);
  const NeighborPanels panels(context, search);
  progress.UpTo(1.0);
  context.ParallelFor(DivideUp(search.numberOfQueries, queriesPerTask), [&](std::int64_t task) {
    const std::int64_t begin = task * queriesPerTask;
    FindNeighborsOf(search, panels, begin, std::min(search.numberOfQueries, begin + queriesPerTask));
  });
}

} // namespace cudaneuro::cpu
