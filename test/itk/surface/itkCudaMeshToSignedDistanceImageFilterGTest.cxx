// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceMeshes.h"
#include "itkLineCell.h"
#include "itkPolygonCell.h"
#include "itkQuadrilateralCell.h"
#include "itkTetrahedronCell.h"

#include <limits>

using namespace surfacemeshes;

namespace
{

using FilterType = itk::CudaMeshToSignedDistanceImageFilter<MeshType, ImageType>;

class CudaMeshToSignedDistanceImageFilter : public MeshDistanceTest
{};

} // namespace

TEST_P(CudaMeshToSignedDistanceImageFilter, IsTheDistanceToTheMesh)
{
  const auto mesh = Box();
  ExpectBox(this->MakeFilter(mesh.GetPointer()).GetPointer());
  ExpectBox(this->MakeFilter<MeshType, ImageOf<double, 3>>(mesh.GetPointer()).GetPointer());
  ExpectBox(this->MakeFilter<MeshType, itk::DeviceImage<float, 3>>(mesh.GetPointer()).GetPointer());
  const auto reversed = MeshType::New();
  AddBox(reversed.GetPointer(), Low(), High(), true);
  ExpectBox(this->MakeFilter(reversed.GetPointer()).GetPointer());
}

/** Polygons are as good as triangles, whatever class of cells they are. */
TEST_P(CudaMeshToSignedDistanceImageFilter, TakesPolygons)
{
  const auto quadrilaterals = itk::Mesh<double, 3>::New();
  AddCorners(quadrilaterals.GetPointer(), 0, Low(), High());
  const auto polygons = MeshType::New();
  // Not all points need be used, nor start at 0.
  AddCorners(polygons.GetPointer(), 5, Low(), High());
  for (const FaceType & face : boxFaces)
  {
    AddCell<itk::QuadrilateralCell>(quadrilaterals.GetPointer(), face);
    FaceType shifted = face;
    for (auto & point : shifted)
    {
      point += 5;
    }
    MeshType::CellAutoPointer cell;
    auto * const              polygon = new itk::PolygonCell<MeshType::CellType>;
    for (const auto point : shifted)
    {
      polygon->AddPointId(point);
    }
    cell.TakeOwnership(polygon);
    polygons->SetCell(polygons->GetNumberOfCells(), cell);
  }
  ExpectBox(this->MakeFilter(quadrilaterals.GetPointer()).GetPointer());
  ExpectBox(this->MakeFilter(polygons.GetPointer()).GetPointer());
}

/** Points that have no cells are joined by numbers. */
TEST_P(CudaMeshToSignedDistanceImageFilter, TakesPointsAndTriangles)
{
  std::vector<unsigned int> triangles;
  for (const FaceType & face : boxFaces)
  {
    for (const unsigned int corner : { 0u, 1u, 2u, 0u, 2u, 3u })
    {
      triangles.push_back(static_cast<unsigned int>(face[corner]));
    }
  }
  const auto points = itk::PointSet<double, 3>::New();
  AddCorners(points.GetPointer(), 0, Low(), High());
  const auto filter = this->MakeFilter(points.GetPointer());
  filter->SetTriangles(triangles);
  ExpectBox(filter.GetPointer());

  const auto devicePoints = itk::DevicePointSet<double, 3>::New();
  devicePoints->Allocate(8);
  for (unsigned int number = 0; number < 8; ++number)
  {
    const PointType corner = Corner(number, Low(), High());
    std::copy_n(corner.GetDataPointer(), 3, devicePoints->GetDevicePointer() + 3 * number);
  }
  const auto ofDevicePoints = this->MakeFilter(devicePoints.GetPointer());
  ofDevicePoints->SetTriangles(triangles);
  ExpectBox(ofDevicePoints.GetPointer());

  triangles.back() = 8;
  filter->SetTriangles(triangles);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "point 8, which is not among the 8 points"));
  triangles.pop_back();
  filter->SetTriangles(triangles);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "Triangles has 35 numbers"));
  const auto ofCells = this->MakeFilter(Box().GetPointer());
  ofCells->SetTriangles({ 0, 1, 2 });
  EXPECT_TRUE(Contains(MessageOf([&] { ofCells->Update(); }), "the mesh has cells"));
}

/** Between the same numbers as a reference image has, the same distances, and those of the engine. */
TEST_P(CudaMeshToSignedDistanceImageFilter, TakesAGridAsNumbers)
{
  const auto reference = ReferenceImage();
  const auto mesh = Box();
  const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), mesh);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "would be empty: its size is [0, 0, 0]"));
  filter->SetSize(reference->GetLargestPossibleRegion().GetSize());
  filter->SetOutputStartIndex(reference->GetLargestPossibleRegion().GetIndex());
  filter->SetOutputSpacing(reference->GetSpacing());
  filter->SetOutputOrigin(reference->GetOrigin());
  filter->SetOutputDirection(reference->GetDirection());
  filter->SetReach(3.0);
  ExpectBox(filter.GetPointer());

  filter->SetReach(0.0);
  filter->Update();
  EXPECT_NEAR(filter->GetUsedReach(), 12.0, 1e-12); // the largest spacing is 1.5 mm
  cudaneuro::SignedDistanceParameters parameters;
  parameters.reach = filter->GetUsedReach();
  const auto         triangles = itk::CudaNeuroDetail::TrianglesOf(GetContext(), mesh.GetPointer());
  const auto         geometry = itk::CudaNeuroDetail::GeometryOf<3>(reference);
  std::vector<float> output(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
  cudaneuro::SignedDistanceOfSurface(GetContext(), parameters, triangles.View(), geometry, View(output));
  ExpectSame(Pixels(filter->GetOutput()), { output.begin(), output.end() });

  filter->UseReferenceImageOn();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "there is no reference image"));
}

