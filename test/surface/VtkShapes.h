// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef test_surface_VtkShapes_h
#define test_surface_VtkShapes_h

#include "ExpectedErrors.h"
#include "cudaneuro/VtkSurface.h"

#include <itkImageRegionIteratorWithIndex.h>
#include <vtkCellArray.h>
#include <vtkFloatArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSphereSource.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

/** Shapes with a known surface, for the tests of surfaces of VTK. */
namespace cudaneuro::test
{

using Vector = std::array<double, 3>;
constexpr double pi = 3.14159265358979323846;

inline double
Distance(const Vector & a, const Vector & b)
{
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

inline std::size_t
LargestAxis(const Vector & point)
{
  const auto isLess = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return static_cast<std::size_t>(std::max_element(point.begin(), point.end(), isLess) - point.begin());
}

inline double
SecondLargest(const Vector & point)
{
  Vector sizes{ std::abs(point[0]), std::abs(point[1]), std::abs(point[2]) };
  std::sort(sizes.begin(), sizes.end());
  return sizes[1];
}

/** Which side of a cube around 0 a point is at: 0 to 5. */
inline int
SideOf(const Vector & point)
{
  const std::size_t axis = LargestAxis(point);
  return 2 * static_cast<int>(axis) + (point[axis] > 0.0 ? 1 : 0);
}

/** The closest point of the surface of the cube from -5 to 5. */
inline Vector
ClosestOnCube(const Vector & point)
{
  Vector closest = point;
  for (double & x : closest)
  {
    x = std::max(-5.0, std::min(5.0, x));
  }
  if (closest == point)
  {
    const std::size_t axis = LargestAxis(point);
    closest[axis] = point[axis] < 0.0 ? -5.0 : 5.0;
  }
  return closest;
}

inline Vector
CenterOfCell(vtkPolyData * surface, vtkIdType cell)
{
  vtkIdType         count = 0;
  const vtkIdType * corners = nullptr;
  surface->GetCellPoints(cell, count, corners);
  Vector center{};
  for (vtkIdType i = 0; i < count; ++i)
  {
    Vector point;
    surface->GetPoint(corners[i], point.data());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      center[axis] += point[axis] / static_cast<double>(count);
    }
  }
  return center;
}

/** A cube around 0 whose sides are cut into parts^2 squares, and those into triangles; points of different sides are
 * apart. One side may be cut into finer ones. */
inline vtkSmartPointer<vtkPolyData>
MakeCube(double half, int parts, int timesOnOneSide = 1)
{
  auto                 cube = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints>    points;
  vtkNew<vtkCellArray> triangles;
  points->SetDataTypeToDouble();
  for (std::size_t side = 0; side < 6; ++side)
  {
    const int         cuts = side == 0 ? parts * timesOnOneSide : parts;
    const double      sign = side % 2 == 0 ? -1.0 : 1.0;
    const std::size_t axis = side / 2;
    const auto        add = [&](int i, int j) {
      Vector point;
      point[axis] = sign * half;
      point[(axis + 1) % 3] = half * (2.0 * i / cuts - 1.0);
      point[(axis + 2) % 3] = half * (2.0 * j / cuts - 1.0);
      return points->InsertNextPoint(point.data());
    };
    for (int i = 0; i < cuts; ++i)
    {
      for (int j = 0; j < cuts; ++j)
      {
        const vtkIdType a = add(i, j);
        const vtkIdType b = add(i + 1, j);
        const vtkIdType c = add(i + 1, j + 1);
        const vtkIdType d = add(i, j + 1);
        for (const auto & corners : { std::array<vtkIdType, 3>{ a, b, c }, std::array<vtkIdType, 3>{ a, c, d } })
        {
          const std::array<vtkIdType, 3> turned{ corners[0], corners[2], corners[1] };
          triangles->InsertNextCell(3, sign > 0.0 ? corners.data() : turned.data());
        }
      }
    }
  }
  cube->SetPoints(points);
  cube->SetPolys(triangles);
  return cube;
}

/** A sphere around 0, of quadrilaterals cut into triangles. */
inline vtkSmartPointer<vtkPolyData>
MakeSphere(double radius, int resolution)
{
  vtkNew<vtkSphereSource> source;
  source->SetRadius(radius);
  source->SetThetaResolution(2 * resolution);
  source->SetPhiResolution(resolution);
  source->SetOutputPointsPrecision(vtkAlgorithm::DOUBLE_PRECISION);
  source->Update();
  return source->GetOutput();
}

/** The distance to a sphere, on a grid whose axes are not those of space and whose first index is not 0; maybe on
 * one that is mirrored. */
inline SignedDistanceImage::Pointer
SphereDistance(const Vector & center, double radius, bool isMirrored)
{
  SignedDistanceImage::DirectionType direction;
  const double                       cosine = std::cos(0.4);
  const double                       sine = std::sin(0.4);
  const double                       rows[3][3] = { { cosine, -sine, 0.0 }, { sine, cosine, 0.0 }, { 0.0, 0.0, 1.0 } };
  for (unsigned int row = 0; row < 3; ++row)
  {
    for (unsigned int column = 0; column < 3; ++column)
    {
      direction[row][column] = column == 1 && isMirrored ? -rows[row][column] : rows[row][column];
    }
  }
  const auto                       image = SignedDistanceImage::New();
  SignedDistanceImage::RegionType  region;
  SignedDistanceImage::SpacingType spacing;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    spacing[axis] = 0.9 + 0.1 * axis;
    region.SetSize(axis, 30 - axis);
    region.SetIndex(axis, static_cast<int>(axis) - 4);
  }
  image->SetRegions(region);
  image->SetSpacing(spacing);
  image->SetDirection(direction);
  image->Allocate();
  // The origin that puts the middle voxel at the center of the sphere.
  itk::ContinuousIndex<double, 3> middle;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    middle[axis] = static_cast<double>(region.GetIndex(axis)) + 0.5 * static_cast<double>(region.GetSize(axis));
  }
  SignedDistanceImage::PointType point;
  image->TransformContinuousIndexToPhysicalPoint(middle, point);
  SignedDistanceImage::PointType origin;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    origin[axis] = center[axis] - point[axis];
  }
  image->SetOrigin(origin);
  for (itk::ImageRegionIteratorWithIndex<SignedDistanceImage> voxel(image, region); !voxel.IsAtEnd(); ++voxel)
  {
    image->TransformIndexToPhysicalPoint(voxel.GetIndex(), point);
    voxel.Set(static_cast<float>(Distance({ point[0], point[1], point[2] }, center) - radius));
  }
  return image;
}

} // namespace cudaneuro::test

#endif
