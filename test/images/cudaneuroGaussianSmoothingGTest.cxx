// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ImageTestCases.h"

#include <cstring>
#include <type_traits>

namespace
{

using namespace imagetests;
using namespace testvolumes;
using cudaneuro::Boundary;
using cudaneuro::Grid;

cudaneuro::GaussianSmoothingParameters
InVoxels(std::array<double, 3> sigma, Boundary boundary = Boundary::Repeat)
{
  cudaneuro::GaussianSmoothingParameters parameters;
  parameters.sigma = sigma;
  parameters.useImageSpacing = false;
  parameters.boundary = boundary;
  return parameters;
}

std::vector<float>
Smooth(cudaneuro::Context &                           context,
       const cudaneuro::GaussianSmoothingParameters & parameters,
       const Grid &                                   grid,
       const std::vector<float> &                     input)
{
  std::vector<float> output(input.size(), -1.0f);
  cudaneuro::GaussianSmoothing(context, parameters, grid, ConstView(input), View(output));
  return output;
}

void
ExpectSmoothed(cudaneuro::Context & context, std::array<std::int64_t, 3> size, std::array<double, 3> sigma)
{
  const Grid               grid = MakeGrid(size);
  const std::vector<float> input = NoisyPhantom(grid);
  for (const Boundary boundary : { Boundary::Repeat, Boundary::Zero })
  {
    const std::vector<float> output = Smooth(context, InVoxels(sigma, boundary), grid, input);
    EXPECT_LE(LargestDifference(output, reference::GaussianSmoothing(size, sigma, boundary, ToDouble(input))),
              tolerance)
      << "size " << size[0] << " x " << size[1] << " x " << size[2] << ", sigma " << sigma[0] << ", " << sigma[1]
      << ", " << sigma[2] << (boundary == Boundary::Zero ? ", zero" : ", repeat");
  }
}

class GaussianSmoothing : public DeviceTest
{};

TEST_P(GaussianSmoothing, MatchesDirectSum)
{
  ExpectSmoothed(this->GetContext(), { 37, 29, 21 }, { 1.0, 1.0, 1.0 });
  ExpectSmoothed(this->GetContext(), { 40, 28, 24 }, { 2.3, 2.3, 2.3 });
  ExpectSmoothed(this->GetContext(), { 64, 33, 50 }, { 0.5, 3.0, 1.7 });
  ExpectSmoothed(this->GetContext(), { 21, 70, 35 }, { 4.5, 0.2, 6.0 });
}

TEST_P(GaussianSmoothing, MatchesDirectSumForEveryRadius)
{
  for (int radius = 0; radius <= 40; ++radius)
  {
    const double sigma = (radius + 0.5) / 5.2565;
    ExpectSmoothed(this->GetContext(), { 19, 22, 17 }, { sigma, sigma, sigma });
    ExpectSmoothed(this->GetContext(), { 86, 5, 45 }, { sigma, 0.0, sigma });
  }
}

TEST_P(GaussianSmoothing, AlongSomeAxes)
{
  for (int axes = 0; axes < 8; ++axes)
  {
    for (const double sigma : { 1.5, 9.0 })
    {
      ExpectSmoothed(
        this->GetContext(), { 23, 18, 25 }, { axes & 1 ? sigma : 0.0, axes & 2 ? sigma : 0.0, axes & 4 ? sigma : 0.0 });
    }
  }
}

TEST_P(GaussianSmoothing, ThinVolumes)
{
  ExpectSmoothed(this->GetContext(), { 1, 1, 1 }, { 2.0, 2.0, 2.0 });
  ExpectSmoothed(this->GetContext(), { 61, 1, 1 }, { 2.0, 2.0, 2.0 });
  ExpectSmoothed(this->GetContext(), { 1, 61, 1 }, { 2.0, 2.0, 2.0 });
  ExpectSmoothed(this->GetContext(), { 1, 1, 61 }, { 2.0, 2.0, 2.0 });
  ExpectSmoothed(this->GetContext(), { 45, 37, 1 }, { 2.0, 3.0, 2.0 });
  ExpectSmoothed(this->GetContext(), { 2, 3, 2 }, { 1.0, 1.0, 1.0 });
  // Rows are wider than the tile of a block, and not multiples of it.
  ExpectSmoothed(this->GetContext(), { 523, 11, 3 }, { 2.0, 1.0, 1.0 });
  ExpectSmoothed(this->GetContext(), { 516, 9, 2 }, { 6.0, 1.0, 0.0 });
}

TEST_P(GaussianSmoothing, WiderThanTheVolume)
{
  ExpectSmoothed(this->GetContext(), { 9, 31, 14 }, { 30.0, 5.0, 100.0 });
  ExpectSmoothed(this->GetContext(), { 60, 40, 50 }, { 11.0, 8.0, 400.0 });
}

TEST_P(GaussianSmoothing, WithHugeSigmaGivesTheMiddleOfBothEnds)
{
  // Almost all weight is beyond the edges, where the outermost values are repeated.
  const Grid               grid = MakeGrid({ 5, 1, 1 });
  const std::vector<float> output =
    Smooth(this->GetContext(), InVoxels({ 1e12, 0.0, 0.0 }), grid, { 2.0f, 90.0f, -70.0f, 50.0f, 6.0f });
  EXPECT_LE(LargestDifference(output, std::vector<double>(5, 4.0)), 1e-5);
}

TEST_P(GaussianSmoothing, InMillimeters)
{
  const Grid                             grid = MakeGrid({ 24, 20, 16 }, { 0.5, 1.0, 2.0 });
  const std::vector<float>               input = NoisyPhantom(grid);
  cudaneuro::GaussianSmoothingParameters parameters;
  parameters.sigma = { 1.5, 1.5, 3.0 };
  EXPECT_EQ(Smooth(this->GetContext(), parameters, grid, input),
            Smooth(this->GetContext(), InVoxels({ 3.0, 1.5, 1.5 }), grid, input));
}

TEST_P(GaussianSmoothing, KeepsConstants)
{
  for (const double sigma : { 0.7, 3.0, 12.0 })
  {
    const Grid               grid = MakeGrid({ 30, 31, 32 });
    const std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()), 1000.0f);
    EXPECT_LE(
      LargestDifference(Smooth(this->GetContext(), InVoxels({ sigma, sigma, sigma }), grid, input), ToDouble(input)),
      1e-6 * dataRange);
  }
}

