// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/maps/LimitedVoxels.h"

#include "files/base/Errors.h"

namespace cudaneuro::files
{

namespace
{

/** Returns whether an integer type holds all numbers of another type. */
bool
HasAllOf(itk::IOComponentEnum type, itk::IOComponentEnum other)
{
  return WithComponentType(type, [=](auto number) {
    return WithComponentType(other, [](auto otherNumber) {
      using Own = decltype(number);
      using Other = std::numeric_limits<decltype(otherNumber)>;
      return Other::is_integer && !IsLimited<Own>(static_cast<double>(Other::lowest())) &&
             !IsLimited<Own>(static_cast<double>(Other::max()));
    });
  });
}

} // namespace

bool
CanBeLimited(itk::IOComponentEnum from, itk::IOComponentEnum to, cudaneuro::Interpolation interpolation)
{
  const bool isOfReals = WithComponentType(to, [](auto number) { return !std::is_integral_v<decltype(number)>; });
  if (isOfReals || interpolation == cudaneuro::Interpolation::Label)
  {
    return false;
  }
  // These two can exceed the values around a position; the others average them, or take one.
  const bool canOvershoot =
    interpolation == cudaneuro::Interpolation::CubicBSpline || interpolation == cudaneuro::Interpolation::WindowedSinc;
  return canOvershoot || !HasAllOf(to, from);
}

void
WarnOfLimitedVoxels(const std::string & output, std::uint64_t count, const std::string & type)
{
  if (count > 0)
  {
    Warn(output + ": " + std::to_string(count) + " voxels are NaN or beyond the range of " + type +
         ", and have 0 or its limits; --output-type float keeps them");
  }
}

} // namespace cudaneuro::files
