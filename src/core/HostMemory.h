// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_HostMemory_h
#define cudaneuro_core_HostMemory_h

#include "core/IntegerMath.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace cudaneuro
{

/** Returns the physical memory of this machine in bytes; 0 if the system does not report it. */
std::size_t
TotalHostBytes();

/** Returns the physical memory, in bytes, that this process can still get, including what the system's caches release,
 * and within the limits of a container; 0 if the system does not report it. */
std::size_t
FreeHostBytes();

/** Allocates uninitialized host memory, aligned to 64 bytes.
 * \throws OutOfMemoryError */
std::shared_ptr<void>
AllocateHost(std::size_t bytes);

/** Floats that start on a cache line. A margin on both sides may be read and written, so that loops over whole SIMD
 * vectors or shifted rows may overrun the ends. */
class AlignedBuffer
{
public:
  /** The margin is rounded up to whole cache lines.
   * \throws OutOfMemoryError */
  explicit AlignedBuffer(std::int64_t count, std::int64_t margin = 64)
    : m_Margin(RoundUp(margin, 16))
    , m_Count(count + 2 * m_Margin)
    , m_Memory(AllocateHost(static_cast<std::size_t>(m_Count) * sizeof(float)))
  {
    // Loops that overrun read the margins, which must be finite.
    std::fill_n(this->Begin(), m_Margin, 0.0f);
    std::fill_n(this->Begin() + m_Margin + count, m_Margin, 0.0f);
  }

  float *
  Data()
  {
    return this->Begin() + m_Margin;
  }
  const float *
  Data() const
  {
    return this->Begin() + m_Margin;
  }

  /** Fills the buffer, margins included. */
  void
  Fill(float value)
  {
    std::fill_n(this->Begin(), m_Count, value);
  }

private:
  float *
  Begin() const
  {
    return static_cast<float *>(m_Memory.get());
  }

  std::int64_t          m_Margin;
  std::int64_t          m_Count;
  std::shared_ptr<void> m_Memory;
};

} // namespace cudaneuro

#endif
