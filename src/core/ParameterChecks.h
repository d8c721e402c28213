// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_ParameterChecks_h
#define cudaneuro_core_ParameterChecks_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Error.h"

#include <array>
#include <limits>
#include <sstream>
#include <string>

/** Each throws InvalidParameterError with the parameter's name, its value and the limit, or does nothing. */
namespace cudaneuro
{

/** \throws InvalidParameterError "name is value; it must be limit" */
template <typename TValue>
[[noreturn]] void
ThrowInvalid(const std::string & name, const TValue & value, const std::string & limit)
{
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::digits10);
  message << name << " is " << value << "; it must be " << limit;
  throw InvalidParameterError(message.str());
}

/** What a floating-point parameter may be, both ends included. Kernels compute in float: inside these ranges, scales,
 * weights and their squares made from parameters neither overflow nor become 0 where they must not. */
struct ParameterRange
{
  double least;
  double largest;
};

/** Scales of intensities: a range sigma, kappa, a smoothing parameter. */
constexpr ParameterRange intensityScaleRange{ 1e-30, 1e30 };
/** Standard deviations and tolerances, in mm or voxels. */
constexpr ParameterRange lengthRange{ 1e-6, 1e6 };
constexpr ParameterRange spacingRange{ 1e-9, 1e9 };

/** The same range, and from 0 on. */
constexpr ParameterRange
FromZero(const ParameterRange & range)
{
  return { 0.0, range.largest };
}

/** In the range; not NaN. */
void
RequireInRange(const std::string & name, double value, const ParameterRange & range);
void
RequireInRange(const std::string & name, const std::array<double, 3> & values, const ParameterRange & range);

/** A value that pixels can have: not finite, or not beyond what float holds. */
void
RequirePixelValue(const std::string & name, double value);

void
RequireAtLeast(const char * name, int value, int limit);

/** \p limit or more along axes longer than 1; not looked at along the others. */
void
RequireRadius(const char * name, const std::array<int, 3> & radius, int limit, const Grid & grid);

/** 1 to 2^31 - 1 voxels along each axis, and spacing in spacingRange. */
void
RequireGrid(const Grid & grid);

/** There is a volume, and this context reaches it. */
void
RequireVolume(const char * name, const Context & context, const ConstVolume & volume);
void
RequireVolume(const char * name, const Context & context, const Volume & volume);

/** Absent, or a volume of type UnsignedChar that this context reaches. */
void
RequireMask(const Context & context, const ConstVolume & mask);

/** All of what an image filter works on. */
void
RequireImages(const Context &     context,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              const Volume &      output);

} // namespace cudaneuro

#endif
