// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingFilterTests.h"
#include "itkCudaAdaptiveNonLocalMeansImageFilter.h"
#include "itkCudaNoiseMapImageFilter.h"

#include <limits>

using namespace testimages;
using filterchecks::MessageAfter;

namespace
{

struct AdaptiveNonLocalMeansTraits
{
  template <typename TInput, typename TOutput>
  using FilterType = itk::CudaAdaptiveNonLocalMeansImageFilter<TInput, TOutput>;

  /** A slab of one plane depends on 21 planes on each side of it, of 203, and needs some 30 bytes a voxel. */
  static constexpr double volumesOfSlabs = 3.0;

  template <typename TFilter>
  static void
  SetUp(TFilter * filter)
  {
    filter->SetNoiseStandardDeviation(8.0);
  }
};

using ImageType = itk::Image<float, 3>;
using FilterType = itk::CudaAdaptiveNonLocalMeansImageFilter<ImageType>;

/** A filter that estimates the noise. */
template <typename TImage>
auto
MakeAutomatic(const TImage * input, const itk::ComputeDevice & device)
{
  const auto filter = OnDevice<itk::CudaAdaptiveNonLocalMeansImageFilter<TImage>>(device, input);
  return filter;
}

/** What the engine makes of an image, with a noise map where there is one. */
template <unsigned int VDimension>
std::vector<double>
EngineResult(const cudaneuro::AdaptiveNonLocalMeansParameters & parameters,
             const ImageOf<float, VDimension> *                 input,
             const MaskOf<VDimension> *                         mask,
             const ImageOf<float, VDimension> *                 map,
             const itk::ComputeDevice &                         device)
{
  using itk::CudaNeuroDetail::VolumeOf;
  cudaneuro::Context     context(device.GetEngineDevice());
  const auto             output = ImageOf<float, VDimension>::New();
  const cudaneuro::Grid  grid = itk::CudaNeuroDetail::GridOf<VDimension>(input);
  cudaneuro::ConstVolume maskVolume;
  if (mask != nullptr)
  {
    maskVolume = VolumeOf(mask);
  }
  output->SetRegions(input->GetLargestPossibleRegion());
  output->Allocate();
  if (map != nullptr)
  {
    cudaneuro::AdaptiveNonLocalMeansWithNoiseMap(
      context, parameters, grid, VolumeOf(input), maskVolume, VolumeOf(map), VolumeOf(output.GetPointer()));
  }
  else
  {
    cudaneuro::AdaptiveNonLocalMeans(
      context, parameters, grid, VolumeOf(input), maskVolume, VolumeOf(output.GetPointer()));
  }
  return Pixels(output.GetPointer());
}

template <unsigned int VDimension>
itk::Size<VDimension>
LargeSize()
{
  itk::Size<VDimension> size;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = 37 - 5 * axis;
  }
  return size;
}

/** Without any noise set, the filter does what the noise map's filter and the engine do, one after the other. */
template <unsigned int VDimension>
void
CheckAutomaticNoise(const itk::ComputeDevice & device, bool ricianCorrection, bool withMask)
{
  using PlainType = ImageOf<float, VDimension>;
  const auto                           input = Phantom<PlainType>(1.0, LargeSize<VDimension>());
  typename MaskOf<VDimension>::Pointer mask;
  if (withMask)
  {
    mask = BallMaskFor<VDimension>(input);
  }
  const auto estimate = OnDevice<itk::CudaNoiseMapImageFilter<PlainType>>(device, input);
  estimate->SetMaskImage(mask);
  estimate->SetRicianCorrection(ricianCorrection);
  estimate->Update();
  cudaneuro::AdaptiveNonLocalMeansParameters parameters;
  parameters.ricianCorrection = ricianCorrection;
  const std::vector<double> expected = EngineResult<VDimension>(parameters, input, mask, estimate->GetOutput(), device);

  const auto filter = MakeAutomatic<PlainType>(input, device);
  filter->SetMaskImage(mask);
  filter->SetRicianCorrection(ricianCorrection);
  ExpectOutput(filter, expected);
  EXPECT_EQ(filter->GetNoiseStandardDeviation(), estimate->GetMeanNoise());
  EXPECT_TRUE(filter->GetAutomaticNoiseEstimation());
  // Where the map is 0 outside the mask, no voxel counts.
  const auto map = Pixels(estimate->GetOutput());
  EXPECT_EQ(std::count(map.begin(), map.end(), 0.0) > 0, withMask);
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 0U);
}

} // namespace

class CudaAdaptiveNonLocalMeansImageFilter : public DeviceTest
{};
class CudaAdaptiveNonLocalMeansImageFilterOnCuda : public DeviceTest
{};

CUDANEURO_DENOISING_FILTER_TESTS(CudaAdaptiveNonLocalMeansImageFilter, AdaptiveNonLocalMeansTraits);

