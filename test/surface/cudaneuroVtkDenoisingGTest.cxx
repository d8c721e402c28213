// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "surface/VtkShapes.h"

#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkStripper.h>

#include <gtest/gtest.h>

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

CUDANEURO_TEST_ON_ALL_DEVICES(VtkDenoising);
