// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "points/PointArrays.h"

#include "core/ParameterChecks.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

constexpr double largestCoordinate = 1e12;

std::string
CoordinateName(const std::string & name, std::int64_t index, int dimension)
{
  return "coordinate " + std::to_string(index % dimension) + " of point " + std::to_string(index / dimension) + " of " +
         name;
}

void
RequireTypeAndReach(const Context & context, const std::string & name, PixelType type, const ConstVolume & values)
{
  if (type != PixelType::Float && type != PixelType::Double)
  {
    ThrowInvalid("the type of " + name, PixelTypeName(type), "float32 or float64");
  }
  RequireVolume(name.c_str(), context, values);
}

Grid
RowOf(std::size_t count)
{
  return { { static_cast<std::int64_t>(count), 1, 1 } };
}

} // namespace

void
RequirePositions(const std::string & name, int dimension, const std::vector<double> & positions)
{
  for (std::size_t i = 0; i < positions.size(); ++i)
  {
    if (!(std::abs(positions[i]) <= largestCoordinate))
    {
      const auto index = static_cast<std::int64_t>(i);
      ThrowInvalid(CoordinateName(name, index, dimension), positions[i], "finite, and 1e12 or less in magnitude");
    }
  }
}

void
RequireFiniteMomenta(int dimension, std::int64_t numberOfPoints, const double * momenta)
{
  if (momenta == nullptr)
  {
    ThrowInvalid("momenta", "absent (a null pointer)", "given");
  }
  for (std::int64_t i = 0; i < numberOfPoints * dimension; ++i)
  {
    if (!std::isfinite(momenta[i]))
    {
      ThrowInvalid(CoordinateName("the momenta", i, dimension), momenta[i], "finite");
    }
  }
}

std::vector<double>
ReadPoints(
  Context & context, const std::string & name, int dimension, std::int64_t numberOfPoints, const ConstPoints & points)
{
  const ConstVolume values{ points.data, points.type, points.space };
  RequireTypeAndReach(context, name, points.type, values);
  const Context::ProgressPause pause(context);
  std::vector<double>          positions(static_cast<std::size_t>(numberOfPoints) * dimension);
  const Grid                   row = RowOf(positions.size());
  // On a device, only values of one type can be copied without passing through float; the host widens them here.
  if (points.type == PixelType::Float)
  {
    std::vector<float> narrow(positions.size());
    CopyVolume(context, row, values, { narrow.data(), PixelType::Float, MemorySpace::Host });
    positions.assign(narrow.begin(), narrow.end());
  }
  else
  {
    CopyVolume(context, row, values, { positions.data(), PixelType::Double, MemorySpace::Host });
  }
  return positions;
}

void
WritePoints(Context & context, const std::string & name, const std::vector<double> & values, const Points & points)
{
  if (points.data == nullptr)
  {
    return;
  }
  const Volume output{ points.data, points.type, points.space };
  RequireTypeAndReach(context, name, points.type, { points.data, points.type, points.space });
  const Context::ProgressPause pause(context);
  const Grid                   row = RowOf(values.size());
  if (points.type == PixelType::Float)
  {
    const std::vector<float> narrow(values.begin(), values.end());
    CopyVolume(context, row, { narrow.data(), PixelType::Float, MemorySpace::Host }, output);
  }
  else
  {
    CopyVolume(context, row, { values.data(), PixelType::Double, MemorySpace::Host }, output);
  }
}

} // namespace cudaneuro
