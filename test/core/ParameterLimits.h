// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ParameterLimits_h
#define ParameterLimits_h

#include "DeviceTest.h"
#include "cudaneuro/Error.h"
#include "cudaneuro/Parameters.h"
#include "cudaneuro/RegistrationLevel.h"

#include <cfloat>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

/** Every number of every filter, at values that nobody means: either the parameter is refused by name, or the result is
 * what the double-precision reference says; where there is none, it is finite. */
namespace parameterlimits
{

/** The ends of all ranges are among them, and values just beyond. */
inline constexpr double values[] = { NAN,   INFINITY, -INFINITY, 0.0,    -1.0, DBL_MIN, 1e-300, 1e-40, 0.9e-30,
                                     1e-30, 1e-12,    1e-9,      1e-6,   1e-3, 1.0,     1e3,    1e6,   1e9,
                                     1e12,  1e15,     1e30,      1.1e30, 1e38, 1e39,    1e300 };

/** What is checked against an expectation, which may be absent. */
struct Outcome
{
  std::vector<double> result;
  std::vector<double> expected;
  double              tolerance = 0.0;
};

/** Runs a filter with a parameter set to a value. */
struct NumberRun
{
  std::string                                          name;
  std::function<Outcome(cudaneuro::Context &, double)> run;
  bool                                                 isWhole = false;
  /** The whole numbers just beyond the ends of the range. */
  std::vector<double> beyond = {};
};

/** Whether a parameter is a list of values. */
template <typename T, typename = void>
inline constexpr bool isList = false;
template <typename T>
inline constexpr bool isList<T, std::void_t<typename T::value_type>> = true;

/** Sets the last number of a parameter, and appends its index to the name; tells whether the parameter has one. */
template <typename TValue>
bool
SetLastNumber(TValue & value, double number, std::string & name)
{
  if constexpr (std::is_arithmetic_v<TValue> && !std::is_same_v<TValue, bool>)
  {
    value = static_cast<TValue>(number);
    return true;
  }
  else if constexpr (isList<TValue>)
  {
    if constexpr (!std::is_same_v<typename TValue::value_type, cudaneuro::RegistrationLevel> &&
                  !std::is_same_v<TValue, std::string>)
    {
      if (value.size() > 0)
      {
        name += '[' + std::to_string(value.size() - 1) + ']';
        return SetLastNumber(value[value.size() - 1], number, name);
      }
    }
  }
  return false;
}

/** The numbers that a parameter consists of: its own type, or that of its elements. */
template <typename TValue, typename = void>
struct NumberOf
{
  using Type = TValue;
};
template <typename TValue>
struct NumberOf<TValue, std::enable_if_t<isList<TValue>>> : NumberOf<typename TValue::value_type>
{};

/** The whole numbers just beyond the ends of a range, and beside its first step, that a type and int can have. */
template <typename TNumber>
std::vector<double>
JustBeyond(const cudaneuro::ParameterRange & range)
{
  std::vector<double> numbers;
  for (const double number : { range.minimum - 1.0, range.maximum + 1.0, range.minimum + 0.5 * range.step })
  {
    const bool isNumber =
      std::abs(number) <= std::numeric_limits<int>::max() && (std::is_signed_v<TNumber> || number >= 0.0);
    if (isNumber && !range.Contains(number))
    {
      numbers.push_back(number);
    }
  }
  return numbers;
}

/** Adds each number of a struct of parameters that has an effect, by its description: of arrays the last one.
 * \param run computes the outcome of (context, parameters, value of the number) */
template <typename TParameters, typename TRun>
void
AddNumbers(std::vector<NumberRun> & list, TParameters defaults, const TRun & run)
{
  cudaneuro::ForEachParameter(defaults, [&](const auto & parameter, const auto & initial) {
    using ValueType = std::decay_t<decltype(initial)>;
    std::string name = parameter.name;
    ValueType   value = initial;
    if (!parameter.condition.Holds(defaults) || !SetLastNumber(value, 1.0, name))
    {
      return;
    }
    const auto runWith = [=, member = parameter.member](cudaneuro::Context & context, double number) {
      TParameters parameters = defaults;
      std::string ignored;
      SetLastNumber(parameters.*member, number, ignored);
      return run(context, parameters, number);
    };
    using NumberType = typename NumberOf<ValueType>::Type;
    constexpr bool isWhole = std::is_integral_v<NumberType>;
    list.push_back(
      { name, runWith, isWhole, isWhole ? JustBeyond<NumberType>(parameter.range) : std::vector<double>() });
  });
}

/** Largest difference from what is expected, infinite for a number that is not finite and should be. */
inline double
ErrorOf(const Outcome & outcome)
{
  double largest = 0.0;
  for (std::size_t i = 0; i < outcome.result.size(); ++i)
  {
    const double result = outcome.result[i];
    const double expected = outcome.expected.empty() ? (std::isfinite(result) ? result : 0.0) : outcome.expected[i];
    const bool   isSame = result == expected || (std::isnan(result) && std::isnan(expected));
    const double error = isSame ? 0.0 : std::abs(result - expected);
    largest = std::isnan(error) ? INFINITY : std::max(largest, error);
  }
  return largest;
}

/** Expects a floating-point parameter, at each value, to be refused by name, or the outcome to be right. */
inline void
ExpectRefusedOrRight(cudaneuro::Context & context, const NumberRun & parameter)
{
  int numberOfRuns = 0;
  for (const double value : values)
  {
    SCOPED_TRACE(::testing::Message() << parameter.name << " of " << value);
    try
    {
      const Outcome outcome = parameter.run(context, value);
      ++numberOfRuns;
      EXPECT_LE(ErrorOf(outcome), outcome.tolerance);
    }
    catch (const cudaneuro::InvalidParameterError & error)
    {
      const std::string message = error.what();
      EXPECT_NE(message.find(parameter.name + " is "), std::string::npos) << message;
      const auto says = [&](const char * words) { return message.find(words) != std::string::npos; };
      EXPECT_TRUE(says("must be from") || says(" or greater") || says("greater than 0") || says(" or more") ||
                  says("no more than"))
        << message;
    }
  }
  EXPECT_GT(numberOfRuns, 0) << parameter.name << ": nothing was accepted";
  EXPECT_LT(numberOfRuns, static_cast<int>(std::size(values))) << parameter.name << ": nothing was refused";
}

/** Expects of each floating-point parameter, at each value, that it is refused by name, or that the outcome is right;
 * and that whole numbers beyond their ranges are refused by name. */
inline void
ExpectRefusedOrRight(cudaneuro::Context & context, const std::vector<NumberRun> & list)
{
  for (const NumberRun & parameter : list)
  {
    if (!parameter.isWhole)
    {
      ExpectRefusedOrRight(context, parameter);
    }
    for (const double beyond : parameter.beyond)
    {
      const std::string value = std::to_string(static_cast<std::int64_t>(beyond));
      ExpectInvalidParameter([&] { parameter.run(context, beyond); }, parameter.name, value);
    }
  }
}

} // namespace parameterlimits

#endif