TEST_P(GaussianSmoothing, WithSigmaZeroDoesNothing)
{
  const Grid         grid = MakeGrid({ 13, 12, 11 });
  std::vector<float> input = NoisyPhantom(grid);
  SprinkleNotFinite(input);
  const std::vector<float> output = Smooth(this->GetContext(), InVoxels({ 0.0, 0.0, 0.0 }), grid, input);
  EXPECT_EQ(std::memcmp(output.data(), input.data(), input.size() * sizeof(float)), 0);
}

TEST_P(GaussianSmoothing, InPlace)
{
  const Grid grid = MakeGrid({ 33, 30, 27 });
  for (const std::array<double, 3> & sigma :
       { std::array<double, 3>{ 2.0, 2.0, 2.0 }, { 2.0, 2.0, 0.0 }, { 0.0, 0.0, 2.0 }, { 9.0, 0.0, 9.0 } })
  {
    std::vector<float>       values = NoisyPhantom(grid);
    const std::vector<float> expected = Smooth(this->GetContext(), InVoxels(sigma), grid, values);
    cudaneuro::GaussianSmoothing(this->GetContext(), InVoxels(sigma), grid, ConstView(values), View(values));
    EXPECT_EQ(values, expected);
  }
}

TEST_P(GaussianSmoothing, AllPixelTypes)
{
  const Grid               grid = MakeGrid({ 20, 19, 18 });
  const std::vector<float> phantom = NoisyPhantom(grid);
  const auto               expect = [&](auto pixel) {
    using Pixel = decltype(pixel);
    std::vector<Pixel> input;
    for (const float value : phantom)
    {
      input.push_back(static_cast<Pixel>(value / 8.0f));
    }
    std::vector<Pixel> output(input.size());
    cudaneuro::GaussianSmoothing(this->GetContext(), InVoxels({ 1.0, 2.0, 0.7 }), grid, ConstView(input), View(output));
    const double rounding = std::is_integral_v<Pixel> ? 0.5 : 0.0;
    EXPECT_LE(LargestDifference(
                output, reference::GaussianSmoothing(grid.size, { 1.0, 2.0, 0.7 }, Boundary::Repeat, ToDouble(input))),
              rounding + tolerance);
  };
  expect(static_cast<unsigned char>(0));
  expect(static_cast<short>(0));
  expect(static_cast<unsigned short>(0));
  expect(0.0f);
  expect(0.0);
}

