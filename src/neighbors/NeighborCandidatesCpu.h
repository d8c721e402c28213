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

/** Error bound of squared distances computed in single precision, relative to the exact ones.
 *
 * With u = 2^-24, a difference, its square and each sum of up to d terms have a relative error of at most u. The
 * computed D is therefore within (1 + u)^(d + 2) of it, which is less than 1 + e with e = (d + 8) u; this leaves room
 * for errors of double precision, which are 2^-29 of these. A square that underflows adds less than 2^-126. */
class NeighborErrorBound
{
public:
  explicit NeighborErrorBound(int dimension)
    : m_Relative(1.0 + 3.0 * ((dimension + 8) * 0x1p-24))
    , m_Absolute(4.0 * dimension * 0x1p-126)
  {}

  /** Upper bound of the computed distances of all points that are not farther than a point whose computed or exact
   * distance is \p distance: (1 + e) / (1 - e) < 1 + 3 e. */
  float
  LargestOfNearer(double distance) const
  {
    return static_cast<float>(distance * m_Relative + m_Absolute);
  }

private:
  double m_Relative;
  double m_Absolute;
};

/** Candidates for the nearest points of one query, by the distances in single precision to the points so far. */
class NeighborCandidates
{
public:
  /** \param scale factor of the components in single precision */
  NeighborCandidates(const NeighborSearch & search, std::int64_t query, double scale);

  /** The distance beyond which points are no candidates. */
  float
  GetLimit() const
  {
    return m_Limit;
  }

  /** Adds those of \p count points, numbered from \p first on, that are within the limit, which NaN is not.
   * \param count at most mostAtOnce */
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

  /** Ranks the candidates by exact distance, and writes the nearest ones. */
  void
  Finish();

  static constexpr int mostAtOnce = 32;

private:
  /** More than twice the maximum number of neighbors, and so large that Tighten is rare. */
  static constexpr int capacity = 512;
  static_assert(capacity / 2 >= maximumNumberOfNeighbors + mostAtOnce);

  /** Makes room: lowers the limit to what the candidates so far allow. */
  void
  Tighten();
  void
  LowerLimit();
  /** Keeps only the nearest points. Any number of points may be at the same distance; they are then ordered by
   * index. */
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
