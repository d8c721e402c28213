// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldChecks.h"

#include <cmath>

namespace cudaneuro
{
namespace
{

template <std::size_t VLength>
void
RequireFinite(const std::string & name, const std::array<double, VLength> & values)
{
  for (std::size_t i = 0; i < VLength; ++i)
  {
    if (!std::isfinite(values[i]))
    {
      ThrowInvalid(name + "[" + std::to_string(i) + "]", values[i], "finite");
    }
  }
}

} // namespace

void
RequireGeometry(const char * name, const Geometry & geometry)
{
  RequireGrid(geometry.grid);
  RequireFinite(std::string(name) + ".origin", geometry.origin);
  RequireFinite(std::string(name) + ".direction", geometry.direction);
  PointToIndex(geometry);
}

void
RequireTransform(const char * name, const AffineMap & map)
{
  RequireFinite(std::string(name) + ".matrix", map.matrix);
  RequireFinite(std::string(name) + ".offset", map.offset);
}

void
RequireField(const char * name, const Context & context, const Grid & grid, const ConstField & field)
{
  RequireVolume(name, context, ConstVolume{ field.data, PixelType::Float, field.space });
  const bool isPlane = grid.size[2] == 1;
  if (field.components != 3 && !(isPlane && field.components == 2))
  {
    ThrowInvalid(
      std::string(name) + ".components", field.components, isPlane ? "2 or 3" : "3 on a grid of several planes");
  }
}

} // namespace cudaneuro
