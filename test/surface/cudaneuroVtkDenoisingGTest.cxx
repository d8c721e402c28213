// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "surface/VtkShapes.h"

#include <vtkCellData.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkStripper.h>

#include <gtest/gtest.h>

#include <map>
#include <random>

using namespace cudaneuro;
using namespace cudaneuro::test;

namespace
{

/** The distance to the cube from -5 to 5, negative inside. */
double
DistanceToCube(const Vector & point)
{
  Vector outside{};
  double inside = -std::numeric_limits<double>::max();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    outside[axis] = std::max(0.0, std::abs(point[axis]) - 5.0);
    inside = std::max(inside, std::abs(point[axis]) - 5.0);
  }
  return inside > 0.0 ? Distance(outside, {}) : inside;
}

/** Compares an image with the distance to the cube, up to the reach. */
void
ExpectCube(const SignedDistanceImage * image, double reach)
{
  itk::ImageRegionConstIteratorWithIndex<SignedDistanceImage> voxel(image, image->GetLargestPossibleRegion());
  std::size_t                                                 wrong = 0;
  for (; !voxel.IsAtEnd(); ++voxel)
  {
    SignedDistanceImage::PointType point;
    image->TransformIndexToPhysicalPoint(voxel.GetIndex(), point);
    const double expected = std::max(-reach, std::min(reach, DistanceToCube({ point[0], point[1], point[2] })));
    // float has 7 digits.
    wrong += std::abs(static_cast<double>(voxel.Get()) - expected) > 1e-5 ? 1 : 0;
  }
  EXPECT_EQ(wrong, 0u);
}

/** A cube whose vertices have Gaussian noise of 0.1 mm along each axis; points of different sides, which are apart,
 * move together. */
vtkSmartPointer<vtkPolyData>
MakeNoisyCube()
{
  const auto                       cube = MakeCube(5.0, 12);
  std::mt19937                     generator(5);
  std::normal_distribution<double> noise(0.0, 0.1);
  std::map<Vector, Vector>         moved;
  for (vtkIdType i = 0; i < cube->GetNumberOfPoints(); ++i)
  {
    Vector point;
    cube->GetPoint(i, point.data());
    const auto [place, isNew] = moved.try_emplace(point, point);
    for (std::size_t axis = 0; isNew && axis < 3; ++axis)
    {
      place->second[axis] += noise(generator);
    }
    cube->GetPoints()->SetPoint(i, place->second.data());
  }
  return cube;
}

/** A surface whose points in the same place are joined. */
struct JoinedMesh
{
  std::vector<double>       points;
  std::vector<std::int32_t> triangles;
  std::vector<std::size_t>  vertexOfPoint;
};

JoinedMesh
JoinPoints(vtkPolyData * surface)
{
  JoinedMesh                    mesh;
  std::map<Vector, std::size_t> vertices;
  for (vtkIdType i = 0; i < surface->GetNumberOfPoints(); ++i)
  {
    Vector point;
    surface->GetPoint(i, point.data());
    const auto [place, isNew] = vertices.try_emplace(point, vertices.size());
    mesh.vertexOfPoint.push_back(place->second);
    if (isNew)
    {
      mesh.points.insert(mesh.points.end(), point.begin(), point.end());
    }
  }
  for (vtkIdType cell = 0; cell < surface->GetNumberOfCells(); ++cell)
  {
    vtkIdType         count = 0;
    const vtkIdType * corners = nullptr;
    surface->GetCellPoints(cell, count, corners);
    for (vtkIdType i = 0; i < count; ++i)
    {
      mesh.triangles.push_back(static_cast<std::int32_t>(mesh.vertexOfPoint[static_cast<std::size_t>(corners[i])]));
    }
  }
  return mesh;
}

} // namespace

class VtkDenoising : public DeviceTest
{};

TEST_P(VtkDenoising, DistanceOfACube)
{
  Context &             context = this->GetContext();
  SurfaceGridParameters parameters;
  parameters.voxelSize = 0.6;
  parameters.reach = 2.0;
  SurfaceGridResult result;
  const auto        cube = MakeCube(5.0, 3);
  ExpectCube(SurfaceToSignedDistance(context, parameters, cube, &result), 2.0);
  EXPECT_EQ(result.voxelSize, 0.6);
  EXPECT_EQ(result.reach, 2.0);
  EXPECT_EQ(result.ambiguousVoxels, 0);

  vtkNew<vtkStripper> strips;
  strips->SetInputData(cube);
  strips->Update();
  ASSERT_GT(strips->GetOutput()->GetNumberOfStrips(), 0);
  ExpectCube(SurfaceToSignedDistance(context, parameters, strips->GetOutput()), 2.0);
}

