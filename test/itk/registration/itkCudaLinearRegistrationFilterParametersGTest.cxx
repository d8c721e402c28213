// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The parameters of CudaLinearRegistrationFilter: defaults, setters and getters, Print, names.

#include "LinearPhantom.h"
#include "itk/ParameterTable.h"

using namespace testimages;
using namespace registrationphantom;
using namespace linearphantom;
using namespace parametertable;

namespace
{

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaLinearRegistrationFilter<ImageType>;

} // namespace

TEST(CudaLinearRegistrationFilterParameters, AreThoseOfTheEngine)
{
  const auto filter = FilterType::New();
  {
    using P = cudaneuro::LinearRegistrationParameters;
    ExpectParameters(filter.GetPointer(),
                     P(),
                     { "Metric", "ChannelWeight", "FurtherChannels", "Levels" },
                     CUDANEURO_PARAMETER(transformType, TransformType),
                     CUDANEURO_PARAMETER(start, Start),
                     CUDANEURO_PARAMETER(voxelWeighting, VoxelWeighting),
                     CUDANEURO_PARAMETER(useLocalRefinement, UseLocalRefinement),
                     CUDANEURO_PARAMETER(searchAngle, SearchAngle),
                     CUDANEURO_PARAMETER(searchDistance, SearchDistance),
                     CUDANEURO_PARAMETER(convergenceThreshold, ConvergenceThreshold),
                     CUDANEURO_PARAMETER(minimumOverlap, MinimumOverlap),
                     CUDANEURO_PARAMETER(maximumScale, MaximumScale),
                     CUDANEURO_PARAMETER(maximumShear, MaximumShear),
                     CUDANEURO_PARAMETER(maximumRotation, MaximumRotation));
  }
  using P = cudaneuro::LinearMetricParameters;
  ExpectParameters(filter.GetPointer(),
                   cudaneuro::LinearRegistrationParameters().metric,
                   { "CountUncovered" },
                   CUDANEURO_PARAMETER(metric, Metric),
                   CUDANEURO_PARAMETER(numberOfHistogramBins, NumberOfHistogramBins),
                   CUDANEURO_PARAMETER(intensityQuantiles, IntensityQuantiles),
                   CUDANEURO_PARAMETER(repairOutliers, RepairOutliers),
                   CUDANEURO_PARAMETER(correlationRadius, CorrelationRadius),
                   CUDANEURO_PARAMETER(useSymmetricMetric, UseSymmetricMetric),
                   CUDANEURO_PARAMETER(extendBackground, ExtendBackground));
  filter->SetIntensityQuantiles(0.02, 0.98);
  EXPECT_EQ(filter->GetIntensityQuantiles()[1], 0.98);
  ExpectPrints(filter, { "IntensityQuantiles: [0.02, 0.98]", "ExtendBackground: Off", "MaximumShear: 10" });
}

TEST(CudaLinearRegistrationFilterParameters, Defaults)
{
  const cudaneuro::LinearRegistrationParameters defaults;
  const auto                                    filter = FilterType::New();
  EXPECT_EQ(filter->GetNumberOfLevels(), defaults.levels.size());
  EXPECT_EQ(filter->GetNumberOfIterations(), static_cast<unsigned int>(defaults.levels.front().iterations));
  EXPECT_TRUE(filter->GetExtendBackground());
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
             [](const FilterType * object) { return object->GetFixedImage(); },
             image);
  expectSets([](FilterType * object, const ImageType * value) { object->SetMovingImage(value); },
             [](const FilterType * object) { return object->GetMovingImage(); },
             image);
  expectSets([](FilterType * object, const itk::ImageBase<3> * value) { object->SetFixedMaskImage(value); },
             [](const FilterType * object) { return object->GetFixedMaskImage(); },
             mask);
  expectSets([](FilterType * object, const itk::ImageBase<3> * value) { object->SetMovingMaskImage(value); },
             [](const FilterType * object) { return object->GetMovingMaskImage(); },
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
  ExpectPrints(filter,
               { "ComputeWarped: Off",
                 "UsePinnedOutput: Off",
                 "NumberOfLevels: 2",
                 "ShrinkFactors: [[3, 3, 1] [1, 1, 1]]",
                 "NumberOfIterationsPerLevel: [30 20]",
                 "ComputeDevice: (default)",
                 "IsSuccess: Off" });
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
