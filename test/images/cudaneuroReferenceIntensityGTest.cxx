// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ReferenceIntensity.h"

#include "DeviceTest.h"
#include "TestVolumes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

using namespace testvolumes;

class ReferenceIntensity : public DeviceTest
{
protected:
  /** From host memory and, on a CUDA device, from device memory: the same value. */
  template <typename TPixel>
  float
  Compute(const cudaneuro::Grid & grid, const std::vector<TPixel> & input, const std::vector<unsigned char> & mask = {})
  {
    cudaneuro::Context & context = this->GetContext();
    const float          value = cudaneuro::ReferenceIntensity(context, grid, ConstView(input), ConstView(mask));
    if (context.GetDevice().IsCuda())
    {
      const cudaneuro::DeviceMemory memory = context.Allocate(input.size() * sizeof(TPixel));
      const cudaneuro::Volume       onDevice{ memory.Data(),
                                        cudaneuro::PixelTypeOf<TPixel>::value,
                                        cudaneuro::MemorySpace::Device };
      cudaneuro::CopyVolume(context, grid, ConstView(input), onDevice);
      EXPECT_EQ(value,
                cudaneuro::ReferenceIntensity(
                  context, grid, { onDevice.data, onDevice.type, onDevice.space }, ConstView(mask)));
      cudaneuro::Context cpu{ cudaneuro::Device{} };
      EXPECT_EQ(value, cudaneuro::ReferenceIntensity(cpu, grid, ConstView(input), ConstView(mask)));
    }
    return value;
  }
};

const cudaneuro::Grid grid = MakeGrid({ 31, 20, 17 });

/** \p offset to offset + 10. */
std::vector<float>
Values(float offset)
{
  std::vector<float> values(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = offset + 10.0f * static_cast<float>(UniformNoise(5, i));
  }
  return values;
}

TEST_P(ReferenceIntensity, IsAmongValuesFarFromZero)
{
  for (const float offset : { 1e5f, -1e5f, 200.0f })
  {
    const float value = this->Compute(grid, Values(offset));
    // The mean of two quantiles of 32 and more uniform values.
    EXPECT_GT(value, offset + 2.5f);
    EXPECT_LT(value, offset + 7.5f);
  }
  EXPECT_EQ(this->Compute(grid, std::vector<short>(grid.NumberOfVoxels(), short{ -437 })), -437.0f);
  EXPECT_EQ(this->Compute(MakeGrid({ 1, 1, 1 }), std::vector<double>{ 0.1 }), 0.1f);
}

TEST_P(ReferenceIntensity, DoesNotFollowHugeValues)
{
  // Codes for "no data", at as many as nine of ten voxels.
  for (const float huge : { std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(), 1e20f, -32768.0f })
  {
    for (const double share : { 1e-3, 0.5, 0.9 })
    {
      std::vector<float> values = Values(200.0f);
      for (std::size_t i = 0; i < values.size(); ++i)
      {
        values[i] = UniformNoise(6, i) < share ? huge : values[i];
      }
      const float value = this->Compute(grid, values);
      EXPECT_GE(value, 200.0f) << huge << " at " << share;
      EXPECT_LE(value, 210.0f) << huge << " at " << share;
    }
  }
  const float largest = std::numeric_limits<float>::max();
  EXPECT_EQ(this->Compute(MakeGrid({ 2, 1, 1 }), std::vector<float>{ largest, 1.0f }), 1.0f);
}

TEST_P(ReferenceIntensity, LimitIsBetweenOrdinaryValuesAndCodes)
{
  // Tiny values and values far above them: both are ordinary, as there are many different ones of either.
  std::vector<float> values = Values(200.0f);
  for (std::size_t i = 0; i < values.size(); i += 2)
  {
    values[i] = 1e-7f * values[i];
  }
  const cudaneuro::IntensitySample sample =
    cudaneuro::SampleIntensities(this->GetContext(), grid, ConstView(values), {});
  EXPECT_GT(sample.reference, 100.0f);
  EXPECT_LT(sample.reference, 110.0f);
  EXPECT_GE(sample.limit, 256.0f * 200.0f);
  EXPECT_LE(sample.limit, 256.0f * 210.0f);

  // The limit is below the codes, however near they are.
  const std::vector<float> withoutCodes = values;
  for (const float code : { 4000.0f, 9999.0f, -32768.0f })
  {
    values = withoutCodes;
    for (std::size_t i = 0; i < values.size(); i += 3)
    {
      values[i] = code;
    }
    const float limit = cudaneuro::SampleIntensities(this->GetContext(), grid, ConstView(values), {}).limit;
    EXPECT_GE(limit, 16.0f * 200.0f) << code;
    EXPECT_LT(limit, std::abs(code)) << code;
  }

  for (std::size_t i = 0; i < values.size(); i += 3)
  {
    values[i] = i % 2 == 0 ? 0.0f : 1e20f;
  }
  EXPECT_LE(cudaneuro::SampleIntensities(this->GetContext(), grid, ConstView(values), {}).limit, 256.0f * 210.0f);
}