TEST_P(CudaAdaptiveNonLocalMeansImageFilter, EstimatesANoiseMap)
{
  const itk::ComputeDevice device(GetParam());
  CheckAutomaticNoise<3>(device, false, false);
  CheckAutomaticNoise<3>(device, true, true);
  CheckAutomaticNoise<2>(device, true, false);
  CheckAutomaticNoise<2>(device, false, true);
}

/** A number and a map give the engine's bits, in place of an estimate; the map comes before the number. */
TEST_P(CudaAdaptiveNonLocalMeansImageFilter, TakesANumberOrAMap)
{
  const itk::ComputeDevice device(GetParam());
  const auto               input = Phantom<ImageType>(0.2, { { 21, 18, 13 } });
  const auto               mask = BallMaskFor<3>(input);
  const auto               map = Phantom<ImageType>(0.2, { { 21, 18, 13 } });
  map->FillBuffer(6.0f);
  const auto filter = MakeAutomatic<ImageType>(input, device);
  filter->SetMaskImage(mask);
  filter->SetSmoothingFactor(1.25);
  filter->RicianCorrectionOn();
  filter->SetNoiseStandardDeviation(6.0);
  EXPECT_FALSE(filter->GetAutomaticNoiseEstimation());
  filter->Update();
  cudaneuro::AdaptiveNonLocalMeansParameters parameters;
  parameters.smoothingFactor = 1.25;
  parameters.ricianCorrection = true;
  parameters.noiseStandardDeviation = 6.0;
  const std::vector<double> ofNumber = EngineResult<3>(parameters, input, mask, nullptr, device);
  ExpectSame(Pixels(filter->GetOutput()), ofNumber);
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 0U);

  filter->SetNoiseMapImage(map);
  filter->SetNoiseStandardDeviation(99.0);
  ExpectOutput(filter, ofNumber);
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), 0U);
  EXPECT_EQ(filter->GetNoiseStandardDeviation(), 99.0);

  std::size_t zerosInMask = 0;
  for (std::size_t i = 0; i < 21 * 18 * 13; ++i)
  {
    map->GetBufferPointer()[i] = i % 131 == 3 ? 0.0f : 4.0f + 0.7f * static_cast<float>(i % 13);
    zerosInMask += i % 131 == 3 && mask->GetBufferPointer()[i] != 0 ? 1 : 0;
  }
  map->Modified();
  filter->Update();
  EXPECT_GT(zerosInMask, 0U);
  EXPECT_EQ(filter->GetNumberOfVoxelsWithoutNoise(), zerosInMask);
  parameters.noiseStandardDeviation = 1.0; // the map is a multiple of it
  const std::vector<double> ofMap = EngineResult<3>(parameters, input, mask, map, device);
  ExpectSame(Pixels(filter->GetOutput()), ofMap);
  EXPECT_EQ(Pixels(filter->GetOutput())[3], input->GetBufferPointer()[3]);

  filter->SetNoiseMapImage(Upload(map.GetPointer(), device));
  ExpectOutput(filter, ofMap);

  filter->SetNoiseMapImage(nullptr);
  filter->AutomaticNoiseEstimationOn();
  filter->Update();
  EXPECT_NE(filter->GetNoiseStandardDeviation(), 99.0);
  EXPECT_GT(filter->GetNoiseStandardDeviation(), 0.0);
}

/** A device image is denoised where it is, with the map that is estimated there. */
TEST_P(CudaAdaptiveNonLocalMeansImageFilter, EstimatesOnTheDevice)
{
  using DeviceImageType = itk::DeviceImage<float, 3>;
  const itk::ComputeDevice device(GetParam());
  const auto               input = Phantom<ImageType>(1.0, LargeSize<3>());
  const auto               filter = MakeAutomatic<ImageType>(input, device);
  filter->Update();
  const auto uploaded = Upload(input.GetPointer(), device);
  const auto onDevice = MakeAutomatic<DeviceImageType>(uploaded, device);
  onDevice->Update();
  EXPECT_EQ(onDevice->GetHostToDeviceBytes(), 0U);
  EXPECT_EQ(onDevice->GetDeviceToHostBytes(), 0U);
  ExpectSame(Pixels(onDevice->GetOutput()), Pixels(filter->GetOutput()));
}

/** Integers are denoised as the same numbers in float, and rounded. */
TEST_P(CudaAdaptiveNonLocalMeansImageFilter, EstimatesTheNoiseOfIntegers)
{
  const itk::ComputeDevice device(GetParam());
  const auto               floats = Phantom<ImageType>(1.0, LargeSize<3>());
  const auto               inFloat = MakeAutomatic<ImageType>(floats, device);
  inFloat->Update();
  std::vector<double> expected = Pixels(inFloat->GetOutput());
  for (double & value : expected)
  {
    value = std::nearbyint(value);
  }
  using IntegersType = itk::Image<short, 3>;
  const auto integers = Phantom<IntegersType>(1.0, LargeSize<3>());
  const auto filter = MakeAutomatic<IntegersType>(integers, device);
  filter->Update();
  EXPECT_EQ(filter->GetNoiseStandardDeviation(), inFloat->GetNoiseStandardDeviation());
  ExpectSame(Pixels(filter->GetOutput()), expected);
}

