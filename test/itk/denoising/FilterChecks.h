// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef FilterChecks_h
#define FilterChecks_h

#include "itk/TestImages.h"
#include "itkCudaNeuroException.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

/** What every denoising filter must do.
 *
 * TTraits has the filter as FilterType<TInput, TOutput>, and SetUp(filter) that gives it parameters which suit
 * the phantom. Where 1.25 volumes of float are too little memory for a slab, it has as many as suffice as
 * volumesOfSlabs. */
namespace filterchecks
{

using namespace testimages;

template <typename TTraits, typename TInput, typename TOutput = TInput>
using FilterOf = typename TTraits::template FilterType<TInput, TOutput>;

/** The filter, set up, with input and device. */
template <typename TTraits, typename TInput, typename TOutput = TInput>
typename FilterOf<TTraits, TInput, TOutput>::Pointer
MakeFilter(const TInput * input, const itk::ComputeDevice & device)
{
  const auto filter = OnDevice<FilterOf<TTraits, TInput, TOutput>>(device, input);
  TTraits::SetUp(filter.GetPointer());
  return filter;
}

/** The result in float of an image that float holds exactly. */
template <typename TTraits, unsigned int VDimension>
std::vector<double>
FloatResult(const itk::ComputeDevice & device)
{
  const auto input = Phantom<ImageOf<float, VDimension>>();
  const auto filter = MakeFilter<TTraits, ImageOf<float, VDimension>>(input, device);
  filter->Update();
  return Pixels(filter->GetOutput());
}

/** Computation is in float whatever the pixels are, so that real outputs have the very bits of the result in float, and
 * integer outputs are that, rounded to nearest. */
template <typename TTraits, typename TIn, typename TOut, unsigned int VDimension>
void
CheckPixelTypes(const itk::ComputeDevice & device, const std::vector<double> & floatResult)
{
  using InputType = ImageOf<TIn, VDimension>;
  using OutputType = ImageOf<TOut, VDimension>;
  const auto input = Phantom<InputType>();
  const auto filter = MakeFilter<TTraits, InputType, OutputType>(input, device);
  filter->Update();
  std::vector<double> expected = floatResult;
  if (std::is_integral_v<TOut>)
  {
    for (double & value : expected)
    {
      value = std::nearbyint(value);
    }
  }
  ExpectSame(Pixels(filter->GetOutput()), expected);
}

/** Every type in and every type out, and mixtures. */
template <typename TTraits, unsigned int VDimension>
void
CheckAllPixelTypes(const itk::ComputeDevice & device)
{
  const std::vector<double> result = FloatResult<TTraits, VDimension>(device);
  CheckPixelTypes<TTraits, unsigned char, unsigned char, VDimension>(device, result);
  CheckPixelTypes<TTraits, short, short, VDimension>(device, result);
  CheckPixelTypes<TTraits, unsigned short, unsigned short, VDimension>(device, result);
  CheckPixelTypes<TTraits, double, double, VDimension>(device, result);
  if constexpr (VDimension == 3)
  {
    CheckPixelTypes<TTraits, unsigned char, float, VDimension>(device, result);
    CheckPixelTypes<TTraits, short, unsigned char, VDimension>(device, result);
    CheckPixelTypes<TTraits, unsigned short, double, VDimension>(device, result);
    CheckPixelTypes<TTraits, float, short, VDimension>(device, result);
    CheckPixelTypes<TTraits, double, unsigned short, VDimension>(device, result);
  }
}

/** The output is where the input is, pixel for pixel: the result does not depend on origin, direction and index. */
template <typename TTraits>
void
CheckGeometry(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  filter->Update();
  ExpectSameGeometry<3>(filter->GetOutput(), input);
  EXPECT_NE(Pixels(filter->GetOutput()), Pixels(input.GetPointer()));

  const auto straight = Phantom<ImageType>();
  straight->SetRegions(input->GetLargestPossibleRegion().GetSize());
  ImageType::DirectionType identity;
  identity.SetIdentity();
  straight->SetDirection(identity);
  straight->SetOrigin(ImageType::PointType());
  const auto other = MakeFilter<TTraits, ImageType>(straight, device);
  ExpectOutput(other, Pixels(filter->GetOutput()));
}

/** Values beyond an integer type saturate; NaN becomes 0. The halves of the image are constant and stay so. */
template <typename TTraits, typename TOut>
void
CheckSaturation(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 2>;
  using OutputType = ImageOf<TOut, 2>;
  const auto input = ImageType::New();
  input->SetRegions(ImageType::SizeType{ { 24, 9 } });
  input->Allocate();
  float * const pixels = input->GetBufferPointer();
  for (int i = 0; i < 24 * 9; ++i)
  {
    pixels[i] = i % 24 < 8 ? -1.0e5f : i % 24 < 16 ? 1.0e5f : 99.625f;
  }
  pixels[20] = std::numeric_limits<float>::quiet_NaN();
  const auto filter = MakeFilter<TTraits, ImageType, OutputType>(input, device);
  filter->Update();
  const TOut * const result = filter->GetOutput()->GetBufferPointer();
  EXPECT_EQ(result[4 * 24], std::numeric_limits<TOut>::lowest());
  EXPECT_EQ(result[4 * 24 + 12], std::numeric_limits<TOut>::max());
  EXPECT_EQ(result[4 * 24 + 23], 100);
  EXPECT_EQ(result[20], 0);
}

template <typename TTraits>
void
CheckAllSaturations(const itk::ComputeDevice & device)
{
  CheckSaturation<TTraits, unsigned char>(device);
  CheckSaturation<TTraits, short>(device);
  CheckSaturation<TTraits, unsigned short>(device);
}

/** Device images in and out give the bits that images give, and nothing crosses. */
template <typename TTraits>
void
CheckDeviceImages(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  using DeviceImageType = itk::DeviceImage<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  const itk::SizeValueType  bytes = device.IsCuda() ? expected.size() * sizeof(float) : 0;
  EXPECT_EQ(filter->GetHostToDeviceBytes(), bytes);
  EXPECT_EQ(filter->GetDeviceToHostBytes(), bytes);

  const auto deviceInput = Upload(input.GetPointer(), device);
  const auto onDevice = FilterOf<TTraits, DeviceImageType>::New();
  onDevice->SetInput(deviceInput); // the device is taken from the input
  TTraits::SetUp(onDevice.GetPointer());
  onDevice->Update();
  EXPECT_EQ(onDevice->GetComputeDevice(), device);
  EXPECT_EQ(onDevice->GetOutput()->GetComputeDevice(), device);
  EXPECT_EQ(onDevice->GetHostToDeviceBytes(), 0u);
  EXPECT_EQ(onDevice->GetDeviceToHostBytes(), 0u);
  ExpectSameGeometry<3>(onDevice->GetOutput(), input);
  ExpectSame(Pixels(onDevice->GetOutput()), expected);

  const auto down = MakeFilter<TTraits, DeviceImageType, ImageType>(deviceInput, device);
  down->Update();
  EXPECT_EQ(down->GetHostToDeviceBytes(), 0u);
  ExpectSame(Pixels(down->GetOutput()), expected);

  const auto up = MakeFilter<TTraits, ImageType, DeviceImageType>(input, device);
  up->Update();
  EXPECT_EQ(up->GetDeviceToHostBytes(), 0u);
  ExpectSame(Pixels(up->GetOutput()), expected);
}

/** Missing, empty and misplaced inputs. */
template <typename TTraits>
void
CheckBadInput(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto without = MakeFilter<TTraits, ImageType>(nullptr, device);
  EXPECT_TRUE(Contains(MessageOf([&] { without->Update(); }), "Input Primary is required"));

  const auto empty = ImageType::New();
  empty->SetRegions(ImageType::SizeType{ { 5, 0, 5 } });
  empty->Allocate();
  const auto ofEmpty = MakeFilter<TTraits, ImageType>(empty, device);
  EXPECT_TRUE(Contains(MessageOf([&] { ofEmpty->Update(); }), "[5, 0, 5]"));

  const auto notAllocated = ImageType::New();
  notAllocated->SetRegions(ImageType::SizeType{ { 5, 6, 5 } });
  const auto ofNotAllocated = MakeFilter<TTraits, ImageType>(notAllocated, device);
  EXPECT_TRUE(Contains(MessageOf([&] { ofNotAllocated->Update(); }), "The pixels of the input image are not there"));

  const auto grown = Upload(Phantom<ImageType>().GetPointer(), device);
  grown->SetRegions(itk::Size<3>::Filled(100));
  const auto ofGrown = MakeFilter<TTraits, itk::DeviceImage<float, 3>>(grown, device);
  EXPECT_TRUE(Contains(MessageOf([&] { ofGrown->Update(); }),
                       "The pixels of the input image are not there: its memory is smaller"));

  if (device.IsCuda())
  {
    const auto elsewhere = Upload(Phantom<ImageType>().GetPointer(), itk::ComputeDevice());
    const auto filter = MakeFilter<TTraits, itk::DeviceImage<float, 3>>(elsewhere, device);
    EXPECT_TRUE(Contains(MessageOf([&] { filter->Update(); }), "on device cpu"));
  }
}

template <typename TTraits>
void
CheckProgressAndAbort(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<short, 3>;
  ExpectProgressAndAbort(MakeFilter<TTraits, ImageType>(Phantom<ImageType>(), device));
}

/** A second update gives the same bits in the same memory. */
template <typename TTraits>
void
CheckSecondUpdate(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  filter->Update();
  const std::vector<double> expected = Pixels(filter->GetOutput());
  const float * const       memory = filter->GetOutput()->GetBufferPointer();
  const auto                time = filter->GetOutput()->GetUpdateMTime();
  filter->Update();
  EXPECT_EQ(filter->GetOutput()->GetUpdateMTime(), time); // nothing changed, nothing done

  filter->Modified();
  filter->Update();
  EXPECT_GT(filter->GetOutput()->GetUpdateMTime(), time);
  EXPECT_EQ(filter->GetOutput()->GetBufferPointer(), memory);
  ExpectSame(Pixels(filter->GetOutput()), expected);
}

/** GPU and CPU agree to 1e-5 of the data range, what the module promises. */
template <typename TTraits>
void
CheckAgainstCpu(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>();
  const auto onDevice = MakeFilter<TTraits, ImageType>(input, device);
  onDevice->Update();
  const auto onCpu = MakeFilter<TTraits, ImageType>(input, itk::ComputeDevice());
  onCpu->Update();
  const auto pixels = Pixels(input.GetPointer());
  const auto range = std::minmax_element(pixels.begin(), pixels.end());
  ExpectSame(Pixels(onDevice->GetOutput()), Pixels(onCpu->GetOutput()), 1e-5 * (*range.second - *range.first));
}

template <typename TTraits, typename = void>
constexpr double volumesOfSlabs = 1.25; // input and output do not fit together
template <typename TTraits>
constexpr double volumesOfSlabs<TTraits, std::void_t<decltype(TTraits::volumesOfSlabs)>> = TTraits::volumesOfSlabs;

/** With little device memory the volume goes through in slabs and the result has the same bits; with too little there
 * is an error with bytes, after which the filter works. */
template <typename TTraits>
void
CheckSlabs(const itk::ComputeDevice & device)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>(0.2, { { 61, 45, 203 } });
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  filter->Update();
  EXPECT_EQ(filter->GetNumberOfSlabs(), 1u);
  const std::vector<double> expected = Pixels(filter->GetOutput());