TEST_P(GaussianSmoothing, Repeatable)
{
  const Grid               grid = MakeGrid({ 70, 61, 52 });
  const std::vector<float> input = NoisyPhantom(grid);
  const auto               parameters = InVoxels({ 2.0, 1.5, 3.0 });
  EXPECT_EQ(Smooth(this->GetContext(), parameters, grid, input), Smooth(this->GetContext(), parameters, grid, input));
}

TEST_P(GaussianSmoothing, Abort)
{
  const Grid               grid = MakeGrid({ 40, 40, 40 });
  const std::vector<float> input = NoisyPhantom(grid);
  std::vector<float>       output(input.size());
  this->GetContext().SetProgressFunction([](float) { return false; });
  EXPECT_THROW(
    cudaneuro::GaussianSmoothing(this->GetContext(), InVoxels({ 1.0, 1.0, 1.0 }), grid, ConstView(input), View(output)),
    cudaneuro::Aborted);
  this->GetContext().SetProgressFunction({});
  EXPECT_NO_THROW(cudaneuro::GaussianSmoothing(
    this->GetContext(), InVoxels({ 1.0, 1.0, 1.0 }), grid, ConstView(input), View(output)));
}

TEST(GaussianSmoothingCpuAndCuda, Agree)
{
  if (cudaneuro::GetNumberOfCudaDevices() == 0)
  {
    GTEST_SKIP() << "no CUDA device: " << cudaneuro::GetReasonForNoCudaDevice();
  }
  cudaneuro::Context       cpu{ cudaneuro::Device{} };
  cudaneuro::Context       cuda{ cudaneuro::Device{ 0 } };
  const Grid               grid = MakeGrid({ 131, 102, 77 });
  const std::vector<float> input = NoisyPhantom(grid);
  for (const double sigma : { 0.8, 3.0, 7.0 })
  {
    EXPECT_LE(LargestDifference(Smooth(cuda, InVoxels({ sigma, sigma, sigma }), grid, input),
                                ToDouble(Smooth(cpu, InVoxels({ sigma, sigma, sigma }), grid, input))),
              1e-6 * dataRange);
  }
}

TEST_P(GaussianSmoothing, BadParameters)
{
  const std::vector<float> input(8, 1.0f);
  std::vector<float>       output(8);
  const auto               smooth = [&](const auto & parameters, const Grid & grid) {
    cudaneuro::GaussianSmoothing(this->GetContext(), parameters, grid, ConstView(input), View(output));
  };
  const Grid grid = MakeGrid({ 2, 2, 2 });
  ExpectInvalidParameter([&] { smooth(InVoxels({ 1.0, 1.0, 1.0 }), MakeGrid({ 2, 0, 2 })); }, "size[1]", "0");
  ExpectInvalidParameter(
    [&] { cudaneuro::GaussianSmoothing(this->GetContext(), {}, grid, {}, View(output)); }, "input", "absent");
}

CUDANEURO_TEST_ON_ALL_DEVICES(GaussianSmoothing);

} // namespace
