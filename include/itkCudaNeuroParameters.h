// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroParameters_h
#define itkCudaNeuroParameters_h

#include "cudaneuro/Parameters.h"
#include "itkCudaNeuroDetail.h"
#include "itkIndent.h"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** \file
 * Conversion between the engine's structs of parameters and ITK's types, for the macros of parameters and PrintSelf. */
namespace itk::CudaNeuroDetail
{

template <typename T, typename = void>
inline constexpr bool isArray = false;
template <typename T>
inline constexpr bool isArray<T, std::void_t<decltype(std::declval<T>()[0])>> = true;

/** Whether PrintParameter accepts a type: all but lists of levels, and structs inside the struct. */
template <typename T, typename = void>
inline constexpr bool isPrintable = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <typename T>
inline constexpr bool isPrintable<T, std::void_t<typename T::value_type>> = isPrintable<typename T::value_type>;

/** Converts a value of ITK to the engine's form: int for unsigned numbers, an array of three for an array of one value
 * an axis, whose third element is not changed in 2D.
 * \throws ExceptionObject for a number that is larger than any int */
template <typename TItk, typename TEngine>
void
ToEngine(const TItk & value, TEngine & parameter, const char * name)
{
  if constexpr (std::is_same_v<TItk, TEngine>)
  {
    parameter = value;
  }
  else if constexpr (std::is_unsigned_v<TItk>)
  {
    parameter = ToInt(value, name);
  }
  else if constexpr (std::is_same_v<TItk, std::vector<unsigned int>>)
  {
    parameter.resize(value.size());
    for (std::size_t i = 0; i < value.size(); ++i)
    {
      ToEngine(value[i], parameter[i], name);
    }
  }
  else
  {
    for (unsigned int axis = 0; axis < TItk::Dimension; ++axis)
    {
      ToEngine(value[axis], parameter[axis], name);
    }
  }
}

/** Converts a value of the engine to ITK's form. */
template <typename TItk, typename TEngine>
TItk
FromEngine(const TEngine & parameter)
{
  if constexpr (std::is_same_v<TItk, TEngine>)
  {
    return parameter;
  }
  else if constexpr (std::is_arithmetic_v<TItk>)
  {
    return static_cast<TItk>(parameter);
  }
  else if constexpr (std::is_same_v<TItk, std::vector<unsigned int>>)
  {
    return { parameter.begin(), parameter.end() };
  }
  else
  {
    TItk value;
    for (unsigned int i = 0; i < TItk::Dimension; ++i)
    {
      value[i] = static_cast<std::decay_t<decltype(value[i])>>(parameter[i]);
    }
    return value;
  }
}

/** Returns one number of each element of a list, from a data member or a member function of the element. */
template <typename TElement, typename TMember>
std::vector<double>
ValuesOf(const std::vector<TElement> & elements, TMember member)
{
  std::vector<double> values;
  values.reserve(elements.size());
  for (const TElement & element : elements)
  {
    values.push_back(std::invoke(member, element));
  }
  return values;
}

/** Sets a parameter, and returns whether that changes it. */
template <typename TItk, typename TEngine>
bool
ChangesParameter(const TItk & value, TEngine & parameter, const char * name)
{
  const TEngine before = parameter;
  ToEngine(value, parameter, name);
  return !(parameter == before);
}

/** Prints a value; of arrays with one value an axis, only as many values as the image has axes. */
template <typename TEngine>
void
PrintParameter(std::ostream & os, const TEngine & value, unsigned int dimension)
{
  if constexpr (std::is_same_v<TEngine, bool>)
  {
    os << (value ? "On" : "Off");
  }
  else if constexpr (isArray<TEngine>)
  {
    constexpr bool    isOfAxes = !std::is_same_v<TEngine, std::vector<typename TEngine::value_type>>;
    const std::size_t count = isOfAxes ? std::min<std::size_t>(dimension, value.size()) : value.size();
    os << '[';
    for (std::size_t i = 0; i < count; ++i)
    {
      os << (i == 0 ? "" : ", ");
      PrintParameter(os, value[i], dimension);
    }
    os << ']';
  }
  else
  {
    os << value;
  }
}

/** Prints the parameters of a struct, for PrintSelf: numbers, switches, enumerations, and lists of them.
 * \param without names of parameters that a class has in another form */
template <typename TParameters>
void
PrintParameters(std::ostream &                     os,
                Indent                             indent,
                const TParameters &                parameters,
                unsigned int                       dimension,
                std::initializer_list<std::string> without = {})
{
  cudaneuro::ForEachParameter(parameters, [&](const auto & parameter, const auto & value) {
    const bool isLeftOut = std::find(without.begin(), without.end(), parameter.name) != without.end();
    if constexpr (isPrintable<std::decay_t<decltype(value)>>)
    {
      if (!isLeftOut)
      {
        os << indent << parameter.name << ": ";
        PrintParameter(os, value, dimension);
        os << std::endl;
      }
    }
  });
}

} // namespace itk::CudaNeuroDetail

#endif
