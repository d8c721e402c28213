// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "CarryArrays.h"
#include "ContourSurface.h"
#include "SurfaceTriangles.h"

#include "cudaneuro/Error.h"

#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkReverseSense.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cudaneuro
{

namespace
{

/** Returns the distances, each at least the clearance times the largest one of its neighbors along the axes, so that
 * marching cubes put no point closer to a voxel. */
vtkSmartPointer<vtkFloatArray>
ClearOfVoxels(const SignedDistanceImage * distance)
{
  const auto          size = distance->GetBufferedRegion().GetSize();
  const auto          count = static_cast<std::int64_t>(distance->GetBufferedRegion().GetNumberOfPixels());
  const std::int64_t  strides[3] = { 1,
                                     static_cast<std::int64_t>(size[0]),
                                     static_cast<std::int64_t>(size[0] * size[1]) };
  const float * const from = distance->GetBufferPointer();
  const auto          clearance = static_cast<float>(SurfaceClearance(BufferGeometry(distance)));
  auto                values = vtkSmartPointer<vtkFloatArray>::New();
  values->SetNumberOfValues(count);
  float * const to = values->GetPointer(0);
  for (std::int64_t i = 0; i < count; ++i)
  {
    float largest = 0.0f;
    for (const std::int64_t stride : strides)
    {
      const float before = std::abs(from[std::max<std::int64_t>(i - stride, 0)]);
      const float after = std::abs(from[std::min(i + stride, count - 1)]);
      largest = std::max({ largest, before, after });
    }
    const float least = clearance * largest;
    to[i] = from[i] < 0.0f ? std::min(from[i], -least) : std::max(from[i], least);
  }
  return values;
}

/** Converts the image to VTK, with points in indices of voxels. */
vtkSmartPointer<vtkImageData>
InIndices(const SignedDistanceImage * distance)
{
  const auto size = distance->GetBufferedRegion().GetSize();
  auto       image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(static_cast<int>(size[0]), static_cast<int>(size[1]), static_cast<int>(size[2]));
  image->GetPointData()->SetScalars(ClearOfVoxels(distance));
  return image;
}

[[noreturn]] void
ThrowNoSurface(const SignedDistanceImage * distance)
{
  const float * const begin = distance->GetBufferPointer();
  const auto          range = std::minmax_element(begin, begin + distance->GetBufferedRegion().GetNumberOfPixels());
  std::ostringstream  text;
  text << "distance is from " << *range.first << " to " << *range.second
       << " mm; it must have both signs, so that it has a surface";
  throw InvalidParameterError(text.str());
}

vtkSmartPointer<vtkPoints>
InSpace(vtkPolyData * surface, const SignedDistanceImage * distance)
{
  const auto first = distance->GetBufferedRegion().GetIndex();
  auto       points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(surface->GetNumberOfPoints());
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    itk::ContinuousIndex<double, 3> index;
    surface->GetPoint(i, index.GetDataPointer());
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      index[axis] += static_cast<double>(first[axis]);
    }
    SignedDistanceImage::PointType point;
    distance->TransformContinuousIndexToPhysicalPoint(index, point);
    points->SetPoint(i, point.GetDataPointer());
  }
  return points;
}

/** Returns the surface with all triangles reversed. */
vtkSmartPointer<vtkPolyData>
InsideOut(vtkPolyData * surface)
{
  const vtkNew<vtkReverseSense> reverse;
  reverse->SetInputData(surface);
  reverse->ReverseCellsOn();
  reverse->ReverseNormalsOff();
  reverse->Update();
  return reverse->GetOutput();
}

/** Contours the distance by marching cubes. */
vtkSmartPointer<vtkPolyData>
CubesContour(const SignedDistanceImage * distance)
{
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(InIndices(distance));
  edges->SetValue(0, 0.0);
  edges->ComputeNormalsOff();
  edges->ComputeGradientsOff();
  edges->ComputeScalarsOff();
  edges->Update();
  auto surface = vtkSmartPointer<vtkPolyData>::New();
  surface->SetPoints(InSpace(edges->GetOutput(), distance));
  surface->SetPolys(edges->GetOutput()->GetPolys());

  // VTK orients triangles counterclockwise as seen from smaller values, which is inside; a direction that mirrors
  // reverses them.
  const double determinant = vnl_determinant(distance->GetDirection().GetVnlMatrix().as_matrix());
  return determinant > 0.0 ? InsideOut(surface) : surface;
}

vtkSmartPointer<vtkPolyData>
EdgesContour(Context & context, const SignedDistanceImage * distance)
{
  const auto           values = ClearOfVoxels(distance);
  const SurfaceContour contour =
    ContourWithEdges(context, BufferGeometry(distance), { values->GetPointer(0), PixelType::Float, MemorySpace::Host });
  return ToVtk(contour);
}

} // namespace

vtkSmartPointer<vtkPolyData>
SignedDistanceToSurface(Context &                   context,
                        const SignedDistanceImage * distance,
                        vtkPolyData *               attributesFrom,
                        SurfaceContouring           contouring)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.5);
  const auto surface =
    contouring == SurfaceContouring::KeepEdges ? EdgesContour(context, distance) : CubesContour(distance);
  if (surface->GetNumberOfPolys() == 0)
  {
    ThrowNoSurface(distance);
  }
  const bool                   isInsideOut = attributesFrom != nullptr && MeasureSurface(attributesFrom).volume < 0.0;
  vtkSmartPointer<vtkPolyData> output = WithNormals(isInsideOut ? InsideOut(surface) : surface);
  progress.UpTo(1.0);
  if (attributesFrom != nullptr)
  {
    CarryArrays(context, ToTriangles(attributesFrom), output);
  }
  return output;
}

} // namespace cudaneuro
