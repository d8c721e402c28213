// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_VectorChoice_h
#define cudaneuro_neighbors_VectorChoice_h

#include "core/HostDevice.h"

#include <cstdint>

namespace cudaneuro
{

/** Some of the vectors of a search. */
struct VectorChoice
{
  std::int64_t count = 0;
  /** The indices of vectors, in the memory of the device; null if consecutive vectors are chosen. */
  const std::int32_t * indices = nullptr;
  /** The beginning of the choice: in the indices, or in all vectors. */
  std::int64_t first = 0;

  /** The index of one of them. */
  CUDANEURO_HOST_DEVICE std::int64_t
                        operator[](std::int64_t i) const
  {
    return indices ? std::int64_t{ indices[first + i] } : first + i;
  }

  /** The vectors [begin, end) of the choice. */
  VectorChoice
  Part(std::int64_t begin, std::int64_t end) const
  {
    return { end - begin, indices, first + begin };
  }
};

} // namespace cudaneuro

#endif
