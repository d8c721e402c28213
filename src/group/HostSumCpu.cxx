// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "group/HostSum.h"

#include "core/IntegerMath.h"

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{

namespace
{

/** One thread sums fewer elements than this in less time than a barrier takes, some microseconds. */
constexpr std::size_t few = 4096;

} // namespace

template <typename T>
void
HostSum::Sum(int device, T * values, std::size_t count)
{
  m_Addends[device] = values;
  if (count <= few)
  {
    m_Barrier.Wait([&] { this->SumRange<T>(0, count); });
  }
  else
  {
    const std::size_t share = DivideUp(count, m_Addends.size());
    const std::size_t begin = std::min(count, device * share);
    m_Barrier.Wait();
    this->SumRange<T>(begin, std::min(count, begin + share));
    m_Barrier.Wait();
  }
  if (m_Communicator)
  {
    if (device == 0)
    {
      m_Communicator->Sum(values, count);
    }
    m_Barrier.Wait([&] {
      for (std::size_t other = 1; other < m_Addends.size(); ++other)
      {
        std::copy_n(static_cast<const T *>(m_Addends[0]), count, static_cast<T *>(m_Addends[other]));
      }
    });
  }
}

template <typename T>
void
HostSum::SumRange(std::size_t begin, std::size_t end) noexcept
{
  auto * const sums = static_cast<T *>(m_Addends[0]);
  for (std::size_t other = 1; other < m_Addends.size(); ++other)
  {
    const auto * const addends = static_cast<const T *>(m_Addends[other]);
    for (std::size_t i = begin; i < end; ++i)
    {
      sums[i] += addends[i];
    }
  }
  for (std::size_t other = 1; other < m_Addends.size(); ++other)
  {
    std::copy(sums + begin, sums + end, static_cast<T *>(m_Addends[other]) + begin);
  }
}

template void
HostSum::Sum(int, std::int32_t *, std::size_t);
template void
HostSum::Sum(int, std::int64_t *, std::size_t);

} // namespace cudaneuro
