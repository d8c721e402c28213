// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_QuadAlignment_h
#define cudaneuro_cuda_QuadAlignment_h

#include <cstdint>

namespace cudaneuro::gpu
{

/** Returns whether rows of \p pitch floats are whole, aligned quads, that is groups of 4 floats that a thread reads and
 * writes with one instruction. A null pointer counts as aligned. */
inline bool
IsQuadAligned(const float * data, std::int64_t pitch)
{
  return pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % (4 * sizeof(float)) == 0;
}

} // namespace cudaneuro::gpu

#endif
