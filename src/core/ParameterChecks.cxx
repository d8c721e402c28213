// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParameterChecks.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

std::string
OfAxis(const std::string & name, int axis)
{
  return name + "[" + std::to_string(axis) + "]";
}

/** Returns "from 1 to 8", "1 or greater", "from 3 to 7 in steps of 2", or "from 1 to 8, or 0". */
std::string
LimitOf(const ParameterRange & range)
{
  std::ostringstream limit;
  std::isfinite(range.maximum) ? limit << "from " << range.minimum << " to " << range.maximum
                               : limit << range.minimum << " or greater";
  if (range.step > 0.0)
  {
    limit << " in steps of " << range.step;
  }
  limit << (range.orZero ? ", or 0" : "") << (range.orNotFinite ? ", infinite, or NaN" : "");
  return limit.str();
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
RequireInRange(const std::string & name, double value, const ParameterRange & range)
{
  if (!range.Contains(value))
  {
    ThrowInvalid(name, value, LimitOf(range));
  }
}

void
RequireInRange(const std::string & name, const std::array<double, 3> & values, const ParameterRange & range)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    RequireInRange(OfAxis(name, axis), values[axis], range);
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
RequireRadius(const std::string &        name,
              const std::array<int, 3> & radius,
              const ParameterRange &     range,
              const Grid &               grid)
{
  for (int axis = 0; axis < 3; ++axis)
  {
    if (grid.size[axis] > 1)
    {
      RequireInRange(OfAxis(name, axis), radius[axis], range);
    }
  }
}

void
RequireLevels(const std::vector<RegistrationLevel> & levels)
{
  if (levels.empty())
  {
    ThrowInvalid("the number of levels", 0, "1 or greater");
  }
  for (std::size_t index = 0; index < levels.size(); ++index)
  {
    ForEachParameter(levels[index], [&](const auto & parameter, const auto & value) {
      const std::string name = "Levels[" + std::to_string(index) + "]." + parameter.name;
      RequireValue(name, value, parameter.range, Grid{ { 2, 2, 2 } }); // checked along all axes
    });
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
  // With this limit, all products of sizes and pixel sizes fit into 64 bits.
  constexpr double largestVolume = 1e17;
  const double     numberOfVoxels =
    static_cast<double>(grid.size[0]) * static_cast<double>(grid.size[1]) * static_cast<double>(grid.size[2]);
  if (numberOfVoxels > largestVolume)
  {
    ThrowInvalid("the number of voxels", numberOfVoxels, "1e17 or less");
  }
  RequireInRange("spacing", grid.spacing, spacingRange);
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
    ThrowInvalid("the pixel type of the mask", PixelTypeName(mask.type), PixelTypeName(PixelType::UnsignedChar));
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
