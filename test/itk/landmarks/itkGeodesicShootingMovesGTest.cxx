// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What moves which way: there is a test for each cell of the table in the documentation. And where thin plates fold.

#include "LandmarkPoints.h"
#include "itk/ItkDeviceTest.h"
#include "itk/TestImages.h"
#include "itkCudaGeodesicShootingToDisplacementFieldFilter.h"
#include "itkImageRegionConstIteratorWithIndex.h"
#include "itkImageRegionIteratorWithIndex.h"
#include "itkResampleImageFilter.h"
#include "itkThinPlateSplineKernelTransform.h"
#include <vnl/vnl_det.h>

#include <algorithm>
#include <cmath>

using namespace landmarkpoints;
using namespace testimages;

namespace
{

using ImageType = itk::Image<float, 3>;
using FieldType = itk::Image<itk::Vector<float, 3>, 3>;
using DeviceFieldType = itk::DeviceImage<itk::Vector<float, 3>, 3>;
using TransformType = itk::GeodesicShootingTransform<double, 3>;
using PointType = itk::Point<double, 3>;
using FieldFilterType = itk::CudaGeodesicShootingToDisplacementFieldFilter<FieldType>;

/** Around the lattice, turned a little, its axes not those of space. */
ImageType::Pointer
Grid()
{
  const auto image = ImageType::New();
  image->SetRegions(ImageType::RegionType({ { 3, -2, 1 } }, { { 25, 24, 26 } }));
  const double spacing[] = { 1.0, 1.1, 0.9 };
  image->SetSpacing(spacing);
  const double origin[] = { 12.0, 16.0, 13.0 };
  image->SetOrigin(origin);
  ImageType::DirectionType direction;
  direction.SetIdentity();
  direction[0][0] = direction[1][1] = 0.8;
  direction[0][1] = 0.6;
  direction[1][0] = -0.6;
  image->SetDirection(direction);
  image->Allocate();
  return image;
}

/** A spot of some voxels around a point. */
ImageType::Pointer
Spot(const PointType & center)
{
  const auto                                   image = Grid();
  itk::ImageRegionIteratorWithIndex<ImageType> voxel(image, image->GetLargestPossibleRegion());
  for (; !voxel.IsAtEnd(); ++voxel)
  {
    PointType point;
    image->TransformIndexToPhysicalPoint(voxel.GetIndex(), point);
    voxel.Set(static_cast<float>(100.0 * std::exp(-point.SquaredEuclideanDistanceTo(center) / 8.0)));
  }
  return image;
}

/** The center of an image's intensities. */
PointType
CenterOf(const ImageType * image)
{
  itk::Vector<double, 3>                            sum(0.0);
  double                                            weights = 0.0;
  itk::ImageRegionConstIteratorWithIndex<ImageType> voxel(image, image->GetLargestPossibleRegion());
  for (; !voxel.IsAtEnd(); ++voxel)
  {
    PointType point;
    image->TransformIndexToPhysicalPoint(voxel.GetIndex(), point);
    const double weight = std::pow(voxel.Get(), 8); // so that the shape, which is deformed, counts little
    sum += weight * point.GetVectorFromOrigin();
    weights += weight;
  }
  PointType center;
  center.Fill(0.0);
  return center + sum / weights;
}

ImageType::Pointer
Resampled(const ImageType * image, const itk::Transform<double, 3, 3> * transform)
{
  const auto resample = itk::ResampleImageFilter<ImageType, ImageType>::New();
  resample->SetInput(image);
  resample->SetTransform(transform);
  resample->SetReferenceImage(image);
  resample->UseReferenceImageOn();
  resample->Update();
  return resample->GetOutput();
}

/** The template point in the middle of the lattice, and where it goes. */
struct Middle
{
  Middle()
    : transform(MakeTransform<3>())
    , from(&Lattice<3>()[13 * 3])
    , to(transform->TransformPoint(from))
  {}
  TransformType::Pointer transform;
  PointType              from;
  PointType              to;
};

/** A field at a point, of the nearest voxel. */
itk::Vector<double, 3>
DisplacementAt(const FieldType * field, const PointType & point)
{
  const auto             index = field->TransformPhysicalPointToIndex(point);
  itk::Vector<double, 3> displacement;
  displacement.CastFrom(field->GetPixel(index));
  return displacement;
}

template <typename TTransform>
double
LeastDeterminant(const TTransform * transform)
{
  double least = std::numeric_limits<double>::max();
  for (double x = -6.0; x <= 6.0; x += 0.25)
  {
    for (double y = -6.0; y <= 6.0; y += 0.25)
    {
      constexpr double               step = 1e-4;
      itk::Point<double, 2>          point;
      vnl_matrix_fixed<double, 2, 2> jacobian;
      for (unsigned int column = 0; column < 2; ++column)
      {
        point[0] = x;
        point[1] = y;
        point[column] += step;
        const auto after = transform->TransformPoint(point);
        point[column] -= 2.0 * step;
        const auto before = transform->TransformPoint(point);
        jacobian(0, column) = (after[0] - before[0]) / (2.0 * step);
        jacobian(1, column) = (after[1] - before[1]) / (2.0 * step);
      }
      least = std::min(least, vnl_det(jacobian));
    }
  }
  return least;
}

} // namespace

