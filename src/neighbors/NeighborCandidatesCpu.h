// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_NeighborCandidatesCpu_h
#define cudaneuro_neighbors_NeighborCandidatesCpu_h

#include "core/VectorDispatch.h"
#include "neighbors/NearestNeighbors.h"
#include "neighbors/NeighborFormulas.h"

#include <limits>
#include <vector>

namespace cudaneuro::cpu
{

/** How far squared distances that are computed in single precision may be from the exact ones.
 *
 * With u = 2^-24, a difference, its square and each sum of up to d terms have a relative error of u at most. So what is
 * computed for D is within (1 + u)^(d + 2) of it, which is less than 1 + e with e = (d + 8) u; that leaves room for the
 * errors of double precision, which are 2^-29 of these. A square that underflows adds less than 2^-126. */
class NeighborErrorBound
{
public:
  explicit NeighborErrorBound(int dimension)
    : m_Relative(1.0 + 3.0 * ((dimension + 8) * 0x1p-24))
    , m_Absolute(4.0 * dimension * 0x1p-126)
  {}

  /** Points that are not farther than one that was computed, or exactly measured, to be at \p distance are not computed
   * to be farther than this: (1 + e) / (1 - e) < 1 + 3 e. */
  float
  LargestOfNearer(double distance) const
  {
    return static_cast<float>(distance * m_Relative + m_Absolute);
  }

private:
  double m_Relative;
  double m_Absolute;
};

/** What may be among the nearest points of one query, by the distances in single precision to the points so far. */
class NeighborCandidates
{
public:
  /** \param scale of the components when they are computed with in single precision. */
  NeighborCandidates(const NeighborSearch & search, std::int64_t query, double scale);

  /** Farther points are no candidates. */
  float
  GetLimit() const
  {
    return m_Limit;
  }

  /** Takes those of \p count points from index \p first on that are not beyond the limit; NaN is.
   * \param count at most mostAtOnce. */
  CUDANEURO_ALWAYS_INLINE void
  Add(const float * distances, int count, std::int32_t first)
  {
    int size = m_Size;
    for (int i = 0; i < count; ++i)
    {
      m_Distances[size] = distances[i];
      m_Indices[size] = first + i;
      size += distances[i] <= m_Limit ? 1 : 0;
    }
    m_Size = size;
    if (size > capacity - mostAtOnce)
    {
      this->Tighten();
    }
  }

  /** Ranks the candidates by the exact distance, and writes the nearest. */
  void
  Finish();

  static constexpr int mostAtOnce = 32;

private:
  /** More than twice the most neighbors, and enough that Tighten is rare. */
  static constexpr int capacity = 512;
  static_assert(capacity / 2 >= maximumNumberOfNeighbors + mostAtOnce);

  /** Makes room: lowers the limit to what the candidates so far allow. */
  void
  Tighten();
  void
  LowerLimit();
  /** Leaves the nearest points only. There may be any number of points at the same distance, which the index
   * decides. */
  void
  RankExactly();
  std::vector<RankedNeighbor>
  ComputeNearest() const;

  const NeighborSearch & m_Search;
  NeighborErrorBound     m_Bound;
  std::int64_t           m_Query;
  double                 m_SquaredScale;
  float                  m_Limit = std::numeric_limits<float>::infinity();
  int                    m_Size = 0;
  float                  m_Distances[capacity] = {};
  std::int32_t           m_Indices[capacity] = {};
};

} // namespace cudaneuro::cpu

#endif