/** Voxels apart are errors however unlike they are, and regions of one value codes, also where they are near to the
 * others and few. */
TEST_P(ReferenceIntensity, FewCodesAndErrorsAreNotOrdinary)
{
  for (const float bright : { 4000.0f, 32767.0f, 60000.0f })
  {
    std::vector<float> withErrors = Values(200.0f);
    std::vector<float> withCodes = Values(200.0f);
    for (std::size_t i = 0; i < withErrors.size(); ++i)
    {
      withErrors[i] = UniformNoise(6, i) < 0.02 ? bright + 10.0f * withErrors[i] : withErrors[i];
      withCodes[i] = i % 31 < 5 && i / 31 % 20 < 5 && i / 620 < 6 ? bright : withCodes[i];
    }
    for (const std::vector<float> & values : { withErrors, withCodes })
    {
      const cudaneuro::IntensitySample sample =
        cudaneuro::SampleIntensities(this->GetContext(), grid, ConstView(values), {});
      EXPECT_LT(sample.limit, bright);
      EXPECT_GE(sample.limit, 16.0f * 200.0f);
    }
  }
}

/** A bright ball in a large field of noise is no code, however few points of the lattice see it, and however little
 * noise there is. */
TEST_P(ReferenceIntensity, SmallBrightObjectsAreOrdinary)
{
  const cudaneuro::Grid field = MakeGrid({ 64, 64, 64 });
  for (const float signal : { 20.0f, 80.0f, 300.0f, 700.0f })
  {
    for (const double radius : { 2.0, 4.0, 9.0, 15.0, 20.0 })
    {
      std::vector<float> values(static_cast<std::size_t>(field.NumberOfVoxels()));
      for (std::size_t i = 0; i < values.size(); ++i)
      {
        const double distance =
          std::hypot(i % 64 - 30.0, std::hypot(i / 64 % 64 - 33.0, static_cast<double>(i / 4096) - 31.0));
        const double real = (distance < radius ? signal : 0.0) + NormalNoise(21, i);
        values[i] = static_cast<float>(std::hypot(real, NormalNoise(22, i)));
      }
      const cudaneuro::IntensitySample sample =
        cudaneuro::SampleIntensities(this->GetContext(), field, ConstView(values), {});
      EXPECT_GT(sample.limit, *std::max_element(values.begin(), values.end())) << signal << " in " << radius;
    }
  }
}

TEST_P(ReferenceIntensity, IgnoresWhatTakesNoPart)
{
  std::vector<float>               values = Values(200.0f);
  const std::vector<unsigned char> mask = BallMask(grid);
  const float                      expected = this->Compute(grid, values, mask);
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    values[i] = mask[i] == 0 ? (i % 2 == 0 ? 0.0f : std::numeric_limits<float>::max()) : values[i];
  }
  EXPECT_EQ(this->Compute(grid, values, mask), expected);

  SprinkleNotFinite(values);
  const float value = this->Compute(grid, values, mask);
  EXPECT_GT(value, 202.5f);
  EXPECT_LT(value, 207.5f);

  const std::vector<float> notFinite(values.size(), std::numeric_limits<float>::quiet_NaN());
  EXPECT_EQ(this->Compute(grid, notFinite), 0.0f);
  EXPECT_EQ(this->Compute(grid, values, std::vector<unsigned char>(values.size(), 0)), 0.0f);
}

TEST_P(ReferenceIntensity, FindsSmallMasks)
{
  // A cube of 3 voxels that no point of the coarsest lattice is in.
  const cudaneuro::Grid      large = MakeGrid({ 140, 130, 120 });
  std::vector<float>         values(static_cast<std::size_t>(large.NumberOfVoxels()), 7.0f);
  std::vector<unsigned char> mask(values.size(), 0);
  for (std::int64_t i = 0; i < 27; ++i)
  {
    const std::int64_t voxel = 20 + i % 3 + large.size[0] * (20 + i / 3 % 3 + large.size[1] * (20 + i / 9));
    mask[voxel] = 255;
    values[voxel] = 5000.0f;
  }
  EXPECT_EQ(this->Compute(large, values, mask), 5000.0f);
}

CUDANEURO_TEST_ON_ALL_DEVICES(ReferenceIntensity);

} // namespace
