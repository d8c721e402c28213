// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DenoisingProperties.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

/** How filters run: again, side by side, with progress and aborts, and on volumes that devices hold in parts. */
namespace properties
{

using namespace testvolumes;

void
ExpectRepeatable(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid            grid = MakeGrid({ 141, 37, 35 });
  const std::vector<float>         input = NoisyPhantom(grid);
  const std::vector<unsigned char> mask = BallMask(grid);
  const std::vector<float>         result = Run(context, filter, grid, input, mask);
  EXPECT_TRUE(HaveSameBits(result, Run(context, filter, grid, input, mask)));
  for (const unsigned int threads : { 1, 3, 7 })
  {
    cudaneuro::Context other(context.GetDevice(), threads);
    EXPECT_TRUE(HaveSameBits(result, Run(other, filter, grid, input, mask))) << threads << " threads";
  }
}

void
ExpectConcurrent(const cudaneuro::Device & device, const std::vector<Filter> & filters)
{
  const std::vector<float>        input = NoisyPhantom(middleGrid);
  cudaneuro::Context              alone(device, 2);
  std::vector<std::vector<float>> expected;
  for (const Filter & filter : filters)
  {
    expected.push_back(Run(alone, filter, middleGrid, input));
  }

  constexpr std::size_t                    numberOfThreads = 4;
  const std::size_t                        runs = device.IsCuda() ? 60 : 3;
  std::array<std::size_t, numberOfThreads> numberOfDifferences{};
  std::vector<std::thread>                 threads;
  for (std::size_t thread = 0; thread < numberOfThreads; ++thread)
  {
    threads.emplace_back([&, thread] {
      cudaneuro::Context context(device, 2);
      for (std::size_t run = 0; run < runs; ++run)
      {
        const std::size_t which = (thread + run) % filters.size();
        const bool        same = HaveSameBits(Run(context, filters[which], middleGrid, input), expected[which]);
        numberOfDifferences[thread] += same ? 0 : 1;
      }
    });
  }
  for (std::thread & thread : threads)
  {
    thread.join();
  }
  EXPECT_EQ(numberOfDifferences, (std::array<std::size_t, numberOfThreads>{}));
}

void
ExpectProgress(cudaneuro::Context & context, const Filter & filter)
{
  // With integer pixels, conversions report progress, too.
  const cudaneuro::Grid    grid = MakeGrid({ 141, 75, 53 });
  const std::vector<short> input = Converted<short>(NoisyPhantom(grid));
  std::vector<short>       output(input.size());
  std::vector<float>       reports;
  const std::thread::id    caller = std::this_thread::get_id();
  bool                     isOnCaller = true;
  context.SetProgressFunction([&](float fraction) {
    reports.push_back(fraction);
    isOnCaller = isOnCaller && std::this_thread::get_id() == caller;
    return true;
  });
  filter(context, grid, ConstView(input), {}, View(output));
  ASSERT_FALSE(reports.empty());
  EXPECT_TRUE(isOnCaller);
  EXPECT_GE(reports.front(), 0.0f);
  EXPECT_EQ(reports.back(), 1.0f);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
}

void
ExpectAbort(cudaneuro::Context & context, const Filter & filter)
{
  const std::vector<float> input = NoisyPhantom(middleGrid);
  const std::vector<float> expected = Run(context, filter, middleGrid, input);
  for (const float abortAt : { 0.0f, 0.5f, 1.0f })
  {
    context.SetProgressFunction([=](float fraction) { return fraction < abortAt; });
    EXPECT_THROW(Run(context, filter, middleGrid, input), cudaneuro::Aborted) << "at " << abortAt;
    context.SetProgressFunction(nullptr);
    EXPECT_TRUE(HaveSameBits(Run(context, filter, middleGrid, input), expected)) << "after an abort at " << abortAt;
  }
}

void
ExpectSlabsEqualWhole(cudaneuro::Context & context, const Filter & filter)
{
  const cudaneuro::Grid    grid = MakeGrid({ 67, 61, 301 });
  const std::vector<float> input = NoisyPhantom(grid);
  const std::vector<float> whole = Run(context, filter, grid, input);
  EXPECT_EQ(context.GetStatistics().numberOfSlabs, 1U);

  const std::size_t bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * sizeof(float);
  context.SetMemoryLimit(bytes);
  EXPECT_TRUE(HaveSameBits(Run(context, filter, grid, input), whole));
  EXPECT_GT(context.GetStatistics().numberOfSlabs, 1U);

  context.SetMemoryLimit(1000);
  const auto error = ErrorOf<cudaneuro::OutOfMemoryError>([&] { Run(context, filter, grid, input); });
  EXPECT_LE(error.GetBytesAvailable(), 1000U);
  EXPECT_GT(error.GetBytesNeeded(), error.GetBytesAvailable());
  context.SetMemoryLimit(0);
  EXPECT_TRUE(HaveSameBits(Run(context, filter, grid, input), whole));
}

void
ExpectChunksEqualWhole(cudaneuro::Context & context, const Filter & filter)
{
  // Six chunks, the last of which is not full.
  const cudaneuro::Grid    grid = MakeGrid({ 319, 254, 149 });
  const std::vector<short> integers = Converted<short>(NoisyPhantom(grid));
  const std::vector<float> input(integers.begin(), integers.end());
  const DeviceVolume<>     deviceInput(context, grid);
  const DeviceVolume<>     deviceOutput(context, grid);
  CopyVolume(context, grid, ConstView(input), deviceInput);
  filter(context, grid, deviceInput, {}, deviceOutput);
  std::vector<float> whole(input.size());
  CopyVolume(context, grid, deviceOutput, View(whole));

  EXPECT_TRUE(HaveSameBits(Run(context, filter, grid, input), whole)) << "pageable memory";
  std::vector<float> output(input.size());
  filter(context, grid, ConstView(integers), {}, View(output));
  EXPECT_TRUE(HaveSameBits(output, whole)) << "integers";

  const std::shared_ptr<void> pinned = cudaneuro::AllocatePinned(context.GetDevice(), 2 * input.size() * sizeof(float));
  auto * const                pinnedInput = static_cast<float *>(pinned.get());
  std::copy(input.begin(), input.end(), pinnedInput);
  const cudaneuro::Volume pinnedOutput{ pinnedInput + input.size(),
                                        cudaneuro::PixelType::Float,
                                        cudaneuro::MemorySpace::Host };
  const auto              run = [&] {
    filter(context, grid, { pinnedInput, cudaneuro::PixelType::Float, cudaneuro::MemorySpace::Host }, {}, pinnedOutput);
    return std::vector<float>(pinnedInput + input.size(), pinnedInput + 2 * input.size());
  };
  EXPECT_TRUE(HaveSameBits(run(), whole)) << "page-locked memory";
  context.SetProgressFunction([](float fraction) { return fraction < 0.5f; });
  EXPECT_THROW(run(), cudaneuro::Aborted);
  context.SetProgressFunction(nullptr);
  EXPECT_TRUE(HaveSameBits(run(), whole)) << "after an abort";
}

void
ExpectNoTransferOnDevice(cudaneuro::Context & context, const Filter & filter)
{
  const std::vector<float> input = NoisyPhantom(middleGrid);
  const DeviceVolume<>     deviceInput(context, middleGrid);
  const DeviceVolume<>     deviceOutput(context, middleGrid);
  CopyVolume(context, middleGrid, ConstView(input), deviceInput);

  context.ResetStatistics();
  filter(context, middleGrid, deviceInput, {}, deviceOutput);
  EXPECT_EQ(context.GetStatistics().hostToDeviceBytes, 0U);
  EXPECT_EQ(context.GetStatistics().deviceToHostBytes, 0U);

  std::vector<float> output(input.size());
  CopyVolume(context, middleGrid, deviceOutput, View(output));
  EXPECT_EQ(context.GetStatistics().deviceToHostBytes, output.size() * sizeof(float));
  EXPECT_TRUE(HaveSameBits(output, Run(context, filter, middleGrid, input)));
}

namespace
{

/** Returns random bytes whose period divides no size of a test volume. */
std::vector<unsigned char>
LongNoise(std::size_t count)
{
  std::vector<unsigned char> pattern(1048583);
  for (std::size_t i = 0; i < pattern.size(); ++i)
  {
    pattern[i] = static_cast<unsigned char>(256.0 * UniformNoise(11, i));
  }
  std::vector<unsigned char> values(count);
  for (std::size_t i = 0; i < count; i += pattern.size())
  {
    std::memcpy(values.data() + i, pattern.data(), std::min(pattern.size(), count - i));
  }
  return values;
}

} // namespace

void
ExpectLargeVolume(cudaneuro::Context & context, const Filter & filter, std::int64_t halo)
{
  const cudaneuro::Grid grid = MakeGrid({ 1300, 1300, 1280 });
  const std::size_t     count = static_cast<std::size_t>(grid.NumberOfVoxels());
  constexpr std::size_t bytesPerVoxel = 24;
  cudaneuro::Context    cpu{ cudaneuro::Device{} };
  if (GetDeviceProperties(context.GetDevice()).freeBytes < bytesPerVoxel * count ||
      GetDeviceProperties(cpu.GetDevice()).freeBytes < 3 * count)
  {
    GTEST_SKIP() << "needs " << bytesPerVoxel * count << " free bytes on the device, " << 3 * count << " on the host";
  }
  const std::vector<unsigned char> input = LongNoise(count);
  std::vector<unsigned char>       output(count);
  filter(context, grid, ConstView(input), {}, View(output));

  const std::int64_t planeSize = grid.VoxelsPerPlane();
  const std::int64_t middle = (std::int64_t{ 1 } << 31) / planeSize;
  for (const std::int64_t plane : { std::int64_t{ 0 }, middle, middle + 1, grid.size[2] - 1 })
  {
    const std::int64_t         begin = std::max<std::int64_t>(0, plane - halo);
    const std::int64_t         end = std::min(grid.size[2], plane + halo + 1);
    const cudaneuro::Grid      crop = MakeGrid({ grid.size[0], grid.size[1], end - begin });
    std::vector<unsigned char> expected(static_cast<std::size_t>(crop.NumberOfVoxels()));
    filter(cpu,
           crop,
           { input.data() + begin * planeSize, cudaneuro::PixelType::UnsignedChar, cudaneuro::MemorySpace::Host },
           {},
           View(expected));
    int largest = 0;
    for (std::int64_t i = 0; i < planeSize; ++i)
    {
      largest = std::max(
        largest, std::abs(int{ output[plane * planeSize + i] } - int{ expected[(plane - begin) * planeSize + i] }));
    }
    // A value halfway between two integers may be rounded up or down.
    EXPECT_LE(largest, 1) << "plane " << plane;
  }
}

} // namespace properties
