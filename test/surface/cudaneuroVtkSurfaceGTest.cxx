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
#include <vtkPointData.h>
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
