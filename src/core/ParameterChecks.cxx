// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ParameterChecks.h"

#include "cudaneuroError.h"

#include <cmath>
#include <limits>
#include <sstream>

namespace cudaneuro
{
namespace
{

template <typename T>
[[noreturn]] void
ThrowInvalid(const std::string & name, const T & value, const std::string & limit)
{
  std::ostringstream message;
  message.precision(std::numeric_limits<double>::digits10);
  message << name << " is " << value << "; it must be " << limit;
  throw InvalidParameterError(message.str());
}

std::string
OfAxis(const char * name, int axis)
{
  return std::string(name) + "[" + std::to_string(axis) + "]";
}

void
RequireReach(const char * name, const Context & context, MemorySpace space)
{
  if (space == MemorySpace::Device && !context.GetDevice().IsCuda())
  {
    ThrowInvalid(name, "in device memory", "in host memory on a context of the CPU");
  }
}

} // namespace

void
RequirePositive(const char * name, double value)
{
  if (!(value > 0.0) || std::isinf(value))
  {
    ThrowInvalid(name, value, "greater than 0 and finite");
  }
}

void
RequirePositive(const char * name, const std::array<double, 3> & values)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    RequirePositive(OfAxis(name, axis).c_str(), values[axis]);
  }
}

void
RequireNotNegative(const char * name, double value)
{
  if (!(value >= 0.0) || std::isinf(value))
  {
    ThrowInvalid(name, value, "0 or greater, and finite");
  }
}

void
RequireAtLeast(const char * name, int value, int limit)
{
  if (value < limit)
  {
    ThrowInvalid(name, value, std::to_string(limit) + " or greater");
  }
}

void
RequireRadius(const char * name, const std::array<int, 3> & radius, int limit, const Grid & grid)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] > 1)
    {
      RequireAtLeast(OfAxis(name, axis).c_str(), radius[axis], limit);
    }
  }
}

void
RequireGrid(const Grid & grid)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] < 1 || grid.size[axis] > std::numeric_limits<std::int32_t>::max())
    {
      ThrowInvalid(OfAxis("size", axis), grid.size[axis], "from 1 to 2147483647 voxels");
    }
  }
  // All products of sizes and pixel sizes stay inside 64 bits.
  constexpr double largestVolume = 1e17;
  const double     numberOfVoxels =
    static_cast<double>(grid.size[0]) * static_cast<double>(grid.size[1]) * static_cast<double>(grid.size[2]);
  if (numberOfVoxels > largestVolume)
  {
    ThrowInvalid("the number of voxels", numberOfVoxels, "1e17 or less");
  }
  RequirePositive("spacing", grid.spacing);
}

void
RequireVolume(const char * name, const Context & context, const ConstVolume & volume)
{
  if (!volume.data)
  {
    ThrowInvalid(name, "absent (a null pointer)", "a volume");
  }
  RequireReach(name, context, volume.space);
}

void
RequireVolume(const char * name, const Context & context, const Volume & volume)
{
  RequireVolume(name, context, ConstVolume{ volume.data, volume.type, volume.space });
}

void
RequireMask(const Context & context, const ConstVolume & mask)
{
  if (!mask.data)
  {
    return;
  }
  if (mask.type != PixelType::UnsignedChar)
  {
    const char * const names[] = { "UnsignedChar", "Short", "UnsignedShort", "Float", "Double" };
    ThrowInvalid("the pixel type of the mask", names[static_cast<int>(mask.type)], "UnsignedChar");
  }
  RequireReach("mask", context, mask.space);
}

void
RequireImages(const Context &     context,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              const Volume &      output)
{
  RequireGrid(grid);
  RequireVolume("input", context, input);
  RequireVolume("output", context, output);
  RequireMask(context, mask);
}

} // namespace cudaneuro
