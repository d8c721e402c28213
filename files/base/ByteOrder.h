// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_ByteOrder_h
#define files_base_ByteOrder_h

#include <algorithm>
#include <cstring>

/** The number at a place that need not be aligned. Where it is swapped, it has the other order of bytes than this machine, which is
 * little-endian as all that CUDA has. */
template <typename TNumber, bool VIsSwapped = false>
TNumber
NumberAt(const char * data)
{
  TNumber number;
  std::memcpy(&number, data, sizeof(TNumber));
  if constexpr (VIsSwapped)
  {
    char * const bytes = reinterpret_cast<char *>(&number);
    std::reverse(bytes, bytes + sizeof(TNumber));
  }
  return number;
}

template <typename TNumber>
TNumber
NumberAt(const char * data, bool isSwapped)
{
  return isSwapped ? NumberAt<TNumber, true>(data) : NumberAt<TNumber>(data);
}

#endif
