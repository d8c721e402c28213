// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Landmarks that are turned and scaled as a whole: the warning without an alignment, and what there is with one.

#include "LandmarkPoints.h"
#include "itk/ItkDeviceTest.h"
#include "itk/TestImages.h"

using namespace testimages;
using namespace landmarkpoints;

class LandmarkAlignment : public ItkDeviceTest
{};

namespace
{

/** Turned by 40 degrees, scaled and shifted. */
template <unsigned int VDimension>
std::vector<double>
Turned(const std::vector<double> & positions, double scale)
{
  const double        c = scale * std::cos(0.7);
  const double        s = scale * std::sin(0.7);
  std::vector<double> turned(positions);
  for (std::size_t i = 0; i < turned.size(); i += VDimension)
  {
    turned[i] = c * positions[i] - s * positions[i + 1] + 4.0;
    turned[i + 1] = s * positions[i] + c * positions[i + 1] - 3.0;
    if (VDimension == 3)
    {
      turned[i + 2] = scale * positions[i + 2] + 8.0;
    }
  }
  return turned;
}

template <unsigned int VDimension>
double
RootMeanSquare(const std::vector<double> & a, const std::vector<double> & b)
{
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return std::sqrt(sum * VDimension / static_cast<double>(a.size()));
}

template <unsigned int VDimension>
void
ExpectAligned(const itk::ComputeDevice & device)
{
  using RegistrationType = itk::CudaGeodesicShootingRegistration<PointsOf<VDimension>>;
  using AlignmentEnum = typename RegistrationType::PointAlignmentEnum;
  for (const auto type : { AlignmentEnum::Rigid, AlignmentEnum::Similarity })
  {
    const double              scale = type == AlignmentEnum::Rigid ? 1.0 : 1.4;
    const std::vector<double> from = Lattice<VDimension>(4);
    const std::vector<double> to = Turned<VDimension>(Moved<VDimension>(from), scale);
    const auto                registration = RegistrationType::New();
    registration->SetComputeDevice(device);
    registration->SetSigma(latticeSigma);
    registration->SetNumberOfTimeSteps(10);
    registration->SetTemplatePointSet(MakePointSet<PointsOf<VDimension>>(from));
    registration->SetTargetPointSet(MakePointSet<PointsOf<VDimension>>(to));
    // Another target, which is not turned, has an alignment of its own.
    registration->SetTargetPointSet(1, MakePointSet<PointsOf<VDimension>>(Moved<VDimension>(from)));
    registration->SetMaximumNumberOfIterations(60);
    registration->SetPointAlignment(type);
    const WarningCapture warnings;
    registration->Update();
    EXPECT_EQ(warnings.GetText(), "");
    EXPECT_FALSE(registration->GetRemainsFar());

    const std::vector<double> moved = Positions(registration->GetOutput());
    const double              after = RootMeanSquare<VDimension>(moved, to);
    EXPECT_NEAR(registration->GetInitialRootMeanSquareDistance(), RootMeanSquare<VDimension>(from, to), 1e-9);
    // What is left is the smooth map of 1.5 mm, and single precision around the middle of the points.
    EXPECT_GT(registration->GetAlignedRootMeanSquareDistance(), 0.2);
    EXPECT_LT(registration->GetAlignedRootMeanSquareDistance(), 1.5 * scale * std::sqrt(double{ VDimension }));
    EXPECT_NEAR(registration->GetRootMeanSquareDistance(), after, 1e-4);
    EXPECT_LT(after, 0.1);
    EXPECT_LT(registration->GetRootMeanSquareDistance(1), 0.1);

    // The composite is the whole map, and its inverse leads back.
    const auto map = registration->GetCompositeTransform();
    ASSERT_EQ(map->GetNumberOfTransforms(), 2u);
    const auto inverse = map->GetInverseTransform();
    for (std::size_t i = 0; i < from.size(); i += VDimension)
    {
      const itk::Point<double, VDimension> point(from.data() + i);
      const itk::Point<double, VDimension> expected(moved.data() + i);
      EXPECT_LT(map->TransformPoint(point).EuclideanDistanceTo(expected), 1e-4);
      EXPECT_LT(inverse->TransformPoint(map->TransformPoint(point)).EuclideanDistanceTo(point), 1e-6);
    }
    EXPECT_TRUE(Contains(MessageOf([&] { registration->GetTransform(); }), "GetCompositeTransform gives both"));
  }
}

} // namespace

TEST_P(LandmarkAlignment, IsPartOfTheMapIn2D)
{
  ExpectAligned<2>(this->GetDevice());
}

TEST_P(LandmarkAlignment, IsPartOfTheMapIn3D)
{
  ExpectAligned<3>(this->GetDevice());
}

TEST_P(LandmarkAlignment, IsAskedForWherePointsRemainFar)
{
  using RegistrationType = itk::CudaGeodesicShootingRegistration<PointsOf<3>>;
  const std::vector<double> from = Lattice<3>(4);
  const std::vector<double> to = Turned<3>(from, 1.0);
  const auto                registration = RegistrationType::New();
  registration->SetComputeDevice(this->GetDevice());
  registration->SetSigma(latticeSigma);
  registration->SetNumberOfTimeSteps(10);
  registration->SetTemplatePointSet(MakePointSet<PointsOf<3>>(from));
  registration->SetTargetPointSet(MakePointSet<PointsOf<3>>(to));
  // Too few for a way of some 20 mm.
  registration->SetMaximumNumberOfIterations(3);
  {
    const WarningCapture warnings;
    registration->Update();
    EXPECT_TRUE(Contains(warnings.GetText(), "The points remain far from target 0: the root mean square"));
    EXPECT_TRUE(Contains(warnings.GetText(), "PointAlignment takes that off first"));
  }
  EXPECT_TRUE(registration->GetRemainsFar());
  EXPECT_EQ(registration->GetCompositeTransform()->GetNumberOfTransforms(), 1u);
  EXPECT_EQ(registration->GetAlignedRootMeanSquareDistance(), registration->GetInitialRootMeanSquareDistance());

  registration->SetPointAlignment("Rigid");
  EXPECT_EQ(registration->GetPointAlignmentName(), "Rigid");
  const WarningCapture warnings;
  registration->Update();
  EXPECT_EQ(warnings.GetText(), "");
  EXPECT_LT(registration->GetMaximumDistance(), 1e-4);
}

TEST_P(LandmarkAlignment, IsAnErrorWherePointsLeaveItOpen)
{
  using RegistrationType = itk::CudaGeodesicShootingRegistration<PointsOf<3>>;
  const std::vector<double> line{ 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 10.0, 0.0, 0.0, 15.0, 0.0, 0.0 };
  const auto                registration = RegistrationType::New();
  registration->SetComputeDevice(this->GetDevice());
  registration->SetSigma(latticeSigma);
  registration->SetNumberOfTimeSteps(10);
  registration->SetPointAlignment("Similarity");
  registration->SetTemplatePointSet(MakePointSet<PointsOf<3>>(line));
  registration->SetTargetPointSet(MakePointSet<PointsOf<3>>(line));
  EXPECT_TRUE(Contains(MessageOf([&] { registration->Update(); }), "the width of the points of the template"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(LandmarkAlignment);
