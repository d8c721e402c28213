// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NeighborCandidatesCpu.h"

#include <algorithm>

namespace cudaneuro::cpu
{

NeighborCandidates::NeighborCandidates(const NeighborSearch & search, std::int64_t query, double scale)
  : m_Search(search)
  , m_Bound(search.dimension)
  , m_Query(query)
  , m_SquaredScale(scale * scale)
{}

void
NeighborCandidates::Tighten()
{
  this->LowerLimit();
  if (m_Size > capacity / 2)
  {
    this->RankExactly();
  }
}

void
NeighborCandidates::LowerLimit()
{
  std::vector<float> sorted(m_Distances, m_Distances + m_Size);
  const auto         last = sorted.begin() + (m_Search.numberOfNeighbors - 1);
  std::nth_element(sorted.begin(), last, sorted.end());
  m_Limit = std::min(m_Limit, m_Bound.LargestOfNearer(*last));
  int size = 0;
  for (int i = 0; i < m_Size; ++i)
  {
    m_Distances[size] = m_Distances[i];
    m_Indices[size] = m_Indices[i];
    size += m_Distances[i] <= m_Limit ? 1 : 0;
  }
  m_Size = size;
}

std::vector<RankedNeighbor>
NeighborCandidates::ComputeNearest() const
{
  std::vector<RankedNeighbor> ranked(static_cast<std::size_t>(m_Size));
  const std::int64_t          stride = m_Search.stride;
  VectorDispatch([&] {
    for (int i = 0; i < m_Size; ++i)
    {
      ranked[i] = { SquaredDistance(
                      m_Search.queries + m_Query * stride, m_Search.points + m_Indices[i] * stride, m_Search.stride),
                    m_Indices[i] };
    }
  });
  const std::size_t found = std::min(ranked.size(), static_cast<std::size_t>(m_Search.numberOfNeighbors));
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(found), ranked.end(), IsNearer);
  ranked.resize(found);
  return ranked;
}

void
NeighborCandidates::RankExactly()
{
  const std::vector<RankedNeighbor> nearest = this->ComputeNearest();
  m_Size = 0;
  for (const RankedNeighbor & neighbor : nearest)
  {
    m_Distances[m_Size] = static_cast<float>(neighbor.squaredDistance * m_SquaredScale);
    m_Indices[m_Size] = neighbor.index;
    ++m_Size;
  }
  m_Limit = std::min(m_Limit, m_Bound.LargestOfNearer(m_Distances[m_Size - 1]));
}

void
NeighborCandidates::Finish()
{
  const auto k = static_cast<std::size_t>(m_Search.numberOfNeighbors);
  if (static_cast<std::size_t>(m_Size) > k)
  {
    this->LowerLimit();
  }
  const std::vector<RankedNeighbor> nearest = this->ComputeNearest();
  const std::size_t                 row = static_cast<std::size_t>(m_Query) * k;
  for (std::size_t i = 0; i < k; ++i)
  {
    m_Search.indices[row + i] = i < nearest.size() ? nearest[i].index : -1;
  }
  for (std::size_t i = 0; i < k && m_Search.squaredDistances != nullptr; ++i)
  {
    m_Search.squaredDistances[row + i] =
      i < nearest.size() ? static_cast<float>(nearest[i].squaredDistance) : std::numeric_limits<float>::infinity();
  }
}

} // namespace cudaneuro::cpu