TEST_P(CudaAdaptiveNonLocalMeansImageFilter, RejectsBadParameters)
{
  const itk::ComputeDevice device(GetParam());
  const auto messageFor = [&](auto change) { return MessageAfter<AdaptiveNonLocalMeansTraits>(device, change); };
  EXPECT_EQ(messageFor([](auto *) {}), "");
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetSmoothingFactor(0.0); }),
                       "SmoothingFactor is 0; it must be from 0.01 to 100"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetNoiseStandardDeviation(0.0); }),
                       "NoiseStandardDeviation is 0; it must be from 1e-30 to 1e+30"));
  EXPECT_TRUE(Contains(messageFor([](auto * filter) { filter->SetNoiseStandardDeviation(-3.0); }),
                       "NoiseStandardDeviation is -3; it must be from 1e-30 to 1e+30"));
  EXPECT_TRUE(Contains(
    messageFor([](auto * filter) { filter->SetNoiseStandardDeviation(std::numeric_limits<double>::quiet_NaN()); }),
    "NoiseStandardDeviation is nan"));
}

TEST_P(CudaAdaptiveNonLocalMeansImageFilter, RejectsBadMaps)
{
  const auto input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  const auto map = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  map->FillBuffer(6.0f);
  map->GetBufferPointer()[13 * 11 * 2 + 13 * 4 + 5] = -2.0f;
  const auto filter = MakeAutomatic<ImageType>(input, itk::ComputeDevice(GetParam()));
  const auto messageFor = [&](const itk::ImageBase<3> * image) {
    filter->SetNoiseMapImage(image);
    return MessageOf([&] { filter->Update(); });
  };
  EXPECT_TRUE(Contains(messageFor(map), "NoiseMap at voxel (5, 4, 2) is -2; it must be finite"));
  const auto zeros = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  zeros->FillBuffer(0.0f);
  EXPECT_TRUE(Contains(messageFor(zeros), "is 0 at all voxels"));
  EXPECT_TRUE(Contains(messageFor(Phantom<ImageType>(0.2, { { 13, 11, 8 } })), "NoiseMap"));
  const auto integers = Phantom<itk::Image<short, 3>>(0.2, { { 13, 11, 9 } });
  EXPECT_TRUE(Contains(messageFor(integers), "A noise map must be an Image or a DeviceImage of float"));
}

/** Nothing tells of the noise in a constant image, which a number lets stay as it is. */
TEST_P(CudaAdaptiveNonLocalMeansImageFilter, RejectsConstantImageWhenAutomatic)
{
  const auto input = Phantom<ImageType>(0.2, { { 7, 6, 5 } });
  input->FillBuffer(3.0f);
  const auto filter = MakeAutomatic<ImageType>(input, itk::ComputeDevice(GetParam()));
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "set NoiseStandardDeviation or NoiseMapImage"));
  filter->SetNoiseStandardDeviation(1.0);
  filter->Update();
  // The mean of equal numbers of float differs from them by roundings.
  ExpectSame(Pixels(filter->GetOutput()), std::vector<double>(7 * 6 * 5, 3.0), 1e-5);
}

TEST_P(CudaAdaptiveNonLocalMeansImageFilter, RejectsAPencilOfVoxels)
{
  const auto input = Phantom<ImageType>(0.2, { { 40, 3, 2 } });
  const auto filter = MakeAutomatic<ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->SetNoiseStandardDeviation(5.0);
  EXPECT_NE(MessageOf([&] { filter->Update(); }), "");
}

TEST_P(CudaAdaptiveNonLocalMeansImageFilter, RicianCorrectionRefusesManyNegativeVoxels)
{
  const auto input = Phantom<ImageType>(0.2, { { 13, 11, 9 } });
  input->FillBuffer(-1000.0f);
  input->GetBufferPointer()[500] = 40.0f;
  const auto filter = MakeAutomatic<ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->SetNoiseStandardDeviation(12.0);
  filter->Update();
  filter->RicianCorrectionOn();
  EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "1286 negative voxels of 1287"));
}

/** With too little memory for a map beside a slab of 43 planes of 203, the map is kept on the host. */
TEST_P(CudaAdaptiveNonLocalMeansImageFilterOnCuda, EstimatesInSlabs)
{
  const auto input = Phantom<ImageType>(0.2, { { 61, 45, 203 } });
  const auto filter = MakeAutomatic<ImageType>(input, itk::ComputeDevice(GetParam()));
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  const itk::SizeValueType  volumeBytes = expected.size() * sizeof(float);
  filter->SetMaximumDeviceMemory(2 * volumeBytes + volumeBytes / 2);
  filter->Update();
  EXPECT_GT(filter->GetNumberOfSlabs(), 1U);
  ExpectSame(Pixels(filter->GetOutput()), expected);
}
