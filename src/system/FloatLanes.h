// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_system_FloatLanes_h
#define cudaneuro_system_FloatLanes_h

#include "system/Compiler.h"

namespace cudaneuro::cpu
{

#if defined(__GNUC__)

template <int VCount>
struct FloatLanesOf
{
  /** The type in memory, which need not be aligned to its size. */
  using InMemory __attribute__((vector_size(VCount * sizeof(float)), aligned(sizeof(float)), may_alias)) = float;
#  if defined(__clang__)
  /** An aligned type, because Clang's templates assume alignment to the size even for InMemory. */
  using Type __attribute__((vector_size(VCount * sizeof(float)))) = float;
#  else
  using Type = InMemory;
#  endif
};

/** A power of two of numbers in one vector register: products and sums are elementwise. */
template <int VCount>
using FloatLanes = typename FloatLanesOf<VCount>::Type;

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        ReadLanes(const float * values)
{
  return *reinterpret_cast<const typename FloatLanesOf<VCount>::InMemory *>(values);
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE void
WriteLanes(const FloatLanes<VCount> & lanes, float * values)
{
  *reinterpret_cast<typename FloatLanesOf<VCount>::InMemory *>(values) = lanes;
}

#else

template <int VCount>
struct FloatLanes
{
  float values[VCount];
};

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        ReadLanes(const float * values)
{
  FloatLanes<VCount> lanes;
  for (int i = 0; i < VCount; ++i)
  {
    lanes.values[i] = values[i];
  }
  return lanes;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE void
WriteLanes(const FloatLanes<VCount> & lanes, float * values)
{
  for (int i = 0; i < VCount; ++i)
  {
    values[i] = lanes.values[i];
  }
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator+(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  for (int i = 0; i < VCount; ++i)
  {
    a.values[i] += b.values[i];
  }
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator+(FloatLanes<VCount> a, float b)
{
  for (float & value : a.values)
  {
    value += b;
  }
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator-(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  for (int i = 0; i < VCount; ++i)
  {
    a.values[i] -= b.values[i];
  }
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator-(FloatLanes<VCount> a, float b)
{
  return a + -b;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator*(FloatLanes<VCount> a, const FloatLanes<VCount> & b)
{
  for (int i = 0; i < VCount; ++i)
  {
    a.values[i] *= b.values[i];
  }
  return a;
}

template <int VCount>
CUDANEURO_ALWAYS_INLINE FloatLanes<VCount>
                        operator*(float factor, FloatLanes<VCount> a)
{
  for (float & value : a.values)
  {
    value *= factor;
  }
  return a;
}

#endif

} // namespace cudaneuro::cpu

#endif
