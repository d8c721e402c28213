// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_detail_AggregateSize_h
#define cudaneuro_detail_AggregateSize_h

#include <cstddef>
#include <type_traits>
#include <utility>

namespace cudaneuro
{

/** Stands for a value that converts to a member of any type. */
struct AnyMember
{
  /** Converts to the member's type; it is not called. */
  template <typename T>
  operator T() const;
};

/** Whether a struct without constructors can be initialized with as many values as there are indices. */
template <typename T, typename TIndices, typename = void>
struct HasMembers : std::false_type
{};
template <typename T, std::size_t... VIndices>
struct HasMembers<T,
                  std::index_sequence<VIndices...>,
                  std::void_t<decltype(T{ (static_cast<void>(VIndices), AnyMember())... })>> : std::true_type
{};

/** The number of members of a struct without constructors: the largest number of values that it can be initialized
 * with. */
template <typename T, std::size_t VCount = 1>
constexpr std::size_t
AggregateSize()
{
  if constexpr (HasMembers<T, std::make_index_sequence<VCount>>::value)
  {
    return AggregateSize<T, VCount + 1>();
  }
  else
  {
    return VCount - 1;
  }
}

} // namespace cudaneuro

#endif
