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

/** Checks of parameters. Each function throws InvalidParameterError with the parameter's name, its value and the limit,
 * or does nothing. */
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

/** The values that a parameter may have, both ends included. Kernels compute in float: inside the ranges below, scales
 * and weights that are made from parameters, and their squares, neither overflow nor become 0. */
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

/** From 0 to the upper end of a range. */
constexpr ParameterRange
FromZero(const ParameterRange & range)
{
  return { 0.0, range.largest };
}

/** Requires a value inside the range; NaN is outside. */
void
RequireInRange(const std::string & name, double value, const ParameterRange & range);
void
RequireInRange(const std::string & name, const std::array<double, 3> & values, const ParameterRange & range);

/** Requires a value that pixels can have: infinite, NaN, or inside the range of float. */
void
RequirePixelValue(const std::string & name, double value);

void
RequireAtLeast(const char * name, int value, int limit);

/** Requires \p limit or more along axes longer than 1; the radius along other axes is ignored. */
void
RequireRadius(const char * name, const std::array<int, 3> & radius, int limit, const Grid & grid);

/** Requires 1 to 2^31 - 1 voxels along each axis, 1e17 together, and spacing in spacingRange. */
void
RequireGrid(const Grid & grid);

/** Requires a volume that this context reaches. */
void
RequireVolume(const char * name, const Context & context, const ConstVolume & volume);
void
RequireVolume(const char * name, const Context & context, const Volume & volume);

/** Requires a mask that is absent, or of type UnsignedChar and within this context's reach. */
void
RequireMask(const Context & context, const ConstVolume & mask);

/** Requires what an image filter works on. */
void
RequireImages(const Context &     context,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              const Volume &      output);

} // namespace cudaneuro

#endif
