// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/HostSum.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{

template <typename T>
void
HostSum::Sum(int device, T * values, std::size_t count)
{
  m_Addends[device] = values;
  m_Meeting.Wait();
  this->AddShare<T>(device, count);
  m_Meeting.Wait();
  auto * const sums = static_cast<T *>(m_Addends[0]);
  if (m_Communicator)
  {
    if (device == 0)
    {
      m_Communicator->Sum(sums, count);
    }
    m_Meeting.Wait();
  }
  if (device != 0)
  {
    std::copy_n(sums, count, values);
  }
  m_Meeting.Wait(); // The first device may now change, or free, what the others have copied.
}

template <typename T>
void
HostSum::AddShare(int device, std::size_t count) noexcept
{
  const std::size_t share = DivideUp(count, m_Addends.size());
  const std::size_t begin = std::min(count, device * share);
  const std::size_t end = std::min(count, begin + share);
  auto * const      sums = static_cast<T *>(m_Addends[0]);
  for (std::size_t other = 1; other < m_Addends.size(); ++other)
  {
    const auto * const addends = static_cast<const T *>(m_Addends[other]);
    for (std::size_t i = begin; i < end; ++i)
    {
      sums[i] += addends[i];
    }
  }
}

template void
HostSum::Sum(int, std::int32_t *, std::size_t);
template void
HostSum::Sum(int, std::int64_t *, std::size_t);

} // namespace cudaneuro