TEST(GeodesicShootingMovesOnHost, PointsForward)
{
  const Middle middle;
  const auto   registration = MakeRegistration<PointsOf<3>>(itk::ComputeDevice());
  EXPECT_GT(middle.from.EuclideanDistanceTo(middle.to), 1.0);
  EXPECT_LT(middle.to.EuclideanDistanceTo(registration->GetTargetPointSet()->GetPoint(13)), 0.01);
}

TEST(GeodesicShootingMovesOnHost, PointsBackwardByTheInverse)
{
  const Middle middle;
  EXPECT_LT(middle.transform->GetInverseTransform()->TransformPoint(middle.to).EuclideanDistanceTo(middle.from), 1e-9);
}

/** The spot goes where the point goes, when the image is resampled by the inverse. Its shape changes, so that its
 * center is off by a part of its size, 2 mm. */
TEST(GeodesicShootingMovesOnHost, ImagesForwardByTheInverse)
{
  const Middle middle;
  const auto   image = Spot(middle.from);
  EXPECT_LT(CenterOf(image).EuclideanDistanceTo(middle.from), 0.25);
  const auto moved = Resampled(image, middle.transform->GetInverseTransform());
  EXPECT_LT(CenterOf(moved).EuclideanDistanceTo(middle.to), 0.25);
}

TEST(GeodesicShootingMovesOnHost, ImagesBackwardByTheTransform)
{
  const Middle middle;
  const auto   moved = Resampled(Spot(middle.to), middle.transform);
  EXPECT_LT(CenterOf(moved).EuclideanDistanceTo(middle.from), 0.25);
}

class GeodesicShootingMoves : public ItkDeviceTest
{
protected:
  FieldType::Pointer
  MakeField(const TransformType * transform)
  {
    const auto filter = FieldFilterType::New();
    filter->SetComputeDevice(this->GetDevice());
    filter->SetTransform(transform);
    filter->SetReferenceImage(Grid());
    filter->UseReferenceImageOn();
    filter->Update();
    return filter->GetOutput();
  }

  /** At each voxel, the field is what the transform does, up to single precision of coordinates of 40 mm. */
  static void
  ExpectField(const FieldType * field, const TransformType * transform, double tolerance)
  {
    itk::ImageRegionConstIteratorWithIndex<FieldType> voxel(field, field->GetLargestPossibleRegion());
    double                                            largest = 0.0;
    for (; !voxel.IsAtEnd(); ++voxel)
    {
      PointType point;
      field->TransformIndexToPhysicalPoint(voxel.GetIndex(), point);
      itk::Vector<double, 3> displacement;
      displacement.CastFrom(voxel.Get());
      const double error = (point + displacement).EuclideanDistanceTo(transform->TransformPoint(point));
      largest = std::max(largest, std::isnan(error) ? 1e30 : error);
    }
    EXPECT_LT(largest, tolerance);
  }
};

TEST_P(GeodesicShootingMoves, FieldForward)
{
  const Middle middle;
  const auto   field = this->MakeField(middle.transform);
  ExpectSameGeometry<3>(field, Grid());
  ExpectField(field, middle.transform, 2e-5);
  EXPECT_LT((DisplacementAt(field, middle.from) - (middle.to - middle.from)).GetNorm(), 0.5); // of half a voxel
}

/** The field that resamples an image from the template's space to the target's. */
TEST_P(GeodesicShootingMoves, FieldBackwardByTheInverse)
{
  const Middle middle;
  const auto   inverse = middle.transform->Clone();
  inverse->SetDirection("Backward");
  const auto field = this->MakeField(inverse);
  ExpectField(field, inverse, 2e-5);
  EXPECT_LT((DisplacementAt(field, middle.to) - (middle.from - middle.to)).GetNorm(), 0.5);
}

