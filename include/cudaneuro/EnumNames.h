// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_EnumNames_h
#define cudaneuro_EnumNames_h

#include "cudaneuro/Error.h"

#include <cstddef>
#include <ostream>
#include <string>
#include <type_traits>
#include <vector>

/** \file
 * Names of enumerations. Beside an enumeration stands one function, which is found by the type of its argument:
 *
 *     constexpr auto
 *     NamesOf(Interpolation)
 *     {
 *       using E = Interpolation;
 *       return MakeEnumNames<E>("interpolation", { { E::Linear, "Linear" }, { E::Nearest, "Nearest" } });
 *     }
 *
 * With it, the enumeration can be written to streams, set by name, and offered as a choice by the programs. */
namespace cudaneuro
{

/** The values of an enumeration with their names. */
template <typename TEnum, std::size_t VCount>
struct EnumNames
{
  /** A value and its name. */
  struct Entry
  {
    TEnum        value{};
    const char * name = nullptr;
  };

  /** The kind of thing that the values are, in words, for messages: "conductance". */
  const char * kind = nullptr;
  Entry        entries[VCount];
};

/** Makes the names of an enumeration from a list of values and names. */
template <typename TEnum, std::size_t VCount>
constexpr EnumNames<TEnum, VCount>
MakeEnumNames(const char * kind, const typename EnumNames<TEnum, VCount>::Entry (&entries)[VCount])
{
  EnumNames<TEnum, VCount> names;
  names.kind = kind;
  for (std::size_t i = 0; i < VCount; ++i)
  {
    names.entries[i] = entries[i];
  }
  return names;
}

/** Whether a type is an enumeration with names. */
template <typename T, typename = void>
struct HasNames : std::false_type
{};
template <typename T>
struct HasNames<T, std::void_t<decltype(NamesOf(T()))>> : std::true_type
{};

/** Writes the name of the value, as it is spelled in the enumeration. */
template <typename TEnum, std::enable_if_t<HasNames<TEnum>::value, int> = 0>
std::ostream &
operator<<(std::ostream & os, TEnum value)
{
  const auto names = NamesOf(value);
  for (const auto & [entry, name] : names.entries)
  {
    if (entry == value)
    {
      return os << name;
    }
  }
  return os << "(unknown " << names.kind << ' ' << static_cast<int>(value) << ')';
}

/** Sets the value with the given name.
 * \throws InvalidParameterError, which lists the names */
template <typename TEnum, std::enable_if_t<HasNames<TEnum>::value, int> = 0>
void
FromName(const std::string & text, TEnum & value)
{
  const auto  names = NamesOf(value);
  std::string list;
  for (const auto & [entry, name] : names.entries)
  {
    if (text == name)
    {
      value = entry;
      return;
    }
    list += list.empty() ? name : std::string(", ") + name;
  }
  throw InvalidParameterError("Unknown " + std::string(names.kind) + " \"" + text + "\": use one of " + list);
}

/** Returns all values of an enumeration, in the order of its names. */
template <typename TEnum>
std::vector<TEnum>
ValuesOf()
{
  std::vector<TEnum> values;
  for (const auto & entry : NamesOf(TEnum()).entries)
  {
    values.push_back(entry.value);
  }
  return values;
}

} // namespace cudaneuro

#endif
