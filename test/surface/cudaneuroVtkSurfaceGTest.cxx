// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParameterLimits.h"
#include "surface/VtkShapes.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCubeSource.h>
#include <vtkDoubleArray.h>
#include <vtkFeatureEdges.h>
#include <vtkIntArray.h>
#include <vtkMassProperties.h>
#include <vtkPointData.h>
#include <vtkReverseSense.h>
#include <vtkSphereSource.h>
#include <vtkStripper.h>

#include <gtest/gtest.h>

using namespace cudaneuro;
using namespace cudaneuro::test;

namespace
{

/** Edges with one triangle, or with more than two. */
vtkIdType
CountBadEdges(vtkPolyData * surface)
{
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputData(surface);
  edges->BoundaryEdgesOn();
  edges->NonManifoldEdgesOn();
  edges->FeatureEdgesOff();
  edges->ManifoldEdgesOff();
  edges->Update();
  return edges->GetOutput()->GetNumberOfCells();
}

/** The closest point of the surface of the cube from -5 to 5. */
Vector
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

double
Linear(const Vector & point)
{
  return 2.0 * point[0] - point[1] + 3.0 * point[2] + 1.0;
}

} // namespace

class VtkSurfaceDirections : public testing::TestWithParam<std::tuple<bool, SurfaceContouring>>
{};

TEST_P(VtkSurfaceDirections, ZeroLevelIsInPhysicalSpaceAndPointsOutward)
{
  const double radius = 9.0;
  const Vector center{ 12.0, -3.0, 40.0 };
  const auto [isMirrored, contouring] = GetParam();
  const auto image = SphereDistance(center, radius, isMirrored);
  Context    context{ Device() };
  const auto surface = SignedDistanceToSurface(context, image, nullptr, contouring);

  EXPECT_EQ(CountBadEdges(surface), 0);
  EXPECT_GT(surface->GetNumberOfPolys(), 1000);
  // Chords of a circle are off by the square of their length / (8 radius): those along edges of voxels, which are 1.1
  // mm long at most, and those between the corners of a cell, in which vertices that keep edges are means of crossings.
  const double squaredChord = (contouring == SurfaceContouring::KeepEdges ? 3.0 : 1.0) * 1.1 * 1.1;
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    Vector point;
    surface->GetPoint(i, point.data());
    EXPECT_NEAR(Distance(point, center), radius, squaredChord / (8.0 * radius) + 1e-4);
    Vector normal;
    surface->GetPointData()->GetNormals()->GetTuple(i, normal.data());
    double along = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      along += normal[axis] * (point[axis] - center[axis]) / radius;
    }
    EXPECT_GT(along, 0.9);
  }
  const SurfaceSize size = MeasureSurface(surface);
  // The polyhedron is inside the sphere by up to 2 % of its radius.
  EXPECT_NEAR(size.volume, 4.0 / 3.0 * pi * radius * radius * radius, 0.03 * size.volume);
  EXPECT_NEAR(size.area, 4.0 * pi * radius * radius, 0.02 * size.area);
}

INSTANTIATE_TEST_SUITE_P(
  VtkSurface,
  VtkSurfaceDirections,
  testing::Combine(testing::Bool(), testing::Values(SurfaceContouring::MarchingCubes, SurfaceContouring::KeepEdges)),
  [](const auto & parameter) {
    return std::string(std::get<0>(parameter.param) ? "Mirrored" : "RightHanded") +
           testing::PrintToString(std::get<1>(parameter.param));
  });

TEST(VtkSurface, ContouringsHaveNames)
{
  for (const auto contouring : { SurfaceContouring::MarchingCubes, SurfaceContouring::KeepEdges })
  {
    auto parsed = SurfaceContouring::MarchingCubes;
    FromName(testing::PrintToString(contouring), parsed);
    EXPECT_EQ(parsed, contouring);
  }
  SurfaceContouring contouring{};
  ExpectRefused([&] { FromName("Cubes", contouring); }, "MarchingCubes, KeepEdges");
}

TEST(VtkSurface, DistancesWithoutASurfaceAreRefused)
{
  const auto image = SphereDistance({ 0.0, 0.0, 0.0 }, 9.0, false);
  image->FillBuffer(2.5f);
  Context context{ Device() };
  for (const auto contouring : { SurfaceContouring::MarchingCubes, SurfaceContouring::KeepEdges })
  {
    ExpectRefused([&] { SignedDistanceToSurface(context, image, nullptr, contouring); },
                  "distance is from 2.5 to 2.5 mm");
  }
}

class VtkSurfaceArrays : public testing::TestWithParam<SurfaceContouring>
{};

