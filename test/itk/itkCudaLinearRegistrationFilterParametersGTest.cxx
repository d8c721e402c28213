// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The parameters of CudaLinearRegistrationFilter: defaults, setters and getters, Print, names.

#include "LinearPhantom.h"

#include <functional>

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;

namespace
{

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaLinearRegistrationFilter<ImageType>;

/** Sets a value that is not the default, and expects it back, and that the filter's time goes on only when it is
 * new. */
template <typename TSet, typename TGet, typename TValue>
void
ExpectSets(FilterType * filter, const TSet & set, const TGet & get, const TValue & value)
{
  EXPECT_FALSE(std::invoke(get, filter) == value) << "the test's value is the default";
  const auto before = filter->GetMTime();
  std::invoke(set, filter, value);
  EXPECT_TRUE(std::invoke(get, filter) == value);
  const auto after = filter->GetMTime();
  EXPECT_GT(after, before);
  std::invoke(set, filter, value);
  EXPECT_EQ(filter->GetMTime(), after);
}

} // namespace

/** They are those of the engine. */
TEST(CudaLinearRegistrationFilterParameters, Defaults)
{
  const cudaneuro::LinearRegistrationParameters defaults;
  const auto                                    filter = FilterType::New();
  EXPECT_EQ(filter->GetTransformType(), defaults.transformType);
  EXPECT_EQ(filter->GetMetric(), defaults.metric.metric);
  EXPECT_EQ(filter->GetNumberOfHistogramBins(), static_cast<unsigned int>(defaults.metric.numberOfHistogramBins));
  EXPECT_EQ(filter->GetIntensityQuantiles()[0], defaults.metric.intensityQuantiles[0]);
  EXPECT_EQ(filter->GetIntensityQuantiles()[1], defaults.metric.intensityQuantiles[1]);
  EXPECT_EQ(filter->GetCorrelationRadius(), static_cast<unsigned int>(defaults.metric.correlationRadius));
  EXPECT_EQ(filter->GetUseSymmetricMetric(), defaults.metric.useSymmetricMetric);
  EXPECT_EQ(filter->GetExtendBackground(), defaults.metric.extendBackground);
  EXPECT_TRUE(filter->GetExtendBackground());
  EXPECT_EQ(filter->GetVoxelWeighting(), defaults.voxelWeighting);
  EXPECT_EQ(filter->GetUseLocalRefinement(), defaults.useLocalRefinement);
  EXPECT_EQ(filter->GetMaximumScale(), defaults.maximumScale);
  EXPECT_EQ(filter->GetMaximumShear(), defaults.maximumShear);
  EXPECT_EQ(filter->GetMaximumRotation(), defaults.maximumRotation);
  EXPECT_EQ(filter->GetStart(), defaults.start);
  EXPECT_EQ(filter->GetSearchAngle(), defaults.searchAngle);
  EXPECT_EQ(filter->GetSearchDistance(), defaults.searchDistance);
  EXPECT_EQ(filter->GetNumberOfLevels(), defaults.levels.size());
  EXPECT_EQ(filter->GetNumberOfIterations(), static_cast<unsigned int>(defaults.levels.front().iterations));
  EXPECT_EQ(filter->GetConvergenceThreshold(), defaults.convergenceThreshold);
  EXPECT_EQ(filter->GetMinimumOverlap(), defaults.minimumOverlap);
  EXPECT_TRUE(filter->GetComputeWarped());
  EXPECT_TRUE(filter->GetUsePinnedOutput());
  EXPECT_EQ(filter->GetInitialTransform(), nullptr);

  const auto image = ImageType::New();
  image->SetRegions(ImageType::SizeType{ { 256, 256, 256 } });
  filter->SetFixedImage(image);
  for (unsigned int level = 0; level < filter->GetNumberOfLevels(); ++level)
  {
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      EXPECT_EQ(filter->GetShrinkFactorsPerDimension(level)[axis],
                static_cast<unsigned int>(defaults.levels[level].shrinkFactors[axis]));
    }
  }
}

