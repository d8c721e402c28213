// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParameterChecks_h
#define cudaneuro_core_ParameterChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/RegistrationLevel.h"

#include <array>
#include <limits>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/** Checks of parameters. Each function throws InvalidParameterError with the parameter's name, its value and the limit,
 * or does nothing. */
namespace cudaneuro
{

/** Throws an error. \throws InvalidParameterError "name is value; it must be limit" */
template <typename TValue>
[[noreturn]] void
ThrowInvalid(const std::string & name, const TValue & value, const std::string & limit)
{
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::digits10);
  message << name << " is " << value << "; it must be " << limit;
  throw InvalidParameterError(message.str());
}

/** Requires values inside the range; NaN is outside. */
void
RequireInRange(const std::string & name, const std::array<double, 3> & values, const ParameterRange & range);

/** Requires half-widths in voxels inside the range along axes longer than 1; those along other axes are ignored. */
void
RequireRadius(const std::string &        name,
              const std::array<int, 3> & radius,
              const ParameterRange &     range,
              const Grid &               grid);

/** Tests whether a parameter is a list of values. */
template <typename T, typename = void>
struct IsList : std::false_type
{};
template <typename T>
struct IsList<T, std::void_t<decltype(std::declval<T>().size())>> : std::true_type
{};

/** Requires numbers inside the range. Enumerations, switches and texts may have any value; a nested struct is
 * checked by its owner. */
template <typename TValue>
void
RequireValue(const std::string & name, const TValue & value, const ParameterRange & range, const Grid & grid)
{
  if constexpr (std::is_arithmetic_v<TValue>)
  {
    RequireInRange(name, static_cast<double>(value), range);
  }
  else if constexpr (std::is_same_v<TValue, std::array<int, 3>>)
  {
    RequireRadius(name, value, range, grid);
  }
  else if constexpr (IsList<TValue>::value && !std::is_same_v<TValue, std::string>)
  {
    for (std::size_t i = 0; i < value.size(); ++i)
    {
      RequireValue(name + '[' + std::to_string(i) + ']', value[i], range, grid);
    }
  }
}

/** Requires that each parameter that has an effect satisfies its description.
 * \param grid gives the axes along which half-widths are checked */
template <typename TParameters>
void
RequireParameters(const TParameters & parameters, const Grid & grid = {})
{
  ForEachParameter(parameters, [&](const auto & parameter, const auto & value) {
    if (parameter.condition.Holds(parameters))
    {
      RequireValue(parameter.name, value, parameter.range, grid);
    }
  });
}

void
RequireAtLeast(const char * name, int value, int limit);

/** Requires at least one level, and that each level satisfies its description. */
void
RequireLevels(const std::vector<RegistrationLevel> & levels);

/** Requires 1 to 2^31 - 1 voxels along each axis, at most 1e17 in total, and spacing in spacingRange. */
void
RequireGrid(const Grid & grid);

/** Requires a volume that this context can access. */
void
RequireVolume(const char * name, const Context & context, const ConstVolume & volume);
void
RequireVolume(const char * name, const Context & context, const Volume & volume);

/** Requires a mask that is absent, or of type UnsignedChar and accessible to this context. */
void
RequireMask(const Context & context, const ConstVolume & mask);

/** Requires valid images and parameters of an image filter. */
void
RequireImages(const Context &     context,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              const Volume &      output);

} // namespace cudaneuro

#endif
