// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_CandidateLists_cuh
#define cudaneuro_neighbors_CandidateLists_cuh

#include <cstdint>

namespace cudaneuro::gpu
{

/** The position of a point that may be among the nearest, with its product. */
struct Candidate
{
  std::int32_t position;
  float        product;
};

/** Maximum number of candidates in a list. */
constexpr int candidateCapacity = 1024;

/** The candidates of the queries of a batch; arrays in device memory. */
struct CandidateLists
{
  /** The minimum product of a candidate of each query. */
  float * leastProducts;
  /** Number of candidates found for each query; those beyond the capacity are not stored. */
  int *       counts;
  Candidate * candidates;
};

} // namespace cudaneuro::gpu

#endif