TEST(CudaLinearRegistrationFilterParameters, Setters)
{
  const auto filter = FilterType::New();
  EXPECT_STREQ(filter->GetNameOfClass(), "CudaLinearRegistrationFilter");
  const auto expectSets = [&](const auto & set, const auto & get, const auto & value) {
    ExpectSets(filter.GetPointer(), set, get, value);
  };
  expectSets([](FilterType * object, FilterType::TransformTypeEnum value) { object->SetTransformType(value); },
             &FilterType::GetTransformType,
             FilterType::TransformTypeEnum::Rigid);
  expectSets([](FilterType * object, FilterType::MetricEnum value) { object->SetMetric(value); },
             &FilterType::GetMetric,
             FilterType::MetricEnum::LocalCorrelation);
  expectSets([](FilterType * object, FilterType::StartEnum value) { object->SetStart(value); },
             &FilterType::GetStart,
             FilterType::StartEnum::PrincipalAxes);
  expectSets(&FilterType::SetNumberOfHistogramBins, &FilterType::GetNumberOfHistogramBins, 48u);
  FilterType::QuantilesType quantiles;
  quantiles[0] = 0.01;
  quantiles[1] = 0.99;
  expectSets([](FilterType * object, const FilterType::QuantilesType & value) { object->SetIntensityQuantiles(value); },
             &FilterType::GetIntensityQuantiles,
             quantiles);
  expectSets(&FilterType::SetCorrelationRadius, &FilterType::GetCorrelationRadius, 5u);
  expectSets(&FilterType::SetUseSymmetricMetric, &FilterType::GetUseSymmetricMetric, false);
  expectSets(&FilterType::SetExtendBackground, &FilterType::GetExtendBackground, false);
  expectSets(&FilterType::SetUseLocalRefinement, &FilterType::GetUseLocalRefinement, false);
  expectSets(&FilterType::SetSearchAngle, &FilterType::GetSearchAngle, 25.0);
  expectSets(&FilterType::SetSearchDistance, &FilterType::GetSearchDistance, 15.0);
  expectSets(&FilterType::SetConvergenceThreshold, &FilterType::GetConvergenceThreshold, 0.125);
  expectSets(&FilterType::SetMinimumOverlap, &FilterType::GetMinimumOverlap, 0.375);
  expectSets(&FilterType::SetMaximumScale, &FilterType::GetMaximumScale, 1.25);
  expectSets(&FilterType::SetMaximumShear, &FilterType::GetMaximumShear, 12.0);
  expectSets(&FilterType::SetMaximumRotation, &FilterType::GetMaximumRotation, 45.0);
  expectSets(&FilterType::SetComputeWarped, &FilterType::GetComputeWarped, false);
  expectSets(&FilterType::SetUsePinnedOutput, &FilterType::GetUsePinnedOutput, false);
  expectSets(&FilterType::SetNumberOfLevels, &FilterType::GetNumberOfLevels, 3u);
  expectSets(&FilterType::SetNumberOfIterations, &FilterType::GetNumberOfIterations, 40u);
  expectSets(&FilterType::SetNumberOfIterationsPerLevel,
             &FilterType::GetNumberOfIterationsPerLevel,
             FilterType::UnsignedVectorType{ 30, 20 });
  const auto image = Moving<ImageType>();
  const auto mask = BallMaskFor<3>(image.GetPointer());
  expectSets([](FilterType * object, const ImageType * value) { object->SetFixedImage(value); },
             &FilterType::GetFixedImage,
             image);
  expectSets([](FilterType * object, const ImageType * value) { object->SetMovingImage(value); },
             &FilterType::GetMovingImage,
             image);
  expectSets([](FilterType * object, const itk::ImageBase<3> * value) { object->SetFixedMaskImage(value); },
             &FilterType::GetFixedMaskImage,
             mask);
  expectSets([](FilterType * object, const itk::ImageBase<3> * value) { object->SetMovingMaskImage(value); },
             &FilterType::GetMovingMaskImage,
             mask);
  expectSets([](FilterType * object, const TransformOf<3> * value) { object->SetInitialTransform(value); },
             &FilterType::GetInitialTransform,
             KnownTransform<3>("Rigid"));

  filter->SetShrinkFactorsPerLevel({ 3, 1 });
  EXPECT_EQ(filter->GetNumberOfLevels(), 2u);
  FilterType::ShrinkFactorsType factors(3u);
  factors[2] = 1;
  filter->SetShrinkFactorsPerDimension(0, factors);
  EXPECT_EQ(filter->GetShrinkFactorsPerDimension(0), factors);
  const std::string printed = Printed(filter);
  for (const char * const part : { "TransformType: Rigid",
                                   "Metric: LocalCorrelation",
                                   "Start: PrincipalAxes",
                                   "NumberOfHistogramBins: 48",
                                   "IntensityQuantiles: [0.01, 0.99]",
                                   "CorrelationRadius: 5",
                                   "UseSymmetricMetric: Off",
                                   "ExtendBackground: Off",
                                   "SearchAngle: 25",
                                   "SearchDistance: 15",
                                   "ConvergenceThreshold: 0.125",
                                   "MinimumOverlap: 0.375",
                                   "MaximumScale: 1.25",
                                   "MaximumShear: 12",
                                   "MaximumRotation: 45",
                                   "VoxelWeighting: Automatic",
                                   "UseLocalRefinement: Off",
                                   "ComputeWarped: Off",
                                   "UsePinnedOutput: Off",
                                   "NumberOfLevels: 2",
                                   "ShrinkFactors: [[3, 3, 1] [1, 1, 1]]",
                                   "NumberOfIterationsPerLevel: [30 20]",
                                   "ComputeDevice: (default)",
                                   "IsSuccess: Off" })
  {
    EXPECT_TRUE(Contains(printed, part));
  }
  filter->SetIntensityQuantiles(0.02, 0.98);
  EXPECT_EQ(filter->GetIntensityQuantiles()[1], 0.98);
}

