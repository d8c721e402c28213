// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ContourSurface_h
#define ContourSurface_h

#include "cudaneuro/SurfaceContour.h"
#include "cudaneuro/VtkSurface.h"

#include <itkCudaNeuroDetail.h>

/** Functions that all contouring of images uses. */
namespace cudaneuro
{

/** Returns the geometry of the voxels in memory. */
template <typename TImage>
Geometry
BufferGeometry(const TImage * image)
{
  const auto                 region = image->GetBufferedRegion();
  Geometry                   geometry = itk::CudaNeuroDetail::GeometryOf<3>(image);
  typename TImage::PointType origin;
  image->TransformIndexToPhysicalPoint(region.GetIndex(), origin);
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    geometry.grid.size[axis] = static_cast<std::int64_t>(region.GetSize(axis));
    geometry.origin[axis] = origin[axis];
  }
  return geometry;
}

/** Converts the engine's surface to one of VTK. */
vtkSmartPointer<vtkPolyData>
ToVtk(const SurfaceContour & contour);

/** Adds normals at points, which are the means of the triangles around them. */
vtkSmartPointer<vtkPolyData>
WithNormals(vtkPolyData * triangles);

} // namespace cudaneuro

#endif
