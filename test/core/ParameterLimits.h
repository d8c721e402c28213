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
#include <functional>
#include <string>
#include <vector>

/** Every floating-point parameter of every filter, at values that nobody means: either the parameter is refused by
 * name, or the result is what the double-precision reference says; where there is none, it is finite. */
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
};

/** Whether a parameter is a list of values. */
template <typename T, typename = void>
inline constexpr bool isList = false;
template <typename T>
inline constexpr bool isList<T, std::void_t<typename T::value_type>> = true;

/** The last number of a parameter, null where it has none, and its name. */
template <typename TValue>
double *
LastNumber(TValue & value, std::string & name)
{
  if constexpr (std::is_same_v<TValue, double>)
  {
    return &value;
  }
  else if constexpr (isList<TValue>)
  {
    if constexpr (!std::is_same_v<typename TValue::value_type, cudaneuro::RegistrationLevel>)
    {
      if (value.size() > 0)
      {
        name += '[' + std::to_string(value.size() - 1) + ']';
        return LastNumber(value[value.size() - 1], name);
      }
    }
  }
  return nullptr;
}

/** Adds each floating-point number of a struct of parameters that has an effect, by its description: of arrays the last
 * one.
 * \param run computes the outcome of (context, parameters, value of the number) */
template <typename TParameters, typename TRun>
void
AddNumbers(std::vector<NumberRun> & list, TParameters defaults, const TRun & run)
{
  cudaneuro::ForEachParameter(defaults, [&](const auto & parameter, auto & initial) {
    std::string name = parameter.name;
    if (!parameter.condition.Holds(defaults) || LastNumber(initial, name) == nullptr)
    {
      return;
    }
    list.push_back({ name, [=, member = parameter.member](cudaneuro::Context & context, double value) {
                      TParameters parameters = defaults;
                      std::string ignored;
                      *LastNumber(parameters.*member, ignored) = value;
                      return run(context, parameters, value);
                    } });
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

/** Expects of each parameter, at each value, that it is refused by name, or that the outcome is right. */
inline void
ExpectRefusedOrRight(cudaneuro::Context & context, const std::vector<NumberRun> & list)
{
  for (const NumberRun & parameter : list)
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
        EXPECT_TRUE(says("must be from") || says(" or greater") || says(" or more") || says("no more than")) << message;
      }
    }
    EXPECT_GT(numberOfRuns, 0) << parameter.name << ": nothing was accepted";
    EXPECT_LT(numberOfRuns, static_cast<int>(std::size(values))) << parameter.name << ": nothing was refused";
  }
}

/** Expects that whole numbers just beyond the ends of their ranges are refused by name.
 * \param run what refuses, of parameters */
template <typename TParameters, typename TRun>
void
ExpectWholeNumbersRefused(const TParameters & defaults, const TRun & run)
{
  cudaneuro::ForEachParameter(defaults, [&](const auto & parameter, const auto & initial) {
    using TValue = std::decay_t<decltype(initial)>;
    if constexpr (std::is_integral_v<TValue> && !std::is_same_v<TValue, bool>)
    {
      for (const double beyond : { parameter.range.minimum - 1.0, parameter.range.maximum + 1.0 })
      {
        const bool  isValue = std::isfinite(beyond) && (std::is_signed_v<TValue> || beyond >= 0.0);
        const auto  value = isValue ? static_cast<TValue>(beyond) : initial;
        TParameters parameters = defaults;
        parameters.*parameter.member = value;
        if (isValue)
        {
          ExpectInvalidParameter([&] { run(parameters); }, parameter.name, std::to_string(value));
        }
      }
    }
  });
}

} // namespace parameterlimits

#endif