TEST(CudaLinearRegistrationFilterParameters, Names)
{
  const auto filter = FilterType::New();
  for (const char * const name : { "Translation", "Rigid", "Similarity", "Affine" })
  {
    filter->SetTransformType(name);
    EXPECT_EQ(filter->GetTransformTypeName(), name);
  }
  for (const char * const name : { "MeanSquares", "LocalCorrelation", "MutualInformation" })
  {
    filter->SetMetric(name);
    EXPECT_EQ(filter->GetMetricName(), name);
  }
  for (const char * const name : { "InitialTransform", "GridCenters", "CentersOfMass", "PrincipalAxes" })
  {
    filter->SetStart(name);
    EXPECT_EQ(filter->GetStartName(), name);
  }
  for (const std::string & message : { MessageOf([&] { filter->SetTransformType("Scale"); }),
                                       MessageOf([&] { filter->SetMetric("Scale"); }),
                                       MessageOf([&] { filter->SetStart("Scale"); }) })
  {
    EXPECT_TRUE(Contains(message, "\"Scale\": use one of"));
  }
}

TEST(CudaLinearRegistrationFilterParameters, NothingBeforeAnUpdate)
{
  const auto filter = FilterType::New();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetTransform(); }), "There is no transform yet"));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetModifiableTransform(); }), "There is no transform yet"));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->GetInverseTransform(); }), "There is no transform yet"));
  ASSERT_NE(filter->GetOutput(), nullptr);
  ASSERT_NE(filter->GetOutput()->Get(), nullptr);
  EXPECT_FALSE(filter->GetOutput()->Get()->IsLinear()) << "ResampleImageFilter would take a part of its input by it";
  EXPECT_FALSE(filter->GetIsSuccess());
}

TEST(CudaLinearRegistrationFilterParameters, AreVerifiedWithoutPixels)
{
  const auto filter = FilterType::New();
  const auto message = [&] { return MessageOf([&] { filter->VerifyParameters(); }); };
  EXPECT_TRUE(Contains(message(), "FixedImage is required"));
  const auto image = ImageType::New();
  image->SetRegions(ImageType::SizeType{ { 40, 40, 40 } });
  filter->SetFixedImage(image);
  filter->SetMovingImage(image);
  EXPECT_EQ(message(), "");
  filter->SetSearchAngle(181.0);
  EXPECT_TRUE(Contains(message(), "SearchAngle is 181; it must be"));
}
