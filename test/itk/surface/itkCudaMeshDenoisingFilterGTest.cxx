// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Meshes of ITK in, denoised meshes of ITK out.

#include "SurfaceMeshes.h"
#include "cudaneuro/SyntheticSurfaces.h"
#include "itkCudaMeshDenoisingFilter.h"
#include "itkLineCell.h"

using namespace surfacemeshes;

namespace
{

using FilterType = itk::CudaMeshDenoisingFilter<MeshType>;

cudaneuro::SyntheticMesh
NoisySphere()
{
  cudaneuro::Context host{ cudaneuro::Device{} };
  return AddNoise(cudaneuro::SyntheticSurface(cudaneuro::SyntheticShape::Sphere, 8.0).MakeMesh(host, 1.0), {});
}

/** A mesh with numbers as data of points and cells. */
MeshType::Pointer
ToItk(const cudaneuro::SyntheticMesh & surface)
{
  const auto mesh = MeshType::New();
  for (std::size_t i = 0; 3 * i < surface.points.size(); ++i)
  {
    const double * const p = &surface.points[3 * i];
    MeshType::PointType  point;
    point.CastFrom(MakePoint(p[0], p[1], p[2]));
    mesh->SetPoint(i, point);
    mesh->SetPointData(i, static_cast<float>(i));
  }
  for (std::size_t i = 0; i < surface.triangles.size(); i += 3)
  {
    FaceType corners;
    for (std::size_t k = 0; k < 3; ++k)
    {
      corners.push_back(static_cast<itk::IdentifierType>(surface.triangles[i + k]));
    }
    AddCell<itk::TriangleCell>(mesh.GetPointer(), corners);
    mesh->SetCellData(i / 3, static_cast<float>(i));
  }
  return mesh;
}

class CudaMeshDenoisingFilter : public DeviceTest
{
protected:
  FilterType::Pointer
  MakeFilter(const MeshType * mesh)
  {
    const auto filter = OnDevice<FilterType>(itk::ComputeDevice(this->GetParam()), mesh);
    return filter;
  }
};

} // namespace

TEST_P(CudaMeshDenoisingFilter, DenoisesAsTheEngine)
{
  const cudaneuro::SyntheticMesh surface = NoisySphere();
  const auto                     mesh = ToItk(surface);
  const auto                     filter = this->MakeFilter(mesh);
  filter->Update();
  // The mesh of ITK has coordinates of single precision.
  cudaneuro::SyntheticMesh rounded = surface;
  for (double & coordinate : rounded.points)
  {
    coordinate = static_cast<float>(coordinate);
  }
  cudaneuro::SyntheticMesh expected = rounded;
  const auto               result = DenoiseMesh(this->GetContext(), {}, rounded.View(), expected.points.data());
  const MeshType * const   output = filter->GetOutput();
  ASSERT_EQ(output->GetNumberOfPoints(), surface.points.size() / 3);
  for (std::size_t i = 0; 3 * i < surface.points.size(); ++i)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      EXPECT_FLOAT_EQ(output->GetPoint(i)[axis], static_cast<float>(expected.points[3 * i + axis]));
      EXPECT_FLOAT_EQ(mesh->GetPoint(i)[axis], static_cast<float>(surface.points[3 * i + axis])) << "of the input";
    }
  }
  EXPECT_EQ(filter->GetUsedNoise(), result.noise);
  EXPECT_EQ(filter->GetMeanEdgeLength(), result.meanEdgeLength);
  EXPECT_EQ(filter->GetInputVolume(), result.inputVolume);
  EXPECT_EQ(filter->GetOutputVolume(), result.outputVolume);
  EXPECT_EQ(filter->GetNumberOfBorderEdges(), 0u);
}

/** Connections, scalars and labels stay. */
TEST_P(CudaMeshDenoisingFilter, KeepsCellsAndData)
{
  const cudaneuro::SyntheticMesh surface = NoisySphere();
  const auto                     filter = this->MakeFilter(ToItk(surface));
  filter->Update();
  const MeshType * const output = filter->GetOutput();
  ASSERT_EQ(output->GetNumberOfCells(), surface.triangles.size() / 3);
  for (itk::IdentifierType i = 0; i < output->GetNumberOfCells(); ++i)
  {
    MeshType::CellAutoPointer cell;
    ASSERT_TRUE(output->GetCell(i, cell));
    for (unsigned int k = 0; k < 3; ++k)
    {
      EXPECT_EQ(cell->PointIdsBegin()[k], static_cast<itk::IdentifierType>(surface.triangles[3 * i + k]));
    }
    float data = -1.0f;
    ASSERT_TRUE(output->GetCellData(i, &data));
    EXPECT_EQ(data, static_cast<float>(3 * i));
  }
  for (itk::IdentifierType i = 0; i < output->GetNumberOfPoints(); ++i)
  {
    float data = -1.0f;
    ASSERT_TRUE(output->GetPointData(i, &data));
    EXPECT_EQ(data, static_cast<float>(i));
  }
}