TEST_P(VtkSurfaceArrays, ComeFromTheClosestPoints)
{
  const auto            cube = MakeCube(5.0, 4);
  vtkNew<vtkFloatArray> linear;
  vtkNew<vtkIntArray>   number;
  linear->SetName("Linear");
  number->SetName("Number");
  for (vtkIdType i = 0; i < cube->GetNumberOfPoints(); ++i)
  {
    Vector point;
    cube->GetPoint(i, point.data());
    linear->InsertNextValue(static_cast<float>(Linear(point)));
    number->InsertNextValue(static_cast<int>(i));
  }
  vtkNew<vtkIntArray> side;
  side->SetName("Side");
  for (vtkIdType i = 0; i < cube->GetNumberOfCells(); ++i)
  {
    side->InsertNextValue(SideOf(CenterOfCell(cube, i)));
  }
  cube->GetPointData()->SetScalars(linear);
  cube->GetPointData()->AddArray(number);
  cube->GetCellData()->AddArray(side);

  Context    context{ Device(), 2 };
  const auto surface =
    SignedDistanceToSurface(context, SphereDistance({ 0.0, 0.0, 0.0 }, 6.0, false), cube, GetParam());
  auto * points = surface->GetPointData();
  ASSERT_NE(points->GetArray("Linear"), nullptr);
  ASSERT_NE(points->GetArray("Number"), nullptr);
  EXPECT_EQ(points->GetScalars(), points->GetArray("Linear"));
  EXPECT_EQ(points->GetArray("Number")->GetDataType(), VTK_INT);
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    Vector point;
    surface->GetPoint(i, point.data());
    const Vector closest = ClosestOnCube(point);
    // Linear in the flat triangles of the cube, and rounded to float.
    EXPECT_NEAR(points->GetArray("Linear")->GetComponent(i, 0), Linear(closest), 1e-5);
    Vector corner;
    cube->GetPoint(static_cast<vtkIdType>(points->GetArray("Number")->GetComponent(i, 0)), corner.data());
    // Triangles have edges of 2.5 mm and 2.5 sqrt(2) mm: a point is no farther than 2 mm from the closest corner.
    EXPECT_LT(Distance(corner, closest), 2.0);
  }
  ASSERT_NE(surface->GetCellData()->GetArray("Side"), nullptr);
  int compared = 0;
  for (vtkIdType i = 0; i < surface->GetNumberOfCells(); ++i)
  {
    const Vector center = CenterOfCell(surface, i);
    const Vector closest = ClosestOnCube(center);
    // At an edge two sides are as close.
    if (SecondLargest(closest) < 4.99)
    {
      EXPECT_EQ(surface->GetCellData()->GetArray("Side")->GetComponent(i, 0), SideOf(center));
      ++compared;
    }
  }
  EXPECT_GT(compared, 1000);
}

INSTANTIATE_TEST_SUITE_P(VtkSurface,
                         VtkSurfaceArrays,
                         testing::Values(SurfaceContouring::MarchingCubes, SurfaceContouring::KeepEdges),
                         testing::PrintToStringParamName());

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

TEST(VtkSurface, SpacingsAreChecked)
{
  Context    context{ Device() };
  const auto cube = MakeCube(5.0, 4);
  const auto withSpacing = [&](double spacing) {
    return [&, spacing] {
      SurfaceGridParameters parameters;
      parameters.voxelSize = spacing;
      SurfaceToSignedDistance(context, parameters, cube);
    };
  };
  ExpectRefused(withSpacing(-1.0), "VoxelSize is -1; it must be from 1e-09 to 1e+09, or 0");
  ExpectRefused(withSpacing(std::nan("")), "VoxelSize is nan; it must be from 1e-09 to 1e+09, or 0");
  ExpectRefused(withSpacing(5.5), "VoxelSize is 5.5 mm; it must be above 0 and no more than half");
  ExpectRefused(withSpacing(5.5), "10 mm of 10 x 10 x 10");
  ExpectRefused(withSpacing(0.001), "VoxelSize is 0.001 mm, with which the surface needs");
  ExpectRefused(withSpacing(0.001), "mm or more, so that there are 2^31 at most");
  // A fortieth of the longest side, less than the mean edge.
  EXPECT_NEAR(RecommendedVoxelSize(cube), 0.25, 1e-12);
  // Edges of 0.1 mm along both axes, and diagonals.
  EXPECT_NEAR(RecommendedVoxelSize(MakeCube(5.0, 100)), 0.1 * (2.0 + std::sqrt(2.0)) / 3.0, 1e-9);
}

/** A cube that is larger than the reach, so that the grid is not too large. */
TEST(VtkSurface, GridsAtTheLimitsOfParameters)
{
  std::vector<parameterlimits::NumberRun> list;
  parameterlimits::AddNumbers(
    list, SurfaceGridParameters(), [](Context & context, const SurfaceGridParameters & parameters, double) {
      const double largest = 1e6;
      const auto   cube = MakeCube(std::max(5.0, std::min(largest, parameters.reach)), 4);
      const auto   distance = SurfaceToSignedDistance(context, parameters, cube);
      const auto   count = distance->GetLargestPossibleRegion().GetNumberOfPixels();
      return parameterlimits::Outcome{ { distance->GetBufferPointer(), distance->GetBufferPointer() + count }, {} };
    });
  Context context{ Device() };
  parameterlimits::ExpectRefusedOrRight(context, list);
}

TEST(VtkSurface, BadSurfacesAreRefused)
{
  Context               context{ Device() };
  vtkNew<vtkPolyData>   empty;
  SurfaceGridParameters parameters;
  ExpectRefused([&] { SurfaceToSignedDistance(context, parameters, empty); }, "surface has no triangles");
  ExpectRefused([&] { MeasureSurface(empty); }, "surface has no triangles, among 0 cells of 0 points");
  const auto cube = MakeCube(5.0, 4);
  cube->GetPoints()->SetPoint(7, 0.0, std::numeric_limits<double>::infinity(), 0.0);
  ExpectRefused([&] { SurfaceToSignedDistance(context, parameters, cube); },
                "surface has the coordinate inf at point 7");
}
