// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingFilterTests.h"
#include "NoiseMapChecks.h"
#include "denoising/ReferenceDenoising.h"
#include "itkCudaBilateralImageFilter.h"

// A template of ITKImageFeature, which this module does not depend on.
#if __has_include("itkBilateralImageFilter.h")
#  include "itkBilateralImageFilter.h"
#  include "itkImageRegionConstIteratorWithIndex.h"
#endif

using namespace testimages;
using filterchecks::MessageAfter;

namespace
{

struct BilateralTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaBilateralImageFilter<TInput, TOutput>;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->SetDomainSigma(1.2);
    filter->SetRangeSigma(20.0);
  }
};

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaBilateralImageFilter<ImageType>;

} // namespace

class CudaBilateralImageFilter : public DeviceTest
{};
class CudaBilateralImageFilterOnCuda : public DeviceTest
{};

CUDANEURO_DENOISING_FILTER_TESTS(CudaBilateralImageFilter, BilateralTraits);

TEST_P(CudaBilateralImageFilter, RejectsBadParameters)
{
  const itk::ComputeDevice device(GetParam());
  const auto               messageFor = [&](auto change) { return MessageAfter<BilateralTraits>(device, change); };
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetRadius(0); }), "Radius[0] is 0"));
  EXPECT_EQ(messageFor([](auto *) {}), "");
}

/** A neighborhood that is larger than the image is the whole image. */
TEST_P(CudaBilateralImageFilter, AcceptsRadiusLargerThanImage)
{
  const auto input = Phantom<ImageType>(0.2, { { 7, 6, 5 } });
  const auto resultFor = [&](itk::SizeValueType radius) {
    const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
    filter->SetRadius(radius);
    filter->Update();
    return Pixels(filter->GetOutput());
  };
  // The order of summation may differ: rounding of some 200 terms of float.
  ExpectSame(resultFor(12), resultFor(6), 1e-4);
}

TEST_P(CudaBilateralImageFilter, MeasuresInPhysicalUnitsOrVoxels)
{
  const auto input = Phantom<ImageType>();
  const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetRangeSigma(20.0);
  filter->UseImageSpacingOff();
  filter->Update();
  const std::vector<double> inVoxels = Pixels(filter->GetOutput());

  filter->UseImageSpacingOn();
  filter->SetDomainSigma(FilterType::ArrayType(input->GetSpacing().GetDataPointer())); // one voxel along every axis
  ExpectOutput(filter, inVoxels, 1e-4);                                                // rounding of sigma / spacing

  filter->SetDomainSigma(1.0);
  filter->Update();
  EXPECT_NE(Pixels(filter->GetOutput()), inVoxels);
}

/** An image of larger voxels is smoothed by as many of them, and GetDomainSigma() says what that was. */
TEST_P(CudaBilateralImageFilter, DefaultDomainSigmaIsOneVoxel)
{
  const auto input = Phantom<ImageType>();
  const auto outputWith = [&](const ImageType::SpacingType & spacing, bool setsSigma) {
    input->SetSpacing(spacing);
    const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
    if (setsSigma)
    {
      filter->SetDomainSigma(1.0);
    }
    filter->Update();
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      EXPECT_EQ(filter->GetDomainSigma()[axis], setsSigma ? 1.0 : spacing[axis]);
    }
    return Pixels(filter->GetOutput());
  };
  const std::vector<double> expected = outputWith(ImageType::SpacingType(1.0), true);
  const double              stretched[] = { 3.0, 0.5, 2.0 };
  // Spacing over sigma is 1 to rounding.
  ExpectSame(outputWith(ImageType::SpacingType(3.0), false), expected, 1e-4);
  ExpectSame(outputWith(ImageType::SpacingType(stretched), false), expected, 1e-4);
  EXPECT_NE(outputWith(ImageType::SpacingType(3.0), true), expected);
}

/** The definition, in double precision. */
TEST_P(CudaBilateralImageFilter, AgreesWithDefinition)
{
  const auto input = Phantom<ImageType>();
  const auto filter = filterchecks::MakeFilter<BilateralTraits, ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->Update();
  cudaneuro::BilateralParameters parameters;
  parameters.domainSigma = { 1.2, 1.2, 1.2 };
  parameters.rangeSigma = 20.0;
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  ExpectSame(Pixels(filter->GetOutput()), reference::Bilateral(parameters, image), 2e-3); // 1e-5 of the range of 200
}

/** A map of one value gives the result of that number, and one that varies that of the definition. */
TEST_P(CudaBilateralImageFilter, TakesANoiseMap)
{
  const auto             input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const reference::Image image{ itk::CudaNeuroDetail::GridOf<3>(input), Pixels(input.GetPointer()), {} };
  const auto             filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  for (const double factor : { 0.0, 1.5 })
  {
    filter->SetRangeFactor(factor);
    filter->AutomaticRangeSigmaOn();
    const double used = factor > 0.0 ? factor : cudaneuro::RecommendedRangeFactor();
    filterchecks::CheckNoiseMap(
      filter.GetPointer(),
      [&](double noise) { filter->SetRangeSigma(used * noise); },
      [&] { filter->AutomaticRangeSigmaOn(); },
      [&](const std::vector<double> & noise) {
        cudaneuro::BilateralParameters parameters = filter->GetParameters();
        parameters.rangeSigma = used;
        return reference::BilateralWithNoiseMap(parameters, image, noise);
      },
      "set RangeFactor in place of RangeSigma");
  }
  const auto map = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  map->FillBuffer(6.0f);
  filter->SetNoiseMapImage(map);
  filter->SetRangeFactor(-1.0);
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "RangeFactor must not be negative; it is -1"));
}

#if __has_include("itkBilateralImageFilter.h")
/** Where the neighborhood is inside the image, and no difference is so large that itk's filter drops it, the two agree
 * but for the table in which itk's filter looks up the Gaussian: 16 / samples of a weight at most, here 1.6e-5. */
TEST_P(CudaBilateralImageFilter, AgreesWithItkInTheInterior)
{
  const auto input = Phantom<ImageType>();
  const auto filter = OnDevice<FilterType>(itk::ComputeDevice(GetParam()), input);
  filter->SetDomainSigma(1.2);
  filter->SetRangeSigma(80.0);
  filter->Update();

  const auto itkFilter = itk::BilateralImageFilter<ImageType, ImageType>::New();
  itkFilter->SetInput(input);
  itkFilter->SetDomainSigma(1.2);
  itkFilter->SetRangeSigma(80.0);
  itkFilter->AutomaticKernelSizeOff();
  itkFilter->SetRadius(2);
  itkFilter->SetNumberOfRangeGaussianSamples(1000000);
  itkFilter->Update();

  auto interior = input->GetLargestPossibleRegion();
  interior.ShrinkByRadius(2);
  itk::ImageRegionConstIteratorWithIndex<ImageType> ours(filter->GetOutput(), interior);
  itk::ImageRegionConstIterator<ImageType>          itks(itkFilter->GetOutput(), interior);
  for (; !ours.IsAtEnd(); ++ours, ++itks)
  {
    ASSERT_NEAR(ours.Get(), itks.Get(), 1.6e-5 * 250.0) << ours.GetIndex(); // of a range of 250
  }
}
#endif
