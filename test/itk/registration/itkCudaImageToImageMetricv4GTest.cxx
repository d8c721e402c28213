// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The metric by itself: beside ITK's metrics, and its derivatives against finite differences.

#include "MetricImages.h"
#include "MetricTest.h"
#include "itk/TestImages.h"
#include "itkAffineTransform.h"
#include "itkCompositeTransform.h"
#include "itkEuler3DTransform.h"
#include "itkScaleTransform.h"
#include "itkSimilarity2DTransform.h"
#include "itkSimilarity3DTransform.h"
#include "itkTranslationTransform.h"
#include "itkVersorRigid3DTransform.h"

#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

using namespace metricimages;
using namespace metrictests;

namespace
{

using CompositeType = itk::CompositeTransform<double, 3>;

Euler2DType::Pointer
SomeRigid2D()
{
  return Around<Euler2DType>({ 0.1, 1.3, -0.7 });
}

} // namespace

TEST_P(CudaImageToImageMetricv4, ValueIsThatOfMattes)
{
  this->CheckAgainstMattes<3>(itk::TranslationTransform<double, 3>::New(), 32);
  this->CheckAgainstMattes<3>(SomeRigid(), 32);
  this->CheckAgainstMattes<3>(SomeRigid(), 50);
  this->CheckAgainstMattes<2>(SomeRigid2D(), 20);
}

TEST_P(CudaImageToImageMetricv4, DerivativesByParameters)
{
  this->CheckDerivative<3>(Around<itk::TranslationTransform<double, 3>>({ 0.6, -0.4, 0.9 }));
  this->CheckDerivative<3>(SomeRigid());
  this->CheckDerivative<3>(Around<itk::VersorRigid3DTransform<double>>({ 0.02, -0.04, 0.05, 1.3, -0.7, 0.9 }));
  this->CheckDerivative<3>(Around<itk::Similarity3DTransform<double>>({ 0.02, -0.04, 0.05, 1.3, -0.7, 0.9, 0.04 }));
  this->CheckDerivative<3>(Around<itk::ScaleTransform<double, 3>>({ 0.04, -0.03, 0.047 }));
  this->CheckDerivative<3>(Around<itk::AffineTransform<double, 3>>(
    { 0.03, 0.05, -0.02, 0.04, -0.03, 0.02, 0.01, -0.04, 0.03, 0.8, -0.6, 0.7 }));
  this->CheckDerivative<2>(SomeRigid2D());
  this->CheckDerivative<2>(Around<itk::Similarity2DTransform<double>>({ 0.03, 0.08, 0.6, -0.8 }));
  this->CheckDerivative<2>(Around<itk::AffineTransform<double, 2>>({ 0.03, 0.05, -0.02, 0.04, 0.7, -0.5 }));
}

TEST_P(CudaImageToImageMetricv4, DerivativesByParametersOfComposites)
{
  const auto affine =
    Around<itk::AffineTransform<double, 3>>({ 0.03, 0.05, -0.02, 0.04, -0.03, 0.02, 0.01, -0.04, 0.03 });
  const auto rigid = Around<Euler3DType>({ 0.03, -0.04, 0.06, 1.3, -0.7, 0.9 });
  const auto composite = CompositeType::New();
  composite->AddTransform(affine);
  composite->AddTransform(rigid);
  EXPECT_EQ(composite->GetNumberOfParameters(), 18u);
  this->CheckDerivative<3>(composite);

  composite->SetOnlyMostRecentTransformToOptimizeOn();
  EXPECT_EQ(composite->GetNumberOfParameters(), 6u);
  this->CheckDerivative<3>(composite);

  composite->SetAllTransformsToOptimizeOff();
  composite->SetNthTransformToOptimizeOn(0);
  EXPECT_EQ(composite->GetNumberOfParameters(), 12u);
  this->CheckDerivative<3>(composite);
}

TEST_P(CudaImageToImageMetricv4, DerivativesOfOtherMetrics)
{
  for (const MetricEnum which : { MetricEnum::MeanSquares, MetricEnum::LocalCorrelation })
  {
    this->CheckDerivative<3>(SomeRigid(), which);
    this->CheckDerivative<2>(SomeRigid2D(), which);
  }
}

