// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/VtkShapes.h"

#include <vtkAppendPolyData.h>
#include <vtkMassProperties.h>
#include <vtkPointData.h>
#include <vtkReverseSense.h>

#include <gtest/gtest.h>

// Distances, angles and sizes of surfaces.

using namespace cudaneuro;
using namespace cudaneuro::test;

namespace
{

/** The side of a cube at x = 5 alone, of parts^2 squares, turned around the z axis. */
vtkSmartPointer<vtkPolyData>
MakeTurnedSide(int parts, double turn)
{
  const auto           cube = MakeCube(5.0, parts);
  auto                 side = vtkSmartPointer<vtkPolyData>::New();
  vtkNew<vtkPoints>    points;
  vtkNew<vtkCellArray> triangles;
  points->SetDataTypeToDouble();
  for (vtkIdType i = 0; i < cube->GetNumberOfPoints(); ++i)
  {
    Vector point;
    cube->GetPoint(i, point.data());
    points->InsertNextPoint(std::cos(turn) * point[0] - std::sin(turn) * point[1],
                            std::sin(turn) * point[0] + std::cos(turn) * point[1],
                            point[2]);
  }
  for (vtkIdType i = 0; i < cube->GetNumberOfCells(); ++i)
  {
    if (SideOf(CenterOfCell(cube, i)) == 1)
    {
      triangles->InsertNextCell(cube->GetCell(i));
    }
  }
  side->SetPoints(points);
  side->SetPolys(triangles);
  return side;
}

} // namespace

