// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingFilterTests.h"
#include "TestVolumes.h"
#include "itk/ParameterTable.h"
#include "itkCudaBilateralImageFilter.h"
#include "itkCudaBilateralSweepImageFilter.h"

using namespace parametertable;
using namespace testimages;
using filterchecks::MessageAfter;

namespace
{

struct SweepTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaBilateralSweepImageFilter<TInput, TOutput>;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->SetDomainSigmas({ 1.2 });
    filter->SetRangeSigma(20.0);
  }
};

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaBilateralSweepImageFilter<ImageType>;

} // namespace

class CudaBilateralSweepImageFilter : public DeviceTest
{};
class CudaBilateralSweepImageFilterOnCuda : public DeviceTest
{};

CUDANEURO_DENOISING_FILTER_TESTS(CudaBilateralSweepImageFilter, SweepTraits);

TEST_P(CudaBilateralSweepImageFilter, RejectsBadParameters)
{
  const itk::ComputeDevice device(GetParam());
  const auto               messageFor = [&](auto change) { return MessageAfter<SweepTraits>(device, change); };
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetRadii({ 2, 9 }); }), "Radii[1] is 9"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetRadii({ 3, 2 }); }), "Radii[1] is 2"));
  EXPECT_TRUE(Contains(MessageOf([] { FilterType::New()->SetRadii({ 4000000000u }); }), "Radii is 4000000000"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetRadii({}); }), "the number of Radii is 0"));
  EXPECT_TRUE(
    Contains(messageFor([](auto * filter) { filter->SetDomainSigmas({}); }), "the number of DomainSigmas is 0"));
  EXPECT_EQ(messageFor([](auto *) {}), "");
}

TEST_P(CudaBilateralSweepImageFilter, SetsAndPrintsParameters)
{
  const auto filter = FilterType::New();
  EXPECT_STREQ(filter->GetNameOfClass(), "CudaBilateralSweepImageFilter");
  using P = cudaneuro::BilateralSweepParameters;
  ExpectParameters(filter.GetPointer(),
                   P(),
                   {},
                   CUDANEURO_PARAMETER(rangeSigma, RangeSigma),
                   CUDANEURO_PARAMETER(radii, Radii),
                   CUDANEURO_PARAMETER(domainSigmas, DomainSigmas),
                   CUDANEURO_PARAMETER(useImageSpacing, UseImageSpacing));
  filter->SetRadii({ 1, 3 });
  filter->SetDomainSigmas({ 0.5, 1.5, 2.5 });
  ExpectPrints(filter, { "Radii: [1, 3]", "DomainSigmas: [0.5, 1.5, 2.5]" });
}

/** The number of outputs follows the lists, before any update, up and down. */
TEST_P(CudaBilateralSweepImageFilter, HasAnOutputForEachPair)
{
  const auto filter = FilterType::New();
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 1u);
  filter->SetRadii({ 1, 2, 3 });
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 3u);
  filter->SetDomainSigmas({ 1.0, 2.0 });
  ASSERT_EQ(filter->GetNumberOfIndexedOutputs(), 6u);
  EXPECT_EQ(filter->GetOutputIndex(2, 1), 5u);
  for (unsigned int i = 0; i < 6; ++i)
  {
    EXPECT_NE(filter->GetOutput(i), nullptr);
  }
  filter->SetRadii({ 2 });
  EXPECT_EQ(filter->GetNumberOfIndexedOutputs(), 2u);
  const auto input = Phantom<ImageType>();
  filter->SetComputeDevice(itk::ComputeDevice(GetParam()));
  filter->SetInput(input);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(0), input);
  ExpectSameGeometry<3>(filter->GetOutput(1), input);
}

/** Of a noise of 6, which is little beside the range sigma of 50, weights of a Gaussian of one voxel leave 6
 * sqrt(sum w^2) / sum w = 0.9, and somewhat more at the border, whatever the voxel. A Gaussian of 1 mm left 5.7
 * where voxels are of 3 mm. */
TEST_P(CudaBilateralSweepImageFilter, DefaultDomainSigmaIsOneVoxel)
{
  constexpr std::uint64_t count = 24 * 24 * 24;
  const auto              input = ImageType::New();
  input->SetRegions(ImageType::SizeType{ { 24, 24, 24 } });
  input->Allocate();
  for (std::uint64_t i = 0; i < count; ++i)
  {
    input->GetBufferPointer()[i] = static_cast<float>(6.0 * testvolumes::NormalNoise(1, i));
  }
  const double stretched[] = { 3.0, 0.5, 2.0 };
  for (const ImageType::SpacingType & spacing :
       { ImageType::SpacingType(1.0), ImageType::SpacingType(3.0), ImageType::SpacingType(stretched) })
  {
    input->SetSpacing(spacing);
    const auto update = [&](auto filter) {
      filter->SetComputeDevice(itk::ComputeDevice(GetParam()));
      filter->SetInput(input);
      filter->Update();
      return Pixels(filter->GetOutput());
    };
    const std::vector<double> pixels = update(FilterType::New());
    double                    sumOfSquares = 0.0;
    for (const double pixel : pixels)
    {
      sumOfSquares += pixel * pixel;
    }
    EXPECT_LT(std::sqrt(sumOfSquares / count), 2.0);
    ExpectSame(update(itk::CudaBilateralImageFilter<ImageType>::New()), pixels, 2e-6 * 60.0); // of a range of 60
  }
}

/** Each output is what the filter for one pair gives, in images and in device images. */
TEST_P(CudaBilateralSweepImageFilter, AgreesWithSingleFilter)
{
  using DeviceImageType = itk::DeviceImage<float, 3>;
  const itk::ComputeDevice        device(GetParam());
  const auto                      input = Phantom<ImageType>();
  const std::vector<unsigned int> radii{ 1, 2, 4 };
  const std::vector<double>       sigmas{ 0.7, 3.0 };

  const auto sweep = OnDevice<FilterType>(device, input);
  const auto onDevice = itk::CudaBilateralSweepImageFilter<DeviceImageType>::New();
  onDevice->SetInput(Upload(input.GetPointer(), device));
  const auto setUp = [&](auto * filter) {
    filter->SetRangeSigma(20.0);
    filter->SetRadii(radii);
    filter->SetDomainSigmas(sigmas);
  };
  setUp(sweep.GetPointer());
  setUp(onDevice.GetPointer());
  sweep->GetOutput(3)->Update(); // any of them
  onDevice->Update();
  EXPECT_EQ(onDevice->GetDeviceToHostBytes(), 0u);

  for (unsigned int r = 0; r < radii.size(); ++r)
  {
    for (unsigned int s = 0; s < sigmas.size(); ++s)
    {
      const auto single = OnDevice<itk::CudaBilateralImageFilter<ImageType>>(device, input);
      single->SetRangeSigma(20.0);
      single->SetRadius(radii[r]);
      single->SetDomainSigma(sigmas[s]);
      single->Update();
      const unsigned int index = sweep->GetOutputIndex(r, s);
      ExpectSameGeometry<3>(sweep->GetOutput(index), input);
      ExpectSame(Pixels(sweep->GetOutput(index)), Pixels(single->GetOutput()), 2e-6 * 200.0); // of a range of 200
      ExpectSame(Pixels(onDevice->GetOutput(index)), Pixels(sweep->GetOutput(index)));
    }
  }
}