TEST_P(CudaImageToImageMetricv4, IsRepeatableInManyThreads)
{
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  const auto evaluate = [&](std::vector<double> & numbers) {
    const auto metric = metricimages::MakeMetric<3>(fixed, moving, SomeRigid(), this->GetParam());
    metric->Initialize();
    MetricOf<3>::DerivativeType derivative;
    numbers.resize(1);
    metric->GetValueAndDerivative(numbers[0], derivative);
    numbers.insert(numbers.end(), derivative.begin(), derivative.end());
  };
  std::vector<std::vector<double>> results(3);
  evaluate(results[0]);
  std::thread second([&] { evaluate(results[1]); });
  std::thread third([&] { evaluate(results[2]); });
  second.join();
  third.join();
  EXPECT_EQ(results[0].size(), 7u);
  EXPECT_EQ(results[1], results[0]);
  EXPECT_EQ(results[2], results[0]);
}

TEST_P(CudaImageToImageMetricv4, TransformsOfFloatFarFromTheOrigin)
{
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  for (const auto & image : { fixed, moving })
  {
    auto origin = image->GetOrigin();
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      origin[axis] += 10000.0;
    }
    image->SetOrigin(origin);
  }
  double              value = 0.0;
  std::vector<double> derivative;
  const auto          evaluate = [&](auto real) {
    using RealType = decltype(real);
    using MetricType = itk::CudaImageToImageMetricv4<ImageOf<3>, ImageOf<3>, ImageOf<3>, RealType>;
    const auto                                               transform = itk::Euler3DTransform<RealType>::New();
    typename itk::Euler3DTransform<RealType>::InputPointType around;
    around.Fill(static_cast<RealType>(10000.0 + center));
    transform->SetCenter(around);
    transform->SetRotation(static_cast<RealType>(0.1), static_cast<RealType>(-0.05), static_cast<RealType>(0.07));
    const auto metric = MakeMetric<MetricType>(fixed, moving, transform);
    metric->SetComputeDevice(itk::ComputeDevice(this->GetParam()));
    metric->SetMetric(MetricEnum::MeanSquares);
    metric->Initialize();
    typename MetricType::MeasureType    measure;
    typename MetricType::DerivativeType byParameters;
    metric->GetValueAndDerivative(measure, byParameters);
    value = static_cast<double>(measure);
    derivative.assign(byParameters.begin(), byParameters.end());
  };
  evaluate(0.0f);
  const double              actualValue = value;
  const std::vector<double> actual = derivative;
  evaluate(0.0);
  // Numbers of float near 10,000 are 0.001 mm apart.
  EXPECT_NEAR(actualValue, value, 0.002 * value);
  ASSERT_EQ(actual.size(), 6u);
  for (std::size_t block = 0; block < 6; block += 3)
  {
    const std::vector<double> expected(derivative.begin() + block, derivative.begin() + block + 3);
    for (std::size_t k = 0; k < 3; ++k)
    {
      EXPECT_NEAR(actual[block + k], expected[k], 0.005 * Largest(expected)) << "parameter " << block + k;
    }
  }
}

TEST_P(CudaImageToImageMetricv4, ImagesThatDoNotOverlap)
{
  const auto translation = Around<itk::TranslationTransform<double, 3>>({ 500.0, 0.0, 0.0 });
  const auto fixed = FixedImage<3>();
  const auto moving = MovingImage<3>(TrueTransform<3>());
  const auto metric = metricimages::MakeMetric<3>(fixed, moving, translation, this->GetParam());
  metric->Initialize();
  const testimages::WarningCapture warnings;
  EXPECT_EQ(metric->GetValue(), std::numeric_limits<double>::max());
  double                      value = 0.0;
  MetricOf<3>::DerivativeType derivative;
  metric->GetValueAndDerivative(value, derivative);
  EXPECT_EQ(value, std::numeric_limits<double>::max());
  EXPECT_EQ(metric->GetCurrentValue(), value);
  ASSERT_EQ(derivative.GetSize(), 3u);
  EXPECT_EQ(derivative.one_norm(), 0.0);
  EXPECT_EQ(metric->GetNumberOfValidPoints(), 0u);
  EXPECT_TRUE(testimages::Contains(warnings.GetText(), "No valid points were found"));
}

CUDANEURO_TEST_ON_ALL_DEVICES(CudaImageToImageMetricv4);
