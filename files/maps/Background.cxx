// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/Background.h"

#include "files/base/Errors.h"
#include "files/base/NumberTypes.h"

#include <cmath>
#include <limits>
#include <sstream>
#include <string>

namespace cudaneuro::files
{

namespace
{

[[noreturn]] void
Refuse(double background, const std::string & reason)
{
  std::ostringstream text;
  text << "--background is " << background << "; " << reason;
  throw UserError(text.str());
}

bool
IsWhole(double number)
{
  return number == std::trunc(number);
}

void
RequireLabel(double background)
{
  constexpr double limit = 9223372036854775808.0; // 2^63, the first number above 64-bit integers
  if (!IsWhole(background) || !(background >= -limit && background < limit))
  {
    Refuse(background, "labels are whole numbers of 64 bits");
  }
}

void
RequireNumberOf(itk::IOComponentEnum type, double background)
{
  const bool isOfType = WithComponentType(type, [=](auto number) {
    using Limits = std::numeric_limits<decltype(number)>;
    return !Limits::is_integer || (background >= static_cast<double>(Limits::lowest()) &&
                                   background <= static_cast<double>(Limits::max()) && IsWhole(background));
  });
  if (!isOfType)
  {
    Refuse(background, "a number of the type " + NameOf(type) + " is needed, or another --output-type");
  }
}

} // namespace

void
RequireBackground(double background, cudaneuro::Interpolation interpolation, itk::IOComponentEnum type, bool isSeries)
{
  const bool isLabel = interpolation == cudaneuro::Interpolation::Label;
  if (isLabel)
  {
    RequireLabel(background);
  }
  if (!isLabel || isSeries)
  {
    RequireNumberOf(type, background);
  }
}

void
WarnOfBackground(const std::string & output, const OpenedImage & reference, const OpenedImage & input)
{
  Warn(output + " is all background: do the transforms lead from " + reference.path + " to " + input.path +
       ", and not back?");
}

} // namespace cudaneuro::files
