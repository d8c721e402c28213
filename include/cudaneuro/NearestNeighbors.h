// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_NearestNeighbors_h
#define cudaneuro_NearestNeighbors_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Parameters.h"

#include <cstdint>

namespace cudaneuro
{

/** Vectors that are only read: float32 components, adjacent in memory, vector after vector, as in an array of shape
 * (count, dimension). */
struct ConstVectors
{
  const float * data = nullptr;
  std::int64_t  count = 0;
  MemorySpace   space = MemorySpace::Host;
};

/** Receives the neighbors: arrays of shape (queries, numberOfNeighbors). */
struct Neighbors
{
  /** Indices of the points; -1 where there are fewer points than requested neighbors. */
  std::int32_t * indices = nullptr;
  /** Squared Euclidean distances, infinite beside an index of -1; null to omit them. */
  float *     squaredDistances = nullptr;
  MemorySpace space = MemorySpace::Host;
};

/** The maximum number of components of a vector, and of neighbors of a query. */
constexpr int maximumVectorDimension = 512;
constexpr int maximumNumberOfNeighbors = 128;
/** Parameters of FindNearestNeighbors; Describe lists their units, meanings and ranges. */
struct NearestNeighborsParameters
{
  int dimension = 0;
  int numberOfNeighbors = 1;
  /** Excludes the query itself where a set is searched for its own neighbors; other points at distance 0 stay. */
  bool excludeSelf = false;
};

/** Name, unit, meaning and range of each parameter. */
constexpr auto
Describe(const NearestNeighborsParameters &)
{
  using P = NearestNeighborsParameters;
  return std::make_tuple(
    Parameter(&P::dimension, "Dimension", "", "Number of components of a vector", Between(1, maximumVectorDimension)),
    Parameter(&P::numberOfNeighbors,
              "NumberOfNeighbors",
              "",
              "Number of neighbors of each query",
              Between(1, maximumNumberOfNeighbors)),
    Parameter(&P::excludeSelf, "ExcludeSelf", "", "Exclude the point that has the query's own index"));
}

/** The maximum number of points, and of queries, in one call. */
constexpr std::int64_t maximumNumberOfVectors = std::int64_t{ 1 } << 30;

/** Finds the nearest points of each query, exactly, nearest first.
 *
 * Points are ordered by their squared distance in double precision, and by their index where it is equal; the result is
 * that of comparing all pairs, and the same on every device. The distance is a sum in the order of SquaredDistance in
 * src/neighbors/NeighborFormulas.h.
 *
 * \param queries may be \p points.
 * \throws InvalidParameterError naming the value, for parameters out of range, no points or no queries, arrays that are
 * absent or out of the context's reach, and components that are not finite or above 1e15 in magnitude;
 * OutOfMemoryError; Aborted */
CudaNeuro_EXPORT void
FindNearestNeighbors(Context &                          context,
                     const NearestNeighborsParameters & parameters,
                     const ConstVectors &               queries,
                     const ConstVectors &               points,
                     const Neighbors &                  output);

} // namespace cudaneuro

#endif
