// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef SurfaceMeshes_h
#define SurfaceMeshes_h

#include "DeviceTest.h"
#include "SurfaceImages.h"
#include "itkCudaMeshToSignedDistanceImageFilter.h"
#include "itkMesh.h"
#include "itkTriangleCell.h"

/** Boxes as meshes, and what tests of distances to them have in common. */
namespace surfacemeshes
{

using namespace surfaceimages;

using ImageType = ImageOf<float, 3>;
using MeshType = itk::Mesh<float, 3>;
using FaceType = std::vector<itk::IdentifierType>;

/** The six faces of a box, seen from outside counterclockwise. Bit a of a corner's number tells the end along axis
 * a. */
inline const std::vector<FaceType> boxFaces{ { 0, 4, 6, 2 }, { 1, 3, 7, 5 }, { 0, 1, 5, 4 },
                                             { 2, 6, 7, 3 }, { 0, 2, 3, 1 }, { 4, 5, 7, 6 } };

inline PointType
MakePoint(double x, double y, double z)
{
  PointType point;
  point[0] = x;
  point[1] = y;
  point[2] = z;
  return point;
}

/** Where the boxes of the tests are: not at voxels, in the midst of ReferenceImage. */
inline PointType
Low()
{
  return MakePoint(-4.03, -3.52, -2.77);
}
inline PointType
High()
{
  return MakePoint(3.61, 4.18, 5.94);
}

inline PointType
Corner(unsigned int number, const PointType & low, const PointType & high)
{
  PointType point;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    point[axis] = (number >> axis) % 2 == 0 ? low[axis] : high[axis];
  }
  return point;
}

/** Adds a cell of a class to a mesh. */
template <template <typename> class TCell, typename TMesh>
void
AddCell(TMesh * mesh, const FaceType & points)
{
  typename TMesh::CellAutoPointer cell;
  cell.TakeOwnership(new TCell<typename TMesh::CellType>);
  for (unsigned int i = 0; i < points.size(); ++i)
  {
    cell->SetPointId(static_cast<int>(i), points[i]);
  }
  mesh->SetCell(mesh->GetNumberOfCells(), cell);
}

template <typename TMesh>
void
AddCorners(TMesh * mesh, itk::IdentifierType first, const PointType & low, const PointType & high)
{
  for (unsigned int number = 0; number < 8; ++number)
  {
    typename TMesh::PointType point;
    point.CastFrom(Corner(number, low, high));
    mesh->SetPoint(first + number, point);
  }
}

/** Adds a box of triangles, with its points from number \p first on; \p isReversed turns it inside out. */
template <typename TMesh>
void
AddBox(TMesh * mesh, const PointType & low = Low(), const PointType & high = High(), bool isReversed = false)
{
  const itk::IdentifierType first = mesh->GetNumberOfPoints();
  AddCorners(mesh, first, low, high);
  for (const FaceType & face : boxFaces)
  {
    for (const unsigned int i : { 1u, 2u })
    {
      FaceType triangle{ first + face[0], first + face[i], first + face[i + 1] };
      if (isReversed)
      {
        std::swap(triangle[1], triangle[2]);
      }
      AddCell<itk::TriangleCell>(mesh, triangle);
    }
  }
}

inline MeshType::Pointer
Box()
{
  const auto mesh = MeshType::New();
  AddBox(mesh.GetPointer());
  return mesh;
}

/** An oblique grid around the origin. */
inline ImageType::Pointer
ReferenceImage()
{
  const auto image = ImageType::New();
  SetObliqueGeometry(image.GetPointer(), { { 21, 19, 17 } });
  itk::ContinuousIndex<double, 3> middle;
  PointType                       center;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const auto & region = image->GetLargestPossibleRegion();
    middle[axis] = region.GetIndex(axis) + 0.5 * (static_cast<double>(region.GetSize(axis)) - 1.0);
  }
  image->TransformContinuousIndexToPhysicalPoint(middle, center);
  image->SetOrigin(image->GetOrigin() - center.GetVectorFromOrigin());
  return image;
}

/** The value of a function of its point for each voxel. */
template <typename TFunction>
std::vector<double>
OfPoints(const itk::ImageBase<3> * grid, const TFunction & function)
{
  const auto image = ImageType::New();
  image->CopyInformation(grid);
  image->SetRegions(grid->GetLargestPossibleRegion());
  image->Allocate();
  std::vector<double> values;
  for (itk::ImageRegionConstIteratorWithIndex<ImageType> it(image, image->GetLargestPossibleRegion()); !it.IsAtEnd();
       ++it)
  {
    PointType point;
    image->TransformIndexToPhysicalPoint(it.GetIndex(), point);
    values.push_back(function(point));
  }
  return values;
}

/** A test of distances to meshes on a device. */
class MeshDistanceTest : public DeviceTest
{
protected:
  template <typename TMesh, typename TImage = ImageType>
  auto
  MakeFilter(const TMesh * mesh)
  {
    const auto filter =
      OnDevice<itk::CudaMeshToSignedDistanceImageFilter<TMesh, TImage>>(itk::ComputeDevice(GetParam()), mesh);
    filter->SetReferenceImage(ReferenceImage());
    filter->UseReferenceImageOn();
    filter->SetReach(3.0);
    return filter;
  }

  /** The distance to the box, up to 3 mm. */
  template <typename TFilter>
  static void
  ExpectBox(TFilter * filter)
  {
    const WarningCapture warnings;
    filter->Update();
    EXPECT_EQ(warnings.GetText(), "");
    EXPECT_EQ(filter->GetNumberOfAmbiguousVoxels(), 0u);
    const auto reference = ReferenceImage();
    ExpectSameGeometry<3>(filter->GetOutput(), reference);
    const auto expected = OfPoints(reference, [](const PointType & point) {
      return std::min(std::max(BoxDistance(point, Low(), High()), -3.0), 3.0);
    });
    // Points and distances are of float, of 20 mm at most.
    ExpectSame(Pixels(filter->GetOutput()), expected, 1e-5);
  }

  template <typename TMesh>
  std::string
  MessageFor(const TMesh * mesh)
  {
    const auto filter = this->MakeFilter(mesh);
    return MessageOf([&] { filter->Update(); });
  }
};

} // namespace surfacemeshes

#endif