TEST_P(VtkDenoising, DefectsAreCounted)
{
  const auto cube = MakeCube(5.0, 3);
  EXPECT_TRUE(FindSurfaceDefects(cube).IsClosed());
  // Without one triangle.
  vtkNew<vtkPolyData>  open;
  vtkNew<vtkCellArray> triangles;
  triangles->DeepCopy(cube->GetPolys());
  open->SetPoints(cube->GetPoints());
  open->SetPolys(triangles);
  open->BuildLinks();
  open->DeleteCell(0);
  open->RemoveDeletedCells();
  EXPECT_EQ(FindSurfaceDefects(open).openEdges, 3);
  Context & context = this->GetContext();
  ExpectRefused([&] { SurfaceToSignedDistance(context, {}, open); }, "3");
}

/** Parameters of both steps are looked at before the first, which would refuse a surface without triangles. */
TEST_P(VtkDenoising, ParametersAreCheckedFirst)
{
  const auto               none = vtkSmartPointer<vtkPolyData>::New();
  DenoiseSurfaceParameters parameters;
  parameters.grid.voxelSize = -1.0;
  ExpectInvalidParameter([&] { DenoiseSurface(this->GetContext(), parameters, none); }, "VoxelSize", "-1");
  parameters.grid.voxelSize = 1.0;
  parameters.levelSet.patchSize = 4;
  ExpectInvalidParameter([&] { DenoiseSurface(this->GetContext(), parameters, none); }, "PatchSize", "4");
}

TEST_P(VtkDenoising, ASphereStaysWithItsArrays)
{
  const auto          sphere = MakeSphere(10.0, 60);
  vtkNew<vtkIntArray> half;
  half->SetName("Half");
  for (vtkIdType i = 0; i < sphere->GetNumberOfCells(); ++i)
  {
    half->InsertNextValue(CenterOfCell(sphere, i)[2] > 0.0 ? 7 : 3);
  }
  sphere->GetCellData()->AddArray(half);
  DenoiseSurfaceParameters parameters;
  parameters.grid.voxelSize = 0.5;
  DenoiseSurfaceResult result;
  Context &            context = this->GetContext();
  const auto           denoised = DenoiseSurface(context, parameters, sphere, &result);

  EXPECT_GT(result.levelSet.bandVoxels, 0);
  Grid cubic;
  cubic.spacing.fill(0.5);
  EXPECT_EQ(result.grid.reach, RecommendedReach(parameters.levelSet, cubic));
  const auto comparison = CompareSurfaces(context, sphere, denoised);
  // Triangles of half a voxel's length cut off 0.5^2 / (8 10) mm, 0.1 % of the volume; the filter may change as much.
  EXPECT_NEAR(comparison.second.volume, comparison.first.volume, 0.003 * comparison.first.volume);
  // Patches that the surface passes in directions which are nearly the same are alike: no point moves by a third of a
  // voxel.
  EXPECT_LT(comparison.symmetric.maximum, 0.5 / 3.0);
  vtkDataArray * const carried = denoised->GetCellData()->GetArray("Half");
  ASSERT_NE(carried, nullptr);
  for (vtkIdType i = 0; i < denoised->GetNumberOfCells(); ++i)
  {
    const double z = CenterOfCell(denoised, i)[2];
    // Triangles of the sphere are 0.5 mm long, those between the halves belong to either.
    if (std::abs(z) > 0.6)
    {
      EXPECT_EQ(carried->GetComponent(i, 0), z > 0.0 ? 7 : 3);
    }
  }
}

