// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// What the metric refuses, and what it says then; its settings.

#include "MetricImages.h"
#include "itkBSplineTransform.h"
#include "itkCompositeTransform.h"
#include "itkNearestNeighborInterpolateImageFunction.h"
#include "itkTranslationTransform.h"

#include <limits>

using namespace metricimages;

namespace
{

using ImageType = ImageOf<3>;
using MetricType = MetricOf<3>;

MetricType::Pointer
SomeMetric()
{
  const auto identity = itk::TranslationTransform<double, 3>::New();
  return metricimages::MakeMetric<3>(FixedImage<3>(), MovingImage<3>(identity), identity, cudaneuro::Device{});
}

/** What Initialize says after \p change. */
template <typename TChange>
std::string
MessageAfter(const TChange & change)
{
  const auto metric = SomeMetric();
  change(metric.GetPointer());
  return testimages::MessageOf([&] { metric->Initialize(); });
}

} // namespace

TEST(CudaImageToImageMetricv4Errors, TransformsThatAreNotLinear)
{
  const auto spline = itk::BSplineTransform<double, 3, 3>::New();
  EXPECT_TRUE(testimages::Contains(MessageAfter([&](MetricType * metric) { metric->SetMovingTransform(spline); }),
                                   "BSplineTransform, which is not linear"));
  const auto inner = itk::CompositeTransform<double, 3>::New();
  inner->AddTransform(spline);
  const auto outer = itk::CompositeTransform<double, 3>::New();
  outer->AddTransform(itk::TranslationTransform<double, 3>::New());
  outer->AddTransform(inner);
  EXPECT_TRUE(testimages::Contains(MessageAfter([&](MetricType * metric) { metric->SetMovingTransform(outer); }),
                                   "BSplineTransform, which is not linear"));
  const auto field = itk::DisplacementFieldTransform<double, 3>::New();
  EXPECT_TRUE(testimages::Contains(MessageAfter([&](MetricType * metric) { metric->SetMovingTransform(field); }),
                                   "DisplacementFieldTransform, which is not linear"));
}

TEST(CudaImageToImageMetricv4Errors, WhatIsNotSupported)
{
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) {
                                     metric->SetMovingInterpolator(
                                       itk::NearestNeighborInterpolateImageFunction<ImageType>::New());
                                   }),
                                   "the moving interpolator is NearestNeighborInterpolateImageFunction"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) { metric->UseSampledPointSetOn(); }),
                                   "no set of sampled points (UseSampledPointSet)"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) { metric->SetFixedImage(nullptr); }),
                                   "FixedImage is not present"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) { metric->SetMovingTransform(nullptr); }),
                                   "MovingTransform is not present"));
}

TEST(CudaImageToImageMetricv4Errors, ImagesAndMasks)
{
  const auto withPixels = [](float value, bool all) {
    const auto image = FixedImage<3>();
    if (all)
    {
      image->FillBuffer(value);
    }
    else
    {
      image->GetBufferPointer()[77] = value;
    }
    return image;
  };
  EXPECT_TRUE(
    testimages::Contains(MessageAfter([&](MetricType * metric) { metric->SetFixedImage(withPixels(7.5f, true)); }),
                         "is 7.5; it must be not constant"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([&](MetricType * metric) {
                                     metric->SetMovingImage(withPixels(std::numeric_limits<float>::infinity(), true));
                                   }),
                                   "the number of finite voxels of the moving image is 0"));
  const auto image = FixedImage<3>();
  EXPECT_TRUE(testimages::Contains(
    MessageAfter([&](MetricType * metric) { metric->SetFixedImageMask(CutBall<3>(image, 15.0, -100.0)); }),
    "the mask of the fixed image is 0"));
  EXPECT_TRUE(testimages::Contains(
    MessageAfter([&](MetricType * metric) { metric->SetMovingImageMask(CutBall<3>(image, 15.0, -100.0)); }),
    "the mask of the moving image is 0"));
  const auto cropped = FixedImage<3>();
  cropped->SetBufferedRegion(ImageType::RegionType({ { 0, 0, 0 } }, { { 40, 40, 20 } }));
  EXPECT_TRUE(testimages::Contains(MessageAfter([&](MetricType * metric) { metric->SetMovingImage(cropped); }),
                                   "The pixels of the moving image are not there"));
}

