// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceNeighbors_h
#define ReferenceNeighbors_h

#include <cstdint>
#include <vector>

/** Nearest neighbors by comparing all pairs, in double precision, and vectors to find them of. */
namespace referenceneighbors
{

/** An array of shape (count, dimension). */
struct VectorSet
{
  int                dimension = 0;
  std::vector<float> values;

  std::int64_t
  Count() const
  {
    return static_cast<std::int64_t>(values.size()) / dimension;
  }
  const float *
  At(std::int64_t vector) const
  {
    return values.data() + vector * dimension;
  }
};

/** The squared distance in the order of sums that the library promises: 32 sums, of the components whose index is
 * the same modulo 32, and then the sums of neighbors, until one is left. */
double
SquaredDistanceInOrder(const float * a, const float * b, int dimension);

/** The same, one component after the other. */
double
SquaredDistanceInSequence(const float * a, const float * b, int dimension);

/** All points but \p excluded, nearest first; the lower index comes first where the distance in the promised order
 * of sums is the same. */
std::vector<std::int32_t>
SortByDistance(const float * query, const VectorSet & points, std::int64_t excluded);

} // namespace referenceneighbors

#endif
