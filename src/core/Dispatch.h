// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_Dispatch_h
#define cudaneuro_core_Dispatch_h

#include "cudaneuro/Context.h"

#include <type_traits>

namespace cudaneuro
{

/** Whether the CUDA sources are part of this build. Code under `if constexpr (builtWithCuda)` may name functions that
 * only these define. */
constexpr bool builtWithCuda = CUDANEURO_USE_CUDA;

} // namespace cudaneuro

/** Declares a function for the CPU and for GPUs: CUDANEURO_ON_BOTH(void F(Context &)); declares cpu::F and gpu::F. */
#define CUDANEURO_ON_BOTH(...) \
  namespace cpu \
  { \
  __VA_ARGS__; \
  } \
  namespace gpu \
  { \
  __VA_ARGS__; \
  } \
  static_assert(true)

/** Declares a function and its implementations cpu:: and gpu::, to which its definition dispatches. */
#define CUDANEURO_DISPATCHED(...) \
  __VA_ARGS__; \
  CUDANEURO_ON_BOTH(__VA_ARGS__)

/** Returns gpu::call(...) if the context's device is a GPU, and otherwise cpu::call(...). It must be the last statement
 * of a function. */
#define CUDANEURO_DISPATCH(context, ...) \
  if constexpr (cudaneuro::builtWithCuda) \
  { \
    if ((context).GetDevice().IsCuda()) \
    { \
      return gpu::__VA_ARGS__; \
    } \
  } \
  return cpu::__VA_ARGS__

namespace cudaneuro
{

/** Calls body(std::integral_constant<int, V>()) for the V of the list that equals \p value, which turns a value of run
 * time into one of compile time.
 * \returns whether the list contains it */
template <int... VValues, typename TBody>
bool
WithConstant(int value, const TBody & body)
{
  const auto tryOne = [&](auto constant) {
    if (value != constant())
    {
      return false;
    }
    body(constant);
    return true;
  };
  return (tryOne(std::integral_constant<int, VValues>()) || ...);
}

/** Does the same as WithConstant for the first V of the increasing list that is not below \p value. */
template <int... VValues, typename TBody>
bool
WithConstantFrom(int value, const TBody & body)
{
  const auto tryOne = [&](auto constant) {
    if (value > constant())
    {
      return false;
    }
    body(constant);
    return true;
  };
  return (tryOne(std::integral_constant<int, VValues>()) || ...);
}

} // namespace cudaneuro

#endif