  const itk::SizeValueType volumeBytes = expected.size() * sizeof(float);
  filter->SetMaximumDeviceMemory(
    static_cast<itk::SizeValueType>(volumesOfSlabs<TTraits> * static_cast<double>(volumeBytes)));
  filter->Update();
  EXPECT_GT(filter->GetNumberOfSlabs(), 1u);
  ExpectSame(Pixels(filter->GetOutput()), expected);

  filter->SetMaximumDeviceMemory(1000);
  try
  {
    filter->Update();
    ADD_FAILURE() << "no error with 1000 bytes of device memory";
  }
  catch (const itk::CudaNeuroException & error)
  {
    EXPECT_GT(error.GetBytesNeeded(), 1000u);
    EXPECT_EQ(error.GetBytesAvailable(), 1000u);
    EXPECT_TRUE(Contains(error.GetDescription(), std::to_string(error.GetBytesNeeded()) + " bytes"));
  }
  filter->SetMaximumDeviceMemory(0);
  ExpectOutput(filter, expected);
}

/** The message of an update after \p change to a filter that worked before. */
template <typename TTraits, typename TChange>
std::string
MessageAfter(const itk::ComputeDevice & device, TChange && change)
{
  using ImageType = ImageOf<float, 3>;
  const auto input = Phantom<ImageType>(0.2, { { 7, 6, 5 } });
  const auto filter = MakeFilter<TTraits, ImageType>(input, device);
  change(filter.GetPointer());
  return MessageOf([&] { filter->Update(); });
}

} // namespace filterchecks

#endif