TEST(CudaImageToImageMetricv4Errors, Parameters)
{
  EXPECT_TRUE(
    testimages::Contains(MessageAfter([](MetricType * metric) { metric->SetNumberOfHistogramBins(7); }), "is 7"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) {
                                     metric->SetMetric("LocalCorrelation");
                                     metric->SetCorrelationRadius(9);
                                   }),
                                   "is 9"));
  EXPECT_TRUE(testimages::Contains(MessageAfter([](MetricType * metric) {
                                     const double quantiles[] = { 0.5, 0.25 };
                                     metric->SetIntensityQuantiles(quantiles);
                                   }),
                                   "IntensityQuantiles[0] is 0.5"));
  EXPECT_TRUE(testimages::Contains(testimages::MessageOf([] { SomeMetric()->SetMetric("Entropy"); }), "\"Entropy\""));
}

TEST(CudaImageToImageMetricv4Errors, NotInitialized)
{
  const auto metric = SomeMetric();
  EXPECT_TRUE(testimages::Contains(testimages::MessageOf([&] { metric->GetValue(); }), "Initialize() must be called"));
  metric->Initialize();
  EXPECT_LT(metric->GetValue(), 0.0);
  metric->SetNumberOfHistogramBins(7);
  EXPECT_THROW(metric->Initialize(), itk::ExceptionObject);
  EXPECT_TRUE(testimages::Contains(testimages::MessageOf([&] { metric->GetValue(); }), "must have succeeded"));

  // A transform that was linear and finite at first.
  const auto translation = itk::TranslationTransform<double, 3>::New();
  metric->SetNumberOfHistogramBins(8);
  metric->SetMovingTransform(translation);
  metric->Initialize();
  auto parameters = translation->GetParameters();
  parameters[1] = std::numeric_limits<double>::quiet_NaN();
  translation->SetParameters(parameters);
  EXPECT_TRUE(testimages::Contains(testimages::MessageOf([&] { metric->GetValue(); }), "is not finite"));
}

TEST(CudaImageToImageMetricv4Settings, DefaultsAndPrinting)
{
  const auto metric = MetricType::New();
  EXPECT_STREQ(metric->GetNameOfClass(), "CudaImageToImageMetricv4");
  EXPECT_NE(dynamic_cast<MetricType *>(metric->CreateAnother().GetPointer()), nullptr);
  EXPECT_EQ(metric->GetMetricName(), "MutualInformation");
  EXPECT_EQ(metric->GetNumberOfHistogramBins(), 32u);
  EXPECT_EQ(metric->GetCorrelationRadius(), 3u);
  EXPECT_EQ(metric->GetIntensityQuantiles()[0], 0.0);
  EXPECT_EQ(metric->GetIntensityQuantiles()[1], 1.0);
  EXPECT_EQ(metric->GetMaximumNumberOfWorkUnits(), itk::MultiThreaderBase::GetGlobalDefaultNumberOfThreads());
  EXPECT_EQ(metric->GetNumberOfWorkUnitsUsed(), metric->GetMaximumNumberOfWorkUnits());
  EXPECT_TRUE(metric->SupportsArbitraryVirtualDomainSamples());
  EXPECT_TRUE(metric->GetUseMovingImageGradientFilter());

  const auto before = metric->GetMTime();
  metric->SetMetric("MeanSquares");
  metric->SetMaximumNumberOfWorkUnits(3);
  metric->SetComputeDevice("cpu");
  EXPECT_GT(metric->GetMTime(), before);
  EXPECT_EQ(metric->GetMaximumNumberOfWorkUnits(), 3u);
  testimages::ExpectPrints(metric,
                           { "CudaImageToImageMetricv4",
                             "ComputeDevice: cpu",
                             "Metric: MeanSquares",
                             "NumberOfHistogramBins: 32",
                             "IntensityQuantiles: [0, 1]",
                             "CorrelationRadius: 3",
                             "MaximumNumberOfWorkUnits: 3",
                             "NumberOfFixedPoints: 0" });
}

// ITK's images of gradients would cost more than the registration.
TEST(CudaImageToImageMetricv4Settings, MakesNoImageOfGradients)
{
  const auto metric = SomeMetric();
  metric->Initialize();
  const double value = metric->GetValue();
  EXPECT_EQ(metric->GetModifiableMovingImageGradientImage(), nullptr);
  metric->UseMovingImageGradientFilterOff();
  metric->UseFixedImageGradientFilterOff();
  metric->SetMaximumNumberOfWorkUnits(1);
  metric->Initialize();
  EXPECT_EQ(metric->GetValue(), value);
}
