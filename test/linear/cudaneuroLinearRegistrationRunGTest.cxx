// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LinearPhantom.h"

#include <limits>

using namespace linearphantom;

namespace
{

/** The course of a linear registration: starts, levels, observers, errors. */
class LinearRegistrationRun : public DeviceTest
{
protected:
  LinearRegistrationRun()
    : m_Known(KnownMap(LinearTransformType::Rigid, 3, 12.0))
    , m_Fixed(FixedHead(FixedGeometry(3)))
    , m_Moving(MovingHead(MovingGeometry(3), m_Known))
  {
    m_Parameters.transformType = LinearTransformType::Rigid;
    m_Parameters.searchAngle = 0.0;
    m_Parameters.searchDistance = 0.0;
  }

  LinearMetricImages
  GetImages() const
  {
    return Images(m_Fixed, m_Moving);
  }

  /** The start of a registration of no iteration. */
  AffineMap
  StartOf(LinearStart start, const AffineMap & initial)
  {
    LinearRegistrationParameters parameters = m_Parameters;
    parameters.start = start;
    parameters.levels = { { { 2, 2, 2 }, 0 } };
    return RegisterLinearly(this->GetContext(), parameters, this->GetImages(), initial).start;
  }

  LinearRegistrationParameters m_Parameters;
  AffineMap                    m_Known;
  PlacedImage                  m_Fixed;
  PlacedImage                  m_Moving;
};

} // namespace

TEST_P(LinearRegistrationRun, StartsWhereItIsTold)
{
  AffineMap initial = Rotation(3, 10.0);
  initial.offset = { 1.0, 2.0, 3.0 };
  EXPECT_TRUE(HasSameBits(StartOf(LinearStart::InitialTransform, initial), initial));

  m_Moving.geometry.origin[1] += 50.0;
  const AffineMap centers = StartOf(LinearStart::GridCenters, initial);
  EXPECT_EQ(centers.matrix, initial.matrix);
  // Both grids are centered on the origin of space, but for the 50 mm.
  const Point center = Mapped(centers, { 0.0, 0.0, 0.0 });
  EXPECT_NEAR(center[0], 0.0, 1e-9);
  EXPECT_NEAR(center[1], 50.0, 1e-9);
  EXPECT_NEAR(center[2], 0.0, 1e-9);
}

TEST_P(LinearRegistrationRun, StartsAtTheCentersOfMass)
{
  // A rigid map takes the center of mass to the center of mass; voxels of 4 mm show it to a small part of a voxel.
  constexpr double inPart = 0.2;
  const AffineMap  start = StartOf(LinearStart::CentersOfMass, Rotation(3, 5.0));
  EXPECT_EQ(start.matrix, Rotation(3, 5.0).matrix);
  double mass = 0.0;
  Point  sum{};
  Sample(m_Fixed.geometry, [&](const Point & p) {
    for (int axis = 0; axis < 3; ++axis)
    {
      sum[axis] += Head(p) * p[axis];
    }
    return mass += Head(p);
  });
  const Point center{ sum[0] / mass, sum[1] / mass, sum[2] / mass };
  const Point there = Mapped(start, center);
  const Point wanted = Mapped(m_Known, center);
  for (int axis = 0; axis < 3; ++axis)
  {
    EXPECT_NEAR(there[axis], wanted[axis], inPart);
  }
}

TEST_P(LinearRegistrationRun, PrincipalAxesFindLargeRotations)
{
  for (const int dimension : { 2, 3 })
  {
    const AffineMap known = KnownMap(LinearTransformType::Rigid, dimension, 140.0);
    m_Fixed = FixedHead(FixedGeometry(dimension));
    m_Moving = MovingHead(MovingGeometry(dimension), known);
    m_Parameters.start = LinearStart::PrincipalAxes;
    const auto result = RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages());
    EXPECT_LT(MeanDistance(result.transform, known, dimension), 0.2) << dimension;
    // Without a single step: the axes of mass are those of the head, to the resolution of the level.
    EXPECT_LT(MeanDistance(result.start, known, dimension), 4.0) << dimension;
  }
}

TEST_P(LinearRegistrationRun, TellsOfEachIteration)
{
  // So fine that the last level finds something better, and tells of it.
  m_Parameters.convergenceThreshold = 1e-4;
  std::vector<LinearRegistrationIteration> told;
  const auto                               result = RegisterLinearly(
    this->GetContext(), m_Parameters, this->GetImages(), AffineMap(), [&](const LinearRegistrationIteration & i) {
      told.push_back(i);
      return true;
    });
  ASSERT_EQ(told.size(), result.iterations.size());
  int expected = 0;
  for (std::size_t i = 0; i < told.size(); ++i)
  {
    const bool isNewLevel = i > 0 && told[i].level != told[i - 1].level;
    expected = i == 0 || isNewLevel ? 0 : expected + 1;
    EXPECT_EQ(told[i].iteration, expected);
    EXPECT_EQ(told[i].value, result.iterations[i].value);
    EXPECT_GT(told[i].step, 0.0);
    if (i > 0 && !isNewLevel)
    {
      EXPECT_LT(told[i].value, told[i - 1].value);
    }
  }
  EXPECT_EQ(result.value, told.back().value);
}

