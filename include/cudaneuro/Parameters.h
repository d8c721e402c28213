// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Parameters_h
#define cudaneuro_Parameters_h

#include "CudaNeuroExport.h"
#include "cudaneuro/detail/AggregateSize.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/** \file
 * Descriptions of parameters. Beside each struct stands a function that gives each member's name, unit, meaning, range:
 *
 *     constexpr auto
 *     Describe(const BilateralParameters &)
 *     {
 *       using P = BilateralParameters;
 *       return std::make_tuple(
 *         Parameter(&P::rangeSigma, "RangeSigma", "intensity units",
 *                   "Standard deviation of the intensity Gaussian", intensityScaleRange),
 *         Parameter(&P::useImageSpacing, "UseImageSpacing", "", "Measure distances in mm rather than in voxels"));
 *     }
 *
 * The checks of values and their messages, Print of ITK's classes, the options of the programs with help, range and
 * default, the notes in their reports, the test of limits and the test of the pages follow from it. A member that is
 * not described does not compile. */
namespace cudaneuro
{

/** The allowed values of a number, both ends included. Kernels compute in float: inside these ranges, scales and
 * weights that are computed from parameters, and their squares, neither overflow nor become 0. */
struct ParameterRange
{
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  /** Whether 0 is allowed as well, for a value that is derived from other data, or for none. */
  bool orZero = false;
  /** Step of the allowed values, counted from the minimum; 0 where all values are allowed. */
  double step = 0.0;
  /** Whether infinite values and NaN are allowed as well, as pixels can have them. */
  bool orNotFinite = false;

  /** Whether a number may have the value. */
  bool
  Contains(double value) const
  {
    return (orZero && value == 0.0) || (orNotFinite && !std::isfinite(value)) ||
           (value >= minimum && value <= maximum && (step == 0.0 || std::fmod(value - minimum, step) == 0.0));
  }
};

/** The range from a minimum to a maximum. */
constexpr ParameterRange
Between(double minimum, double maximum)
{
  return { minimum, maximum };
}

/** The range from a minimum up. */
constexpr ParameterRange
AtLeast(double minimum)
{
  return { minimum };
}

/** A range that allows 0 as well. */
constexpr ParameterRange
OrZero(const ParameterRange & range)
{
  return { range.minimum, range.maximum, true, range.step };
}

/** The range from a minimum to a maximum in steps. */
constexpr ParameterRange
InSteps(double minimum, double maximum, double step)
{
  return { minimum, maximum, false, step };
}

/** Scales of intensities: a range sigma, kappa, a smoothing parameter. */
constexpr ParameterRange intensityScaleRange{ 1e-30, 1e30 };
/** Standard deviations and tolerances, in mm or voxels. */
constexpr ParameterRange lengthRange{ 1e-6, 1e6 };

/** Scales of squared lengths, in mm^2. Quotients of squared differences and these neither overflow nor become 0 in
 * double precision. */
constexpr ParameterRange squaredLengthRange{ 1e-30, 1e30 };
/** Spacing of voxels, in mm. */
constexpr ParameterRange spacingRange{ 1e-9, 1e9 };
/** Values that pixels can have: infinite, NaN, or inside the range of float. */
constexpr ParameterRange pixelValueRange{
  -std::numeric_limits<float>::max(), std::numeric_limits<float>::max(), false, 0.0, true
};

/** From 0 to the upper end of a range. */
constexpr ParameterRange
FromZero(const ParameterRange & range)
{
  return { 0.0, range.maximum };
}

/** A parameter that always has an effect. */
struct Always
{
  /** Whether the parameter has an effect. */
  template <typename TParameters>
  constexpr bool
  Holds(const TParameters &) const
  {
    return true;
  }
};

/** A parameter that has an effect where another one, an enumeration or a switch, has a value. */
template <typename TParameters, typename TValue>
struct OnlyWith
{
  using MemberType = TValue TParameters::*;

  MemberType member;
  TValue     value;

  /** The other parameter, and its value. */
  constexpr OnlyWith(MemberType itsMember, TValue itsValue)
    : member(itsMember)
    , value(itsValue)
  {}