TEST_P(VtkDenoising, VerticesMoveAsTheEngineMovesThem)
{
  Context &           context = this->GetContext();
  const auto          cube = MakeNoisyCube();
  const auto          mesh = JoinPoints(cube);
  vtkNew<vtkIntArray> number;
  number->SetName("Number");
  for (vtkIdType i = 0; i < cube->GetNumberOfPoints(); ++i)
  {
    number->InsertNextValue(static_cast<int>(i));
  }
  cube->GetPointData()->SetScalars(number);
  std::vector<double> expected(mesh.points.size());
  const auto          engine = DenoiseMesh(context,
                                  {},
                                  { mesh.points.data(),
                                             static_cast<std::int64_t>(mesh.points.size() / 3),
                                             mesh.triangles.data(),
                                             static_cast<std::int64_t>(mesh.triangles.size() / 3) },
                                  expected.data());
  MeshDenoisingResult result;
  const auto          denoised = DenoiseSurface(context, MeshDenoisingParameters(), cube, &result);
  EXPECT_EQ(result.noise, engine.noise);
  EXPECT_EQ(result.outputVolume, engine.outputVolume);
  EXPECT_EQ(result.borderEdges, 0);
  ASSERT_EQ(denoised->GetNumberOfPoints(), cube->GetNumberOfPoints());
  ASSERT_EQ(denoised->GetNumberOfCells(), cube->GetNumberOfCells());
  double farthest = 0.0;
  for (vtkIdType i = 0; i < denoised->GetNumberOfPoints(); ++i)
  {
    Vector point;
    Vector before;
    denoised->GetPoint(i, point.data());
    cube->GetPoint(i, before.data());
    farthest = std::max(farthest, Distance(point, before));
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      EXPECT_EQ(point[axis], expected[3 * mesh.vertexOfPoint[static_cast<std::size_t>(i)] + axis]);
    }
    EXPECT_EQ(denoised->GetPointData()->GetScalars()->GetComponent(i, 0), i);
  }
  // The points of the input stay; those of the result have moved by the noise.
  EXPECT_GT(farthest, 0.1);
  EXPECT_EQ(denoised->GetPointData()->GetNormals(), nullptr);
}

TEST_P(VtkDenoising, NormalsAreComputedAnew)
{
  Context &             context = this->GetContext();
  const auto            cube = MakeNoisyCube();
  vtkNew<vtkFloatArray> ofPoints;
  vtkNew<vtkFloatArray> ofCells;
  for (auto * const normals : { ofPoints.Get(), ofCells.Get() })
  {
    normals->SetName("Old");
    normals->SetNumberOfComponents(3);
    normals->SetNumberOfTuples(normals == ofPoints ? cube->GetNumberOfPoints() : cube->GetNumberOfCells());
    normals->Fill(0.0);
  }
  cube->GetPointData()->SetNormals(ofPoints);
  cube->GetCellData()->SetNormals(ofCells);
  const auto denoised = DenoiseSurface(context, MeshDenoisingParameters(), cube);
  EXPECT_EQ(ofCells->GetComponent(0, 0), 0.0f);
  ASSERT_EQ(denoised->GetPointData()->GetNormals(), denoised->GetPointData()->GetArray("Old"));
  vtkDataArray * const normals = denoised->GetCellData()->GetNormals();
  ASSERT_NE(normals, nullptr);
  ASSERT_EQ(normals->GetNumberOfTuples(), denoised->GetNumberOfCells());
  double sum = 0.0;
  for (vtkIdType i = 0; i < denoised->GetNumberOfCells(); ++i)
  {
    const int side = SideOf(CenterOfCell(denoised, i));
    sum += (side % 2 == 0 ? -1.0 : 1.0) * normals->GetComponent(i, side / 2);
  }
  // Of a cube that is flat again, whose triangles at edges may be a few degrees off.
  EXPECT_GT(sum / static_cast<double>(denoised->GetNumberOfCells()), std::cos(5.0 * pi / 180.0));
}

TEST_P(VtkDenoising, BadVerticesAreRefused)
{
  Context &  context = this->GetContext();
  const auto denoise = [&](vtkPolyData * surface, double noise) {
    return [&context, surface, noise] {
      MeshDenoisingParameters parameters;
      parameters.noise = noise;
      DenoiseSurface(context, parameters, surface);
    };
  };
  const auto          cube = MakeCube(5.0, 4);
  vtkNew<vtkPolyData> empty;
  ExpectRefused(denoise(cube, -1.0), "Noise is -1");
  ExpectRefused(denoise(empty, 0.0), "surface has no triangles");
  for (vtkIdType i = 0; i < cube->GetNumberOfPoints(); ++i)
  {
    cube->GetPoints()->SetPoint(i, 1.0, 2.0, 3.0);
  }
  ExpectRefused(denoise(cube, 0.0), "192 triangles, none of which has three different corners");
  cube->GetPoints()->SetPoint(7, 0.0, std::nan(""), 0.0);
  ExpectRefused(denoise(cube, 0.0), "surface has the coordinate nan at point 7");
}

CUDANEURO_TEST_ON_ALL_DEVICES(VtkDenoising);
