// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_FloatLanes_h
#define cudaneuro_system_FloatLanes_h

#include "system/Compiler.h"

#include <cstring>

namespace cudaneuro::cpu
{

/** As many numbers as a power of two: products and sums are those of all. Where the compiler has vectors, the numbers are one.
 * A type of its own, and not a name for a vector: templates drop the alignment of such a name. */
template <int VCount>
struct FloatLanes
{
#if defined(__GNUC__)
  using ValuesType __attribute__((vector_size(VCount * sizeof(float)), aligned(sizeof(float)), may_alias)) = float;
#else
  using ValuesType = float[VCount];
#endif

  ValuesType values;
};

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        ReadLanes(const float * values)
{
  FloatLanes<VCount> lanes;
  std::memcpy(&lanes, values, sizeof(lanes));
  return lanes;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE void
WriteLanes(const FloatLanes<VCount> & lanes, float * values)
{
  std::memcpy(values, &lanes, sizeof(lanes));
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        SpreadLanes(float value)
{
  FloatLanes<VCount> lanes;
  for (int i = 0; i < VCount; ++i)
  {
    lanes.values[i] = value;
  }
  return lanes;
}

#if defined(__GNUC__)
#  define CUDANEURO_CHANGE_LANES(a, operation, b) a.values = a.values operation b.values
#else
#  define CUDANEURO_CHANGE_LANES(a, operation, b) \
    for (int i = 0; i < VCount; ++i) \
    a.values[i] = a.values[i] operation b.values[i]
#endif

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator+(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  CUDANEURO_CHANGE_LANES(a, +, b);
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator-(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  CUDANEURO_CHANGE_LANES(a, -, b);
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator*(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  CUDANEURO_CHANGE_LANES(a, *, b);
  return a;
}

#undef CUDANEURO_CHANGE_LANES

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator+(const FloatLanes<VCount> & a, float b)
{
  return a + SpreadLanes<VCount>(b);
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator-(const FloatLanes<VCount> & a, float b)
{
  return a - SpreadLanes<VCount>(b);
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator*(float factor, const FloatLanes<VCount> & a)
{
  return SpreadLanes<VCount>(factor) * a;
}

} // namespace cudaneuro::cpu

#endif