TEST_P(LinearRegistrationRun, ObserverEndsIt)
{
  // That of a metric without weights, which is compared with it below.
  m_Parameters.voxelWeighting = VoxelWeighting::Uniform;
  int        calls = 0;
  const auto result = RegisterLinearly(
    this->GetContext(), m_Parameters, this->GetImages(), AffineMap(), [&](const LinearRegistrationIteration &) {
      return ++calls < 3;
    });
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(result.iterations.size(), 3u);
  EXPECT_LT(MeanDistance(result.transform, m_Known, 3), MeanDistance(result.start, m_Known, 3));
  // The value is that of the finest level, as always.
  LinearMetric                        metric(this->GetContext(), m_Parameters.metric, this->GetImages());
  std::vector<LinearMetricEvaluation> evaluations(1);
  evaluations[0].map = result.transform;
  metric.Evaluate(evaluations, false);
  EXPECT_EQ(result.value, evaluations[0].value);
  EXPECT_EQ(result.overlap, evaluations[0].overlap);
}

TEST_P(LinearRegistrationRun, AbortLeavesTheBestMap)
{
  LinearRegistrationResult result;
  int                      iterations = 0;
  this->GetContext().SetProgressFunction([&](float) { return iterations < 6; });
  EXPECT_THROW(RegisterLinearly(
                 this->GetContext(),
                 m_Parameters,
                 this->GetImages(),
                 AffineMap(),
                 [&](const LinearRegistrationIteration &) { return ++iterations < 1000; },
                 result),
               Aborted);
  this->GetContext().SetProgressFunction({});
  EXPECT_EQ(iterations, 6);
  EXPECT_LT(MeanDistance(result.transform, m_Known, 3), MeanDistance(result.start, m_Known, 3));
}

TEST_P(LinearRegistrationRun, ProgressGrowsToOne)
{
  std::vector<float> progress;
  this->GetContext().SetProgressFunction([&](float fraction) {
    progress.push_back(fraction);
    return true;
  });
  m_Parameters.searchAngle = 30.0;
  RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages());
  this->GetContext().SetProgressFunction({});
  ASSERT_FALSE(progress.empty());
  EXPECT_TRUE(std::is_sorted(progress.begin(), progress.end()));
  EXPECT_EQ(progress.back(), 1.0f);
}

TEST_P(LinearRegistrationRun, NoIterationsReturnTheStart)
{
  m_Parameters.levels = { { { 2, 2, 2 }, 0 }, { { 1, 1, 1 }, 0 } };
  m_Parameters.start = LinearStart::InitialTransform;
  const auto result = RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages(), m_Known);
  EXPECT_TRUE(HasSameBits(result.transform, m_Known));
  EXPECT_TRUE(result.iterations.empty());
  EXPECT_TRUE(result.isSuccess) << result.quality;
}

TEST_P(LinearRegistrationRun, RefusesWhatItCannotDo)
{
  const auto expect = [&](const LinearRegistrationParameters & parameters, const char * name, const char * value) {
    ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), parameters, this->GetImages()); }, name, value);
  };
  auto parameters = m_Parameters;
  parameters.levels.clear();
  expect(parameters, "the number of levels", "0");
  parameters = m_Parameters;
  parameters.levels[1].shrinkFactors[2] = 0;
  expect(parameters, "Levels[1].ShrinkFactors[2]", "0");
  parameters = m_Parameters;
  parameters.levels[0].iterations = -1;
  expect(parameters, "Levels[0].NumberOfIterations", "-1");
}

TEST_P(LinearRegistrationRun, RefusesInitialTransformsWithoutInverse)
{
  AffineMap singular;
  singular.matrix[8] = 0.0;
  const std::string message =
    RefusalOf([&] { RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages(), singular); });
  EXPECT_NE(message.find("initial transform"), std::string::npos) << message;
  EXPECT_NE(message.find("determinant of the matrix is 0"), std::string::npos) << message;
  AffineMap infinite;
  infinite.offset[1] = std::numeric_limits<double>::infinity();
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages(), infinite); },
                         "offset[1] of the map",
                         "inf");
}

TEST_P(LinearRegistrationRun, RefusesImagesThatDoNotOverlap)
{
  m_Parameters.start = LinearStart::InitialTransform;
  AffineMap far;
  far.offset = { 500.0, 0.0, 0.0 };
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages(), far); },
                         "the largest overlap of the images after a start",
                         "0");
}

TEST_P(LinearRegistrationRun, RefusesImagesWithoutContent)
{
  const PlacedImage fixed = m_Fixed;
  std::fill(m_Fixed.values.begin(), m_Fixed.values.end(), 7.0f);
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages()); },
                         "the intensity of the fixed image",
                         "7");
  m_Fixed = fixed;
  std::fill(m_Moving.values.begin(), m_Moving.values.end(), std::numeric_limits<float>::infinity());
  ExpectInvalidParameter([&] { RegisterLinearly(this->GetContext(), m_Parameters, this->GetImages()); },
                         "the number of finite voxels of the moving image",
                         "0");
}

CUDANEURO_TEST_ON_ALL_DEVICES(LinearRegistrationRun);