/** A cell that was deleted leaves an empty place. */
TEST_P(CudaMeshDenoisingFilter, KeepsNumbersOfCells)
{
  const auto mesh = ToItk(NoisySphere());
  delete mesh->GetCells()->GetElement(0);
  mesh->GetCells()->SetElement(0, nullptr);
  const auto filter = this->MakeFilter(mesh);
  filter->Update();
  const auto * const cells = filter->GetOutput()->GetCells();
  ASSERT_EQ(cells->Size(), mesh->GetCells()->Size());
  EXPECT_EQ(cells->GetElement(0), nullptr);
  ASSERT_NE(cells->GetElement(1), nullptr);
  EXPECT_EQ(*cells->GetElement(1)->PointIdsBegin(), *mesh->GetCells()->GetElement(1)->PointIdsBegin());
  const auto time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time);
}

TEST_P(CudaMeshDenoisingFilter, TakesTheNoise)
{
  const auto filter = this->MakeFilter(ToItk(NoisySphere()));
  filter->SetNoise(0.25);
  filter->Update();
  // It goes through units of the mean edge length and back.
  EXPECT_DOUBLE_EQ(filter->GetUsedNoise(), 0.25);
}

TEST_P(CudaMeshDenoisingFilter, RejectsBadMeshes)
{
  const auto expectError = [&](const MeshType * mesh, const std::string & part) {
    const auto filter = this->MakeFilter(mesh);
    try
    {
      filter->Update();
      ADD_FAILURE() << part << " was accepted";
    }
    catch (const itk::ExceptionObject & error)
    {
      EXPECT_NE(std::string(error.GetDescription()).find(part), std::string::npos) << error;
    }
  };
  expectError(MeshType::New(), "numberOfPoints is 0");
  const auto points = MeshType::New();
  AddCorners(points.GetPointer(), 0, Low(), High());
  expectError(points, "numberOfTriangles is 0");
  const auto lines = Box();
  AddCell<itk::LineCell>(lines.GetPointer(), { 0, 1 });
  expectError(lines, "a surface is made of triangles and polygons");
  const auto filter = this->MakeFilter(Box());
  filter->SetNoise(-1.0);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
}

/** Points in the memory of the CPU, with the numbers of their triangles. */
TEST_P(CudaMeshDenoisingFilter, DenoisesPointsWithTriangles)
{
  using PointsType = itk::DevicePointSet<double, 3>;
  const cudaneuro::SyntheticMesh surface = NoisySphere();
  const auto                     points = PointsType::New();
  points->SetComputeDevice("cpu");
  points->Allocate(surface.points.size() / 3);
  std::copy(surface.points.begin(), surface.points.end(), points->GetDevicePointer());
  const auto filter = OnDevice<itk::CudaMeshDenoisingFilter<PointsType>>(itk::ComputeDevice(this->GetParam()), points);
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
  filter->SetTriangles({ surface.triangles.begin(), surface.triangles.end() });
  filter->Update();
  std::vector<double> expected(surface.points.size());
  const auto          result = DenoiseMesh(this->GetContext(), {}, surface.View(), expected.data());
  ASSERT_EQ(filter->GetOutput()->GetNumberOfPoints(), surface.points.size() / 3);
  EXPECT_FALSE(filter->GetOutput()->GetComputeDevice().IsCuda());
  for (std::size_t i = 0; i < expected.size(); ++i)
  {
    EXPECT_EQ(filter->GetOutput()->GetDevicePointer()[i], expected[i]);
    EXPECT_EQ(points->GetDevicePointer()[i], surface.points[i]) << "of the input";
  }
  EXPECT_EQ(filter->GetUsedNoise(), result.noise);
  EXPECT_EQ(filter->GetOutputVolume(), result.outputVolume);
  filter->SetTriangles({ 0, 1, static_cast<unsigned int>(surface.points.size() / 3) });
  EXPECT_THROW(filter->Update(), itk::ExceptionObject);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaMeshDenoisingFilter);
