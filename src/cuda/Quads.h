// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_Quads_h
#define cudaneuro_cuda_Quads_h

#include <cstdint>

namespace cudaneuro
{

/** Whether rows of \p pitch floats from \p data on can be read and written as float4: every row starts on 16 bytes. */
inline bool
IsQuadAligned(const float * data, std::int64_t pitch)
{
  return pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % (4 * sizeof(float)) == 0;
}

} // namespace cudaneuro

#endif
