// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"

#include <cmath>
#include <limits>
#include <type_traits>

namespace
{

/** Values around every limit and every kind of tie; all of them exact in float. */
std::vector<double>
SpecialValues()
{
  std::vector<double> values{ 0.0, -0.0, 1e-30, 1e30, -1e30, 16777216.0, -16777216.0, 4294967296.0, -4294967296.0 };
  for (const double center : { 0.0, 1.0, 2.0, 127.0, 128.0, 255.0, 32767.0, 32768.0, 65535.0, 65536.0 })
  {
    for (const double delta : { -1.0, -0.75, -0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0 })
    {
      values.push_back(center + delta);
      values.push_back(-center - delta);
    }
  }
  values.push_back(std::numeric_limits<double>::infinity());
  values.push_back(-std::numeric_limits<double>::infinity());
  values.push_back(std::numeric_limits<double>::quiet_NaN());
  // An odd number: no block of a vector's or a warp's size divides it.
  while (values.size() % 64 != 61)
  {
    values.push_back(static_cast<double>(values.size()) * 1.25);
  }
  return values;
}

/** What converting must give. */
template <typename TTo, typename TFrom>
TTo
Expected(TFrom from)
{
  const double value = static_cast<double>(from);
  if (std::is_floating_point_v<TTo>)
  {
    return static_cast<TTo>(value);
  }
  if (std::isnan(value))
  {
    return 0;
  }
  const double low = static_cast<double>(std::numeric_limits<TTo>::lowest());
  const double high = static_cast<double>(std::numeric_limits<TTo>::max());
  // Rounds ties to even, as the default rounding mode has it.
  return static_cast<TTo>(std::min(std::max(std::nearbyint(value), low), high));
}

template <typename T>
bool
IsSame(T a, T b)
{
  return a == b || (a != a && b != b);
}

template <typename T>
std::vector<T>
SpecialValuesAs()
{
  std::vector<T> values;
  for (const double value : SpecialValues())
  {
    values.push_back(Expected<T>(value));
  }
  return values;
}

template <typename TFrom, typename TTo>
void
ExpectConversion(cudaneuro::Context & context)
{
  const std::vector<TFrom> from = SpecialValuesAs<TFrom>();
  std::vector<TTo>         to(from.size());
  cudaneuro::Grid          grid;
  grid.size = { static_cast<std::int64_t>(from.size()), 1, 1 };
  if (context.GetDevice().IsCuda())
  {
    // By way of the device, where volumes are float.
    const cudaneuro::DeviceMemory memory = context.Allocate(from.size() * sizeof(float));
    const cudaneuro::Volume onDevice{ memory.Data(), cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Device };
    CopyVolume(context, grid, ConstView(from), onDevice);
    CopyVolume(context, grid, { onDevice.data, onDevice.type, onDevice.space }, View(to));
  }
  else
  {
    CopyVolume(context, grid, ConstView(from), View(to));
  }
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    const TFrom crossed = context.GetDevice().IsCuda() ? static_cast<TFrom>(static_cast<float>(from[i])) : from[i];
    EXPECT_TRUE(IsSame(to[i], Expected<TTo>(crossed)))
      << "type " << static_cast<int>(cudaneuro::PixelTypeOf<TFrom>::value) << " to "
      << static_cast<int>(cudaneuro::PixelTypeOf<TTo>::value) << ": " << static_cast<double>(from[i]) << " became "
      << static_cast<double>(to[i]) << ", not " << static_cast<double>(Expected<TTo>(crossed));
  }
}

template <typename TFrom>
void
ExpectConversionsFrom(cudaneuro::Context & context)
{
  ExpectConversion<TFrom, unsigned char>(context);
  ExpectConversion<TFrom, short>(context);
  ExpectConversion<TFrom, unsigned short>(context);
  ExpectConversion<TFrom, float>(context);
  ExpectConversion<TFrom, double>(context);
}

class Convert : public DeviceTest
{};

TEST_P(Convert, EveryPairOfTypes)
{
  ExpectConversionsFrom<unsigned char>(this->GetContext());
  ExpectConversionsFrom<short>(this->GetContext());
  ExpectConversionsFrom<unsigned short>(this->GetContext());
  ExpectConversionsFrom<float>(this->GetContext());
  ExpectConversionsFrom<double>(this->GetContext());
}

TEST_P(Convert, ManyBlocks)
{
  cudaneuro::Grid grid;
  grid.size = { 701, 503, 7 };
  std::vector<short> from(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < from.size(); ++i)
  {
    from[i] = static_cast<short>(i * 7919 % 65536 - 32768);
  }
  std::vector<float> to(from.size());
  CopyVolume(this->GetContext(), grid, ConstView(from), View(to));
  EXPECT_EQ(to, std::vector<float>(from.begin(), from.end()));
  std::vector<short> back(from.size());
  CopyVolume(this->GetContext(), grid, ConstView(to), View(back));
  EXPECT_EQ(back, from);
}

CUDANEURO_TEST_ON_ALL_DEVICES(Convert);

} // namespace