/** Grids that are given as numbers; double precision; fields that stay on the device. */
TEST_P(GeodesicShootingMoves, FieldsInOtherWays)
{
  const auto transform = MakeTransform<3>();
  const auto grid = Grid();
  const auto filter = FieldFilterType::New();
  filter->SetComputeDevice(this->GetDevice());
  filter->SetTransform(transform);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "would be empty: its size is [0, 0, 0]"));
  filter->SetSize(grid->GetLargestPossibleRegion().GetSize());
  filter->SetOutputStartIndex(grid->GetLargestPossibleRegion().GetIndex());
  filter->SetOutputSpacing(grid->GetSpacing());
  filter->SetOutputOrigin(grid->GetOrigin());
  filter->SetOutputDirection(grid->GetDirection());
  filter->SetPrecision("Double");
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), grid);
  ExpectField(filter->GetOutput(), transform, 1e-6); // of rounding displacements of some mm to float

  const auto onDevice = itk::CudaGeodesicShootingToDisplacementFieldFilter<DeviceFieldType>::New();
  onDevice->SetComputeDevice(this->GetDevice());
  onDevice->SetTransform(transform);
  onDevice->SetReferenceImage(grid);
  onDevice->UseReferenceImageOn();
  onDevice->Update();
  EXPECT_EQ(onDevice->GetOutput()->GetComputeDevice(), this->GetDevice());
  EXPECT_EQ(onDevice->GetDeviceToHostBytes(), 0u);

  const auto without = FieldFilterType::New();
  EXPECT_TRUE(Contains(MessageOf([&] { without->Update(); }), "Input Transform is required but not set"));
  without->SetTransform(TransformType::New());
  without->SetReferenceImage(grid);
  without->UseReferenceImageOn();
  EXPECT_TRUE(Contains(MessageOf([&] { without->Update(); }), "The transform has no template points"));
  without->SetReferenceImage(nullptr);
  EXPECT_TRUE(Contains(MessageOf([&] { without->Update(); }), "there is no reference image"));
}

TEST_P(GeodesicShootingMoves, FieldIn2D)
{
  using Field2Type = itk::Image<itk::Vector<float, 2>, 2>;
  const auto transform = MakeTransform<2>();
  const auto filter = itk::CudaGeodesicShootingToDisplacementFieldFilter<Field2Type>::New();
  filter->SetComputeDevice(this->GetDevice());
  filter->SetTransform(transform);
  filter->SetSize({ { 30, 20 } });
  const double origin[] = { 15.0, 18.0 };
  filter->SetOutputOrigin(origin);
  filter->Update();
  for (const Field2Type::IndexType & index : { Field2Type::IndexType{ { 5, 7 } }, Field2Type::IndexType{ { 12, 3 } } })
  {
    itk::Point<double, 2> point;
    filter->GetOutput()->TransformIndexToPhysicalPoint(index, point);
    const auto displacement = transform->TransformPoint(point) - point;
    EXPECT_NEAR(filter->GetOutput()->GetPixel(index)[0], displacement[0], 1e-5);
    EXPECT_NEAR(filter->GetOutput()->GetPixel(index)[1], displacement[1], 1e-5);
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(GeodesicShootingMoves);

/** Two points pass each other: a thin-plate spline puts each on its target and folds the space between, where its
 * determinant is negative. The flow goes around. */
TEST(GeodesicShootingMovesOnHost, DoesNotFoldWhereThinPlatesDo)
{
  using SplineType = itk::ThinPlateSplineKernelTransform<double, 2>;
  using SplinePointsType = SplineType::PointSetType;
  // Two points that pass each other, and four corners that stay.
  const std::vector<double> from{ -1.0, 0.4, 1.0, -0.4, -6.0, -6.0, 6.0, -6.0, -6.0, 6.0, 6.0, 6.0 };
  std::vector<double>       to(from);
  to[0] = 1.0;
  to[2] = -1.0;
  const auto spline = SplineType::New();
  spline->SetSourceLandmarks(MakePointSet<SplinePointsType>(from));
  spline->SetTargetLandmarks(MakePointSet<SplinePointsType>(to));
  spline->ComputeWMatrix();
  EXPECT_LT(LeastDeterminant(spline.GetPointer()), -0.1);

  using PointSetType = PointsOf<2>;
  const auto registration = itk::CudaGeodesicShootingRegistration<PointSetType>::New();
  registration->SetComputeDevice("cpu");
  registration->SetTemplatePointSet(MakePointSet<PointSetType>(from));
  registration->SetTargetPointSet(MakePointSet<PointSetType>(to));
  registration->SetSigma(1.5);
  registration->SetLambda(1e4);
  registration->SetPrecision("Double");
  registration->SetIntegrator("RungeKutta4");
  registration->Update();
  EXPECT_LT(registration->GetMaximumDistance(), 0.01);
  EXPECT_GT(LeastDeterminant(registration->GetTransform().GetPointer()), 0.0);
}