TEST(VtkSurface, DistancesBetweenCubes)
{
  Context    context{ Device(), 2 };
  const auto comparison = CompareSurfaces(context, MakeCube(5.0, 1), MakeCube(6.0, 1));
  for (const double value : { comparison.firstToSecond.mean,
                              comparison.firstToSecond.rootMeanSquare,
                              comparison.firstToSecond.percentile95,
                              comparison.firstToSecond.maximum })
  {
    EXPECT_NEAR(value, 1.0, 1e-12);
  }
  EXPECT_NEAR(comparison.first.volume, 1000.0, 1e-9);
  EXPECT_NEAR(comparison.second.volume, 1728.0, 1e-9);
  EXPECT_NEAR(comparison.first.area, 600.0, 1e-9);
  EXPECT_NEAR(comparison.second.area, 864.0, 1e-9);
  EXPECT_NEAR(comparison.secondToFirst.maximum, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(comparison.symmetric.maximum, std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(comparison.symmetric.mean,
              (600.0 * comparison.firstToSecond.mean + 864.0 * comparison.secondToFirst.mean) / 1464.0,
              1e-9);
}

TEST(VtkSurface, PointsOfNoTriangleHaveNoDistance)
{
  Context    context{ Device(), 2 };
  const auto surface = MakeCube(5.0, 4);
  surface->GetPoints()->InsertNextPoint(500.0, 0.0, 0.0);
  const auto comparison = CompareSurfaces(context, surface, MakeCube(5.0, 4));
  EXPECT_LT(comparison.firstToSecond.maximum, 1e-6);
  EXPECT_LT(comparison.secondToFirst.maximum, 1e-6);
}

TEST(VtkSurface, DistancesDoNotDependOnTheDensityOfPoints)
{
  // The distances from a cube's surface to that of a smaller one, on a fine grid of points of one side.
  double    mean = 0.0;
  double    square = 0.0;
  const int count = 600;
  for (int i = 0; i < count; ++i)
  {
    for (int j = 0; j < count; ++j)
    {
      const Vector point{ 6.0, -6.0 + 12.0 * (i + 0.5) / count, -6.0 + 12.0 * (j + 0.5) / count };
      const double distance = Distance(point, ClosestOnCube(point));
      mean += distance / (count * count);
      square += distance * distance / (count * count);
    }
  }
  Context context{ Device(), 2 };
  for (const int parts : { 1, 12, 30 })
  {
    const auto comparison = CompareSurfaces(context, MakeCube(6.0, parts, 3), MakeCube(5.0, 60));
    // Samples are up to 0.5 mm apart; the distance bends within 1 mm of the edges.
    EXPECT_NEAR(comparison.firstToSecond.mean, mean, 0.005) << parts;
    EXPECT_NEAR(comparison.firstToSecond.rootMeanSquare, std::sqrt(square), 0.005) << parts;
  }
}

TEST(VtkSurface, SquaredDistancesAreIntegratedExactly)
{
  // One side of a cube gets heights at its points; between them they are linear, and the other cube's side is flat.
  const auto   flat = MakeCube(5.0, 10);
  const auto   rough = MakeCube(5.0, 10);
  const double heights[] = { 0.1, -0.05, 0.02, 0.0 };
  double       square = 0.0;
  double       area = 0.0;
  for (vtkIdType i = 0; i < rough->GetNumberOfPoints(); ++i)
  {
    Vector point;
    rough->GetPoint(i, point.data());
    if (point[0] == 5.0 && std::abs(point[1]) < 4.5 && std::abs(point[2]) < 4.5)
    {
      rough->GetPoints()->SetPoint(i, 5.0 + heights[i % 4], point[1], point[2]);
    }
  }
  for (vtkIdType i = 0; i < rough->GetNumberOfCells(); ++i)
  {
    vtkIdType         count = 0;
    const vtkIdType * corners = nullptr;
    rough->GetCellPoints(i, count, corners);
    std::array<Vector, 3> points;
    for (std::size_t corner = 0; corner < 3; ++corner)
    {
      rough->GetPoint(corners[corner], points[corner].data());
    }
    const auto & [a, b, c] = points;
    const Vector normal{ (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
                         (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
                         (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) };
    const double own = 0.5 * std::hypot(normal[0], normal[1], normal[2]);
    area += own;
    if (SideOf(CenterOfCell(rough, i)) == 1)
    {
      const double x = a[0] - 5.0;
      const double y = b[0] - 5.0;
      const double z = c[0] - 5.0;
      square += own * (x * x + y * y + z * z + x * y + y * z + z * x) / 6.0;
    }
  }
  Context    context{ Device(), 2 };
  const auto comparison = CompareSurfaces(context, rough, flat);
  // Only rounding: 1e-15 of 5 mm, beside 0.05 mm.
  EXPECT_NEAR(comparison.firstToSecond.rootMeanSquare, std::sqrt(square / area), 1e-12);
  EXPECT_NEAR(comparison.firstToSecond.maximum, 0.1, 1e-12);
}

TEST(VtkSurface, AnglesOfSheets)
{
  // Of two sheets that are turned by 20 degrees all normals are 20 degrees apart, wherever points are closest. How
  // fine the triangles are makes no difference.
  Context context{ Device(), 2 };
  for (const int parts : { 1, 7, 30 })
  {
    const auto comparison = CompareSurfaces(context, MakeTurnedSide(5, 0.0), MakeTurnedSide(parts, 20.0 * pi / 180.0));
    for (const SurfaceAngles & angles :
         { comparison.anglesOfFirst, comparison.anglesOfSecond, comparison.symmetricAngles })
    {
      EXPECT_NEAR(angles.mean, 20.0, 1e-9);
      EXPECT_NEAR(angles.rootMeanSquare, 20.0, 1e-9);
    }
  }
  const auto cube = MakeCube(5.0, 3);
  EXPECT_EQ(CompareSurfaces(context, cube, cube).symmetricAngles.rootMeanSquare, 0.0);
}

TEST(VtkSurface, AnglesOfASurfaceInsideOut)
{
  const auto              sphere = MakeSphere(6.0, 30);
  const auto              inner = MakeSphere(5.0, 60);
  vtkNew<vtkReverseSense> reverse;
  reverse->SetInputData(inner);
  reverse->ReverseCellsOn();
  reverse->Update();
  Context    context{ Device(), 2 };
  const auto outward = CompareSurfaces(context, sphere, inner);
  const auto inward = CompareSurfaces(context, sphere, reverse->GetOutput());
  // Triangles of the finer sphere are 3 degrees wide, those of the other 6. What is closest to an edge takes one of its
  // triangles by rounding, which differs with the order of corners.
  EXPECT_LT(outward.symmetricAngles.mean, 6.0);
  EXPECT_GT(outward.symmetricAngles.mean, 0.0);
  EXPECT_NEAR(inward.symmetricAngles.mean, outward.symmetricAngles.mean, 0.2);
  EXPECT_NEAR(inward.symmetricAngles.rootMeanSquare, outward.symmetricAngles.rootMeanSquare, 0.2);
  EXPECT_LT(inward.second.volume, 0.0);
}

/** Surfaces of neighboring parts, as those of labels, lie on each other with opposite senses. */
TEST(VtkSurface, AnglesOfPartsThatTouch)
{
  const auto first = MakeCube(5.0, 4);
  const auto second = MakeCube(5.0, 4);
  for (vtkIdType i = 0; i < second->GetNumberOfPoints(); ++i)
  {
    Vector point;
    second->GetPoint(i, point.data());
    second->GetPoints()->SetPoint(i, point[0] + 10.0, point[1], point[2]);
  }
  vtkNew<vtkAppendPolyData> both;
  both->AddInputData(first);
  both->AddInputData(second);
  vtkNew<vtkReverseSense> reverse;
  reverse->SetInputConnection(both->GetOutputPort());
  reverse->ReverseCellsOn();
  reverse->Update();
  Context context{ Device(), 2 };
  for (vtkPolyData * const other : { both->GetOutput(), reverse->GetOutput() })
  {
    EXPECT_EQ(CompareSurfaces(context, both->GetOutput(), other).symmetricAngles.rootMeanSquare, 0.0);
  }
}

TEST(VtkSurface, SizesAgreeWithVtk)
{
  const auto                surface = MakeSphere(7.0, 120);
  vtkNew<vtkMassProperties> properties;
  properties->SetInputData(surface);
  const SurfaceSize size = MeasureSurface(surface);
  EXPECT_NEAR(size.volume, properties->GetVolume(), 1e-3 * size.volume);
  EXPECT_NEAR(size.area, properties->GetSurfaceArea(), 1e-6 * size.area);
  EXPECT_GT(size.volume, 0.0);
}

TEST(VtkSurface, DistancesAreAddedAtPoints)
{
  Context    context{ Device() };
  const auto surface = MakeSphere(6.0, 20);
  AddDistances(context, surface, MakeSphere(5.0, 200));
  vtkDataArray * const distances = surface->GetPointData()->GetArray("Distance");
  ASSERT_NE(distances, nullptr);
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    // The inner one's triangles are up to (pi / 200)^2 / 2 of its radius inside the sphere.
    EXPECT_NEAR(distances->GetComponent(i, 0), 1.0, 2e-3);
  }
}