/** Boxes that overlap: the voxels in both are counted. A box inside another that runs the other way round is a hole. */
TEST_P(CudaMeshToSignedDistanceImageFilter, WarnsOfOverlap)
{
  const auto mesh = Box();
  const auto low = MakePoint(-1.21, -1.32, -1.43);
  const auto high = MakePoint(6.17, 6.28, 3.39);
  AddBox(mesh.GetPointer(), low, high);
  const auto           filter = this->MakeFilter(mesh.GetPointer());
  const WarningCapture warnings;
  filter->Update();
  const auto inBoth = OfPoints(ReferenceImage(), [&](const PointType & point) {
    return BoxDistance(point, Low(), High()) < 0.0 && BoxDistance(point, low, high) < 0.0 ? 1.0 : 0.0;
  });
  const auto count = static_cast<itk::SizeValueType>(std::count(inBoth.begin(), inBoth.end(), 1.0));
  EXPECT_GT(count, 0u);
  EXPECT_EQ(filter->GetNumberOfAmbiguousVoxels(), count);
  EXPECT_TRUE(Contains(warnings.GetText(), "surrounds " + std::to_string(count) + " voxels more than once"));

  const auto hollow = Box();
  AddBox(hollow.GetPointer(), MakePoint(-1.9, -1.8, -1.1), MakePoint(1.7, 2.1, 3.2), true);
  const auto           ofHollow = this->MakeFilter(hollow.GetPointer());
  const WarningCapture none;
  ofHollow->Update();
  EXPECT_EQ(none.GetText(), "");
  const auto          expected = OfPoints(ReferenceImage(), [](const PointType & point) {
    const double distance = std::max(BoxDistance(point, Low(), High()),
                                     -BoxDistance(point, MakePoint(-1.9, -1.8, -1.1), MakePoint(1.7, 2.1, 3.2)));
    return distance < 0.0 ? 1.0 : 0.0;
  });
  std::vector<double> isInside = Pixels(ofHollow->GetOutput());
  for (double & value : isInside)
  {
    value = value < 0.0 ? 1.0 : 0.0;
  }
  EXPECT_EQ(isInside, expected);
}

TEST_P(CudaMeshToSignedDistanceImageFilter, RejectsBadMeshes)
{
  // Half a face is missing.
  const auto open = Box();
  open->GetCells()->DeleteIndex(open->GetNumberOfCells() - 1);
  EXPECT_TRUE(Contains(this->MessageFor(open.GetPointer()), "openEdges is 3"));
  const auto withoutCells = MeshType::New();
  AddCorners(withoutCells.GetPointer(), 0, Low(), High());
  EXPECT_NE(this->MessageFor(withoutCells.GetPointer()), "");
  EXPECT_NE(this->MessageFor(MeshType::New().GetPointer()), "");

  const auto solid = Box();
  AddCell<itk::TetrahedronCell>(solid.GetPointer(), { 0, 1, 2, 4 });
  EXPECT_TRUE(Contains(this->MessageFor(solid.GetPointer()), "TETRAHEDRON_CELL"));
  EXPECT_TRUE(Contains(this->MessageFor(solid.GetPointer()), "Cell 12"));
  const auto withLine = Box();
  AddCell<itk::LineCell>(withLine.GetPointer(), { 0, 1 });
  EXPECT_TRUE(Contains(this->MessageFor(withLine.GetPointer()), "LINE_CELL"));
  const auto withoutPoint = Box();
  AddCell<itk::TriangleCell>(withoutPoint.GetPointer(), { 0, 1, 77 });
  EXPECT_TRUE(Contains(this->MessageFor(withoutPoint.GetPointer()),
                       "Cell 12 has point 77, which is not among the 8 points of the mesh"));

  const auto notFinite = Box();
  notFinite->SetPoint(3, MakePoint(std::numeric_limits<float>::quiet_NaN(), 0.0f, 0.0f));
  EXPECT_NE(this->MessageFor(notFinite.GetPointer()), "");

  const auto without = FilterType::New();
  EXPECT_TRUE(Contains(MessageOf([&] { without->Update(); }), "Input Primary is required"));
  const auto filter = this->MakeFilter(Box().GetPointer());
  filter->SetReach(-1.0);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "Reach is -1; it must be positive"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaMeshToSignedDistanceImageFilter);
