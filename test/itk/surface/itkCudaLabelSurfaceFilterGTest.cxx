// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Images of labels in, meshes of ITK out.

#include "DeviceTest.h"
#include "SurfaceImages.h"
#include "itkCudaLabelSurfaceFilter.h"
#include "itkMesh.h"

#include <algorithm>
#include <cmath>

using namespace surfaceimages;

namespace
{

using ImageType = ImageOf<short, 3>;
using MeshType = itk::Mesh<float, 3>;
using FilterType = itk::CudaLabelSurfaceFilter<ImageType, MeshType>;

/** Two halves of a ball around the center of an oblique image. */
ImageType::Pointer
Halves()
{
  return ImageOfPoints<ImageType>(
    { { 19, 18, 17 } }, [](const itk::Vector<double, 3> & p) { return p.GetNorm() < 5.0 ? (p[0] < 0.0 ? 4 : -7) : 0; });
}

class CudaLabelSurfaceFilter : public DeviceTest
{
protected:
  FilterType::Pointer
  MakeFilter()
  {
    const auto filter = OnDevice<FilterType>(itk::ComputeDevice(this->GetParam()), Halves());
    return filter;
  }
};

} // namespace

TEST_P(CudaLabelSurfaceFilter, MakesTheSurfacesOfTheEngine)
{
  const auto filter = this->MakeFilter();
  filter->Update();
  const ImageType::ConstPointer image(Halves().GetPointer());
  const auto                    expected = cudaneuro::MakeLabelSurfaces(this->GetContext(),
                                                     itk::CudaNeuroDetail::GeometryOf(image.GetPointer()),
                                                     itk::CudaNeuroDetail::VolumeOf(image.GetPointer()));
  ASSERT_EQ(expected.size(), 2u);
  ASSERT_EQ(filter->GetNumberOfSurfaces(), 2u);
  const MeshType * const output = filter->GetOutput();
  itk::IdentifierType    point = 0;
  itk::IdentifierType    cellNumber = 0;
  for (itk::SizeValueType k = 0; k < 2; ++k)
  {
    const cudaneuro::LabelSurface & surface = expected[k];
    EXPECT_EQ(filter->GetLabel(k), surface.label);
    EXPECT_EQ(filter->GetLabelVolume(k), surface.labelVolume);
    EXPECT_EQ(filter->GetSurfaceVolume(k), surface.surfaceVolume);
    EXPECT_EQ(filter->GetNoise(k), surface.noise);
    for (std::size_t i = 0; i < surface.surface.triangles.size(); i += 3, ++cellNumber)
    {
      MeshType::CellAutoPointer cell;
      ASSERT_TRUE(output->GetCell(cellNumber, cell));
      float label = 0.0f;
      ASSERT_TRUE(output->GetCellData(cellNumber, &label));
      EXPECT_EQ(label, static_cast<float>(surface.label));
      for (unsigned int corner = 0; corner < 3; ++corner)
      {
        EXPECT_EQ(cell->PointIdsBegin()[corner],
                  point + static_cast<itk::IdentifierType>(surface.surface.triangles[i + corner]));
      }
    }
    for (std::size_t i = 0; i < surface.surface.points.size(); i += 3, ++point)
    {
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        EXPECT_FLOAT_EQ(output->GetPoint(point)[axis], static_cast<float>(surface.surface.points[i + axis]));
      }
    }
  }
  EXPECT_EQ(output->GetNumberOfPoints(), point);
  EXPECT_EQ(output->GetNumberOfCells(), cellNumber);
}

TEST_P(CudaLabelSurfaceFilter, MakesPointsAndTriangles)
{
  const auto filter = OnDevice<itk::CudaLabelSurfaceFilter<ImageType, itk::DevicePointSet<double, 3>>>(
    itk::ComputeDevice(this->GetParam()), Halves());
  filter->Update();
  const ImageType::ConstPointer image(Halves().GetPointer());
  const auto                    expected = cudaneuro::MakeLabelSurfaces(this->GetContext(),
                                                     itk::CudaNeuroDetail::GeometryOf(image.GetPointer()),
                                                     itk::CudaNeuroDetail::VolumeOf(image.GetPointer()));
  std::vector<double>           points;
  std::vector<unsigned int>     triangles;
  for (itk::SizeValueType k = 0; k < expected.size(); ++k)
  {
    const cudaneuro::SurfaceContour & surface = expected[k].surface;
    for (const std::int32_t corner : surface.triangles)
    {
      triangles.push_back(static_cast<unsigned int>(points.size() / 3) + static_cast<unsigned int>(corner));
    }
    points.insert(points.end(), surface.points.begin(), surface.points.end());
    EXPECT_EQ(filter->GetNumberOfTriangles(k), surface.triangles.size() / 3);
    EXPECT_EQ(filter->GetLabel(k), expected[k].label);
  }
  EXPECT_EQ(filter->GetTriangles(), triangles);
  ASSERT_EQ(filter->GetOutput()->GetNumberOfPoints(), points.size() / 3);
  EXPECT_FALSE(filter->GetOutput()->GetComputeDevice().IsCuda());
  EXPECT_TRUE(std::equal(points.begin(), points.end(), filter->GetOutput()->GetDevicePointer()));
}

/** In physical space, whatever the image's direction is. */
TEST_P(CudaLabelSurfaceFilter, SurfacesAreWhereTheLabelsAre)
{
  const auto filter = this->MakeFilter();
  filter->SetLabels({ 4.0 });
  filter->Update();
  ASSERT_EQ(filter->GetNumberOfSurfaces(), 1u);
  const auto image = Halves();
  double     largest = 0.0;
  for (itk::IdentifierType i = 0; i < filter->GetOutput()->GetNumberOfPoints(); ++i)
  {
    itk::ContinuousIndex<double, 3> index;
    PointType                       point;
    point.CastFrom(filter->GetOutput()->GetPoint(i));
    image->TransformPhysicalPointToContinuousIndex(point, index);
    ImageType::IndexType nearest;
    bool                 isNearLabel = false;
    for (int corner = 0; corner < 8; ++corner)
    {
      for (unsigned int axis = 0; axis < 3; ++axis)
      {
        nearest[axis] = static_cast<itk::IndexValueType>(std::floor(index[axis])) + ((corner >> axis) & 1);
      }
      isNearLabel =
        isNearLabel || (image->GetLargestPossibleRegion().IsInside(nearest) && image->GetPixel(nearest) == 4);
    }
    largest += isNearLabel ? 0.0 : 1.0;
  }
  // A voxel of the label is at one of the eight corners around each point, but where noise of the boundary is smoothed.
  EXPECT_LT(largest, 0.02 * static_cast<double>(filter->GetOutput()->GetNumberOfPoints()));
  EXPECT_NEAR(filter->GetSurfaceVolume(0), filter->GetLabelVolume(0), 0.1 * filter->GetLabelVolume(0));
}

TEST_P(CudaLabelSurfaceFilter, NamesAbsentLabels)
{
  const auto filter = this->MakeFilter();
  filter->SetLabels({ 4.0, 5.0 });
  try
  {
    filter->Update();
    ADD_FAILURE() << "label 5 was found";
  }
  catch (const itk::ExceptionObject & error)
  {
    EXPECT_NE(std::string(error.GetDescription()).find("label is 5"), std::string::npos) << error.GetDescription();
  }
  EXPECT_THROW(filter->GetLabel(0), itk::ExceptionObject);
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaLabelSurfaceFilter);