  /** Whether the parameter has an effect. */
  constexpr bool
  Holds(const TParameters & parameters) const
  {
    return parameters.*member == value;
  }
};

/** Deduces the types. */
template <typename TParameters, typename TValue>
OnlyWith(TValue TParameters::*, TValue) -> OnlyWith<TParameters, TValue>;

/** A parameter that has an effect unless another one has a value. */
template <typename TParameters, typename TValue>
struct Except : OnlyWith<TParameters, TValue>
{
  using OnlyWith<TParameters, TValue>::OnlyWith;

  /** Whether the parameter has an effect. */
  constexpr bool
  Holds(const TParameters & parameters) const
  {
    return !OnlyWith<TParameters, TValue>::Holds(parameters);
  }
};
/** Deduces the types. */
template <typename TParameters, typename TValue>
Except(TValue TParameters::*, TValue) -> Except<TParameters, TValue>;

/** One member of a struct of parameters. */
template <typename TParameters, typename TValue, typename TCondition = Always>
struct Parameter
{
  using MemberType = TValue TParameters::*;

  MemberType member;
  /** The name in setters of ITK's classes: "RangeSigma". The programs' option is --range-sigma. */
  const char * name;
  /** The unit of a number: "mm"; empty for numbers without unit, and for other values. */
  const char * unit;
  /** The meaning, as a phrase without a full stop. */
  const char *   meaning;
  ParameterRange range;
  /** When the parameter has an effect. Otherwise its value is not checked. */
  TCondition condition;

  /** The row of a number, with its range. */
  constexpr Parameter(MemberType     itsMember,
                      const char *   itsName,
                      const char *   itsUnit,
                      const char *   itsMeaning,
                      ParameterRange itsRange = {},
                      TCondition     itsCondition = {})
    : member(itsMember)
    , name(itsName)
    , unit(itsUnit)
    , meaning(itsMeaning)
    , range(itsRange)
    , condition(itsCondition)
  {}
  /** The row of another value, which has an effect under a condition. */
  constexpr Parameter(
    MemberType itsMember, const char * itsName, const char * itsUnit, const char * itsMeaning, TCondition itsCondition)
    : Parameter(itsMember, itsName, itsUnit, itsMeaning, {}, itsCondition)
  {}
};
/** Deduces the types. */
template <typename TParameters, typename TValue>
Parameter(TValue TParameters::*, const char *, const char *, const char *) -> Parameter<TParameters, TValue>;
/** Deduces the types. */
template <typename TParameters, typename TValue>
Parameter(TValue TParameters::*, const char *, const char *, const char *, ParameterRange)
  -> Parameter<TParameters, TValue>;
/** Deduces the types. */
template <typename TParameters, typename TValue, typename TCondition>
Parameter(TValue TParameters::*, const char *, const char *, const char *, TCondition)
  -> Parameter<TParameters, TValue, TCondition>;
/** Deduces the types. */
template <typename TParameters, typename TValue, typename TCondition>
Parameter(TValue TParameters::*, const char *, const char *, const char *, ParameterRange, TCondition)
  -> Parameter<TParameters, TValue, TCondition>;

/** Requires that a value is inside the range; NaN is outside of most.
 * \throws InvalidParameterError "name is value; it must be from minimum to maximum" */
CudaNeuro_EXPORT void
RequireInRange(const std::string & name, double value, const ParameterRange & range);

/** Calls a function with the description and the value of each parameter, in the order of the description. */
template <typename TParameters, typename TFunction>
void
ForEachParameter(TParameters & parameters, const TFunction & function)
{
  static_assert(std::tuple_size_v<decltype(Describe(parameters))> == AggregateSize<std::remove_const_t<TParameters>>(),
                "each member has a row in Describe");
  std::apply([&](const auto &... parameter) { (function(parameter, parameters.*parameter.member), ...); },
             Describe(std::as_const(parameters)));
}

/** Calls a function with the description of one parameter. */
template <typename TParameters, typename TValue, typename TFunction>
void
WithParameter(TValue TParameters::*member, const TFunction & function)
{
  const TParameters parameters;
  ForEachParameter(parameters, [&](const auto & parameter, const auto &) {
    if constexpr (std::is_same_v<std::decay_t<decltype(parameter.member)>, TValue TParameters::*>)
    {
      if (parameter.member == member)
      {
        function(parameter);
      }
    }
  });
}

} // namespace cudaneuro

#endif
