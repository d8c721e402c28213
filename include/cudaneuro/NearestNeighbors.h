// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NearestNeighbors_h
#define cudaneuro_NearestNeighbors_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** Vectors that are only read: their components, which are float32, side by side, vector after vector, as in an
 * array of shape (count, dimension). */
struct ConstVectors
{
  const float * data = nullptr;
  std::int64_t  count = 0;
  MemorySpace   space = MemorySpace::Host;
};

/** The neighbors that are found: arrays of shape (queries, numberOfNeighbors). */
struct Neighbors
{
  /** Which point; -1 where there are fewer points than neighbors are asked for. */
  std::int32_t * indices = nullptr;
  /** Squared Euclidean distances, infinite beside an index of -1; null where they are not wanted. */
  float *     squaredDistances = nullptr;
  MemorySpace space = MemorySpace::Host;
};

/** The most components of a vector, and neighbors of a query. */
constexpr int maximumVectorDimension = 512;
constexpr int maximumNumberOfNeighbors = 128;
/** Parameters of FindNearestNeighbors; Describe says what each is. */
struct NearestNeighborsParameters
{
  int dimension = 0;
  int numberOfNeighbors = 1;
  /** For a set that is searched for neighbors of its own. Other points at distance 0 stay. */
  bool excludeSelf = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const NearestNeighborsParameters &)
{
  using P = NearestNeighborsParameters;
  return std::make_tuple(
    Parameter(&P::dimension, "Dimension", "", "Components of a vector", Between(1, maximumVectorDimension)),
    Parameter(
      &P::numberOfNeighbors, "NumberOfNeighbors", "", "Neighbors of a query", Between(1, maximumNumberOfNeighbors)),
    Parameter(&P::excludeSelf, "ExcludeSelf", "", "Leave the point that has the query's own index out"));
}

/** The most points, and the most queries, of one call. */
constexpr std::int64_t maximumNumberOfVectors = std::int64_t{ 1 } << 30;

/** Finds the nearest points of each query, exactly, nearest first.
 *
 * Points are ordered by their squared distance in double precision, and by their index where it is equal; so the result
 * is that of comparing all pairs, on every device the same. The distance is a sum whose order is that of
 * SquaredDistance in src/neighbors/NeighborFormulas.h.
 *
 * \param queries may be \p points.
 * \throws InvalidParameterError naming the value, for parameters out of range, no points or no queries, arrays that
 * are absent or out of the context's reach, and components that are not finite or above 1e15 in magnitude;
 * OutOfMemoryError; Aborted */
CudaNeuro_EXPORT void
FindNearestNeighbors(Context &                          context,
                     const NearestNeighborsParameters & parameters,
                     const ConstVectors &               queries,
                     const ConstVectors &               points,
                     const Neighbors &                  output);

} // namespace cudaneuro

#endif
