// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "fields/FieldVolumes.h"

#include "core/Dispatch.h"
#include "fields/FieldConversion.h"
#include "jobs/DeviceVolumes.h"

namespace cudaneuro
{
namespace
{

void
ToSoA(Context & context, const FieldConversion & conversion, const float * from, const SoAField & to)
{
  CUDANEURO_DISPATCH(context, ToSoA(context, conversion, from, to));
}

void
FromSoA(Context & context, const FieldConversion & conversion, const ConstSoAField & from, float * to)
{
  CUDANEURO_DISPATCH(context, FromSoA(context, conversion, from, to));
}

} // namespace

SoAFieldMemory
ReadField(Context & context, const Geometry & geometry, const Geometry & voxels, const ConstField & field)
{
  const Grid &           grid = geometry.grid;
  SoAFieldMemory         planes(context, grid.NumberOfVoxels());
  Context::ProgressSteps progress(context);
  progress.UpTo(0.6);
  const FloatInput vectors(
    context, GridOfComponents(grid, field.components), { field.data, PixelType::Float, field.space });
  progress.UpTo(1.0);
  const VectorMatrix matrix = MakeVectorMatrix(PointToIndex(voxels).matrix);
  ToSoA(context, { grid.NumberOfVoxels(), matrix, field.components }, vectors.Data(), planes.View());
  return planes;
}

void
WriteField(Context & context, const Geometry & geometry, const ConstSoAField & planes, const Field & field)
{
  const Grid & grid = geometry.grid;
  FloatOutput vectors(context, GridOfComponents(grid, field.components), { field.data, PixelType::Float, field.space });
  Context::ProgressSteps progress(context);
  progress.UpTo(0.4);
  const VectorMatrix matrix = MakeVectorMatrix(IndexToPoint(geometry).matrix);
  FromSoA(context, { grid.NumberOfVoxels(), matrix, field.components }, planes, vectors.Data());
  progress.UpTo(1.0);
  vectors.Finish();
}

} // namespace cudaneuro
