// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Points of the images of the atlas filter.

#include "AtlasPhantom.h"
#include "RegistrationChecks.h"
#include "itkTranslationTransform.h"

#include <cmath>
#include <limits>

using namespace testimages;
using namespace registrationphantom;
using namespace atlasphantom;
using namespace registrationchecks;

namespace
{

using List = std::vector<double>;

/** Points inside the grid of an image. */
std::vector<PointOf<3>>
PointsInside(const ImageType * image)
{
  std::vector<PointOf<3>> points;
  const auto              begin = image->GetLargestPossibleRegion().GetIndex();
  const auto              size = image->GetLargestPossibleRegion().GetSize();
  for (int i = 0; i < 20; ++i)
  {
    itk::ContinuousIndex<double, 3> index;
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      const double fraction = std::fmod(0.37 + i * (0.23 + 0.17 * axis), 1.0);
      index[axis] = static_cast<double>(begin[axis]) + (0.25 + 0.5 * fraction) * static_cast<double>(size[axis]);
    }
    PointOf<3> point;
    image->TransformContinuousIndexToPhysicalPoint(index, point);
    points.push_back(point);
  }
  return points;
}

List
CoordinatesOf(const std::vector<PointOf<3>> & points)
{
  List coordinates;
  for (const PointOf<3> & point : points)
  {
    coordinates.insert(coordinates.end(), point.Begin(), point.End());
  }
  return coordinates;
}

AtlasType::Pointer
ShortAtlas(const std::vector<ImageType::Pointer> & images, const itk::ComputeDevice & device)
{
  const auto atlas = MakeAtlas(images, device);
  atlas->SetNumberOfIterationsPerLevel({ 6, 4 });
  return atlas;
}

itk::TranslationTransform<double, 3>::Pointer
Translation(double x, double y, double z)
{
  const auto                                             transform = itk::TranslationTransform<double, 3>::New();
  itk::TranslationTransform<double, 3>::OutputVectorType offset;
  offset[0] = x;
  offset[1] = y;
  offset[2] = z;
  transform->SetOffset(offset);
  return transform;
}

} // namespace

class AtlasFilterPoints : public ItkDeviceTest
{};

/** ITK's transforms take points of the template to the images, from where the filter brings them back. */
TEST_P(AtlasFilterPoints, GoAgainstTheTransforms)
{
  const auto images = Population<ImageType>();
  const auto atlas = ShortAtlas(images, this->GetDevice());
  atlas->SetInitialTransform(1, Translation(1.5, -0.5, 0.25));
  atlas->SetWeights({ 2.0, 1.0, 1.0 });
  atlas->Update();
  EXPECT_TRUE(atlas->GetTemplatePoints().empty());
  const auto points = PointsInside(images[0]);
  double     longest = 0.0;
  for (unsigned int image = 0; image < 3; ++image)
  {
    std::vector<PointOf<3>> inImage;
    const auto              transform = atlas->GetTransform(image);
    for (const PointOf<3> & point : points)
    {
      inImage.push_back(transform->TransformPoint(point));
      longest = std::max(longest, inImage.back().EuclideanDistanceTo(point));
    }
    atlas->SetPoints(image, CoordinatesOf(inImage));
    EXPECT_EQ(atlas->GetPoints(image), CoordinatesOf(inImage));
  }
  EXPECT_GT(longest, 1.0); // mm: the maps are not the identity
  atlas->Update();
  const List found = atlas->GetTemplatePoints();
  const List expected = CoordinatesOf(points);
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
  {
    EXPECT_NEAR(found[i], expected[i], 1e-3); // displacements of float, which both interpolate
  }
  for (const double spread : atlas->GetTemplatePointSpreads())
  {
    EXPECT_LT(spread, 1e-3);
  }
  EXPECT_EQ(atlas->GetTemplatePointCounts(), std::vector<unsigned int>(points.size(), 3));
}

