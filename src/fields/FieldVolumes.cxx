// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldVolumes.h"

#include "fields/FieldPrimitives.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{
namespace
{

/** The grid whose voxels are the components of a field. */
Grid
GridOfComponents(Grid grid, unsigned int components)
{
  grid.size[0] *= components;
  return grid;
}

} // namespace

SoAFieldMemory
ReadField(Context & context, const Geometry & geometry, const Geometry & voxels, const ConstField & field)
{
  const Grid &     grid = geometry.grid;
  SoAFieldMemory   planes(context, grid.NumberOfVoxels());
  const FloatInput vectors = [&] {
    const Context::ProgressRange range(context, 0.0, 0.6);
    return FloatInput(context, GridOfComponents(grid, field.components), { field.data, PixelType::Float, field.space });
  }();
  const Context::ProgressRange range(context, 0.6, 1.0);
  ToSoA(context, grid.NumberOfVoxels(), PointToIndex(voxels).matrix, vectors.Data(), field.components, planes.View());
  return planes;
}

void
WriteField(Context & context, const Geometry & geometry, const ConstSoAField & planes, const Field & field)
{
  const Grid & grid = geometry.grid;
  FloatOutput vectors(context, GridOfComponents(grid, field.components), { field.data, PixelType::Float, field.space });
  {
    const Context::ProgressRange range(context, 0.0, 0.4);
    FromSoA(context, grid.NumberOfVoxels(), IndexToPoint(geometry).matrix, planes, vectors.Data(), field.components);
  }
  const Context::ProgressRange range(context, 0.4, 1.0);
  vectors.Finish();
}

} // namespace cudaneuro