/** Equal images do not move. */
TEST_P(AtlasFilterPoints, HaveMeansSpreadsAndNumbers)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto atlas = ShortAtlas({ image, image, image, image }, this->GetDevice());
  const auto points = PointsInside(image);
  const auto set = itk::PointSet<double, 3>::New();
  set->SetPoint(0, points[0]);
  set->SetPoint(1, points[1]);
  atlas->SetPointSet(0, set.GetPointer());
  PointOf<3> moved = points[1];
  moved[1] += 0.5;
  atlas->SetPoints(1, CoordinatesOf({ moved, points[3] }));
  atlas->SetPointNumbers(1, { 1, 3 });
  EXPECT_EQ(atlas->GetPointNumbers(1), (std::vector<unsigned int>{ 1, 3 }));
  EXPECT_TRUE(atlas->GetPoints(2).empty());
  atlas->SetPoints(3, CoordinatesOf({ points[5], points[5], points[5] })); // of weight 0
  atlas->SetWeights({ 3.0, 1.0, 1.0, 0.0 });
  atlas->Update();
  const List found = atlas->GetTemplatePoints();
  const List spreads = atlas->GetTemplatePointSpreads();
  const List covariances = atlas->GetTemplatePointCovariances();
  ASSERT_EQ(found.size(), 12u);
  ASSERT_EQ(covariances.size(), 36u);
  EXPECT_EQ(atlas->GetTemplatePointCounts(), (std::vector<unsigned int>{ 1, 2, 0, 1 }));
  // Positions go through indices and back in double precision.
  EXPECT_NEAR(found[1], points[0][1], 1e-6);
  EXPECT_EQ(spreads[0], 0.0);
  EXPECT_NEAR(found[3], points[1][0], 1e-6);
  EXPECT_NEAR(found[4], points[1][1] + 0.125, 1e-6);
  EXPECT_NEAR(covariances[9 + 4], 0.75 * 0.25 * 0.25, 1e-6);
  EXPECT_NEAR(covariances[9 + 1], 0.0, 1e-6);
  EXPECT_NEAR(spreads[1], std::sqrt(0.75 * 0.25 * 0.25), 1e-6);
  EXPECT_TRUE(std::isnan(found[6]) && std::isnan(spreads[2]));
  EXPECT_NEAR(found[11], points[3][2], 1e-6);

  atlas->SetPoints(0, {});
  atlas->SetPoints(1, {});
  atlas->SetPointNumbers(1, {});
  atlas->SetPoints(3, {});
  atlas->Update();
  EXPECT_TRUE(atlas->GetTemplatePoints().empty());
}

TEST_P(AtlasFilterPoints, WithoutAPlaceAreNamed)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto atlas = ShortAtlas({ image, image }, this->GetDevice());
  const auto points = PointsInside(image);
  PointOf<3> outside = points[0];
  outside[2] += 1000.0;
  atlas->SetPoints(0, CoordinatesOf({ points[0], outside }));
  atlas->SetInitialTransform(1, Translation(500.0, 0.0, 0.0));
  const auto apart = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  auto       origin = apart->GetOrigin();
  origin[0] += 500.0 - 0.4 * 16.0 * apart->GetSpacing()[0];
  apart->SetOrigin(origin);
  atlas->SetInput(1, apart);
  // The first voxels of the image, whose indices need not begin at 0, lie before those of the template.
  const ImageType::IndexType first = apart->GetLargestPossibleRegion().GetIndex() + itk::Offset<3>{ { 1, 7, 6 } };
  PointOf<3>                 before;
  apart->TransformIndexToPhysicalPoint(first, before);
  atlas->SetPoints(1, CoordinatesOf({ points[0], points[1], before }));
  const WarningCapture warnings;
  atlas->Update();
  EXPECT_TRUE(Contains(warnings.GetText(), "Points of image 0 that are outside its grid are left out: [1]"))
    << warnings.GetText();
  EXPECT_TRUE(Contains(warnings.GetText(), "Points of image 1 that are outside its grid are left out: [0 1]"))
    << warnings.GetText();
  EXPECT_TRUE(Contains(warnings.GetText(),
                       "Points of image 1 to which its map leads from no point of the template's "
                       "grid are left out: [2]"))
    << warnings.GetText();
  EXPECT_EQ(atlas->GetTemplatePointCounts(), (std::vector<unsigned int>{ 1, 0, 0 }));
}

TEST_P(AtlasFilterPoints, BadOnesAreNamed)
{
  const auto image = Phantom<ImageType>(0.2, { { 17, 15, 13 } });
  const auto atlas = ShortAtlas({ image, image }, this->GetDevice());
  const auto expect = [&](const std::string & words) {
    const std::string message = MessageOf([&] { atlas->Update(); });
    EXPECT_TRUE(Contains(message, words)) << message;
  };
  atlas->SetPoints(0, { 1.0, 2.0, 3.0, 4.0 });
  expect("The number of coordinates of the points of image 0 is 4; it must be a multiple of 3");
  atlas->SetPoints(0, { 1.0, std::numeric_limits<double>::quiet_NaN(), 3.0 });
  expect("A coordinate of the points of image 0 is nan");
  atlas->SetPoints(0, { 1.0, 2.0, 3.0, 1.0, 2.0, 3.0 });
  atlas->SetPointNumbers(0, { 1 });
  expect("There are 1 numbers of points of image 0, and 2 points");
  atlas->SetPointNumbers(0, { 1, 1 });
  expect("The number of two points of image 0 is 1");
  atlas->SetPointNumbers(0, { 1, 1u << 31 });
  expect("A number of the points of image 0 is 2147483648");
  atlas->SetPointNumbers(0, {});
  atlas->SetPoints(2, { 1.0, 2.0, 3.0 });
  expect("There is a list of points of image 2, and there are 2 images");
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasFilterPoints);
