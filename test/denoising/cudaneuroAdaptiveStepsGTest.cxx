// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "core/IntegerMath.h"
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

namespace
{

using namespace testvolumes;

/** What the steps make of an image on one device. */
struct Groups
{
  std::vector<std::uint16_t> members;
  std::vector<std::int64_t>  sums;
  std::vector<int>           counts;
};

template <typename T>
std::vector<T>
Download(cudaneuro::Context & context, const cudaneuro::DeviceMemory & memory, std::size_t count)
{
  std::vector<T>             values(count);
  const auto                 bytes = static_cast<std::int64_t>(count * sizeof(T));
  const cudaneuro::PixelType type = cudaneuro::PixelType::UnsignedChar;
  cudaneuro::CopyVolume(context,
                        MakeGrid({ bytes, 1, 1 }),
                        { memory.Data(), type, cudaneuro::MemorySpaceOf(context) },
                        { values.data(), type, cudaneuro::MemorySpace::Host });
  return values;
}

cudaneuro::BlockImage
ImageOf(const cudaneuro::Grid & grid)
{
  cudaneuro::BlockImage image;
  image.extent = cudaneuro::ExtentOf(grid);
  image.planes = image.extent.z;
  image.depth = image.planes >= 4 ? 4 : 1;
  const int step = image.depth > 1 ? 3 : 1;
  image.references = { cudaneuro::NumberOfReferences(image.extent.x - 3, 3),
                       cudaneuro::NumberOfReferences(image.extent.y - 3, 3),
                       cudaneuro::NumberOfReferences(image.extent.z - image.depth + 1, step) };
  return image;
}

template <typename TMatch, typename TShrink, typename TClear>
Groups
RunSteps(cudaneuro::Context &       context,
         const cudaneuro::Grid &    grid,
         const std::vector<float> & noisy,
         const std::vector<float> & guide,
         const TMatch &             match,
         const TShrink &            shrink,
         const TClear &             clear)
{
  const cudaneuro::BlockImage image = ImageOf(grid);
  const auto                  references = static_cast<std::size_t>(cudaneuro::NumberOfVoxels(image.references));
  Groups                      result;
  cudaneuro::RunDeviceJob(context, [&] {
    UploadedVolumes               volumes(context);
    const float * const           onDevice = volumes.Upload(noisy);
    const float * const           guideOnDevice = volumes.Upload(guide);
    const float * const           variances = volumes.Upload(std::vector<float>(references, 1.0f));
    const cudaneuro::DeviceMemory members = context.Allocate(16 * references * sizeof(std::uint16_t));
    const cudaneuro::DeviceMemory sums = context.Allocate(noisy.size() * sizeof(std::int64_t));
    const cudaneuro::DeviceMemory counts = context.Allocate(noisy.size() * sizeof(int));
    const cudaneuro::BlockGroups  groups{ variances, static_cast<std::uint16_t *>(members.Data()) };
    const cudaneuro::ResidualSums residuals{ static_cast<std::int64_t *>(sums.Data()),
                                             static_cast<int *>(counts.Data()) };
    clear(context, grid.NumberOfVoxels(), residuals);
    match(context, image, onDevice, groups);
    shrink(context, image, onDevice, guideOnDevice, groups, residuals);
    result = { Download<std::uint16_t>(context, members, 16 * references),
               Download<std::int64_t>(context, sums, noisy.size()),
               Download<int>(context, counts, noisy.size()) };
  });
  return result;
}

class AdaptiveStepsOnGpu : public DeviceTest
{};

/** Groups, sums and counts are those of the CPU, whatever shared memory the device has. */
TEST_P(AdaptiveStepsOnGpu, HaveTheBitsOfTheCpu)
{
  cudaneuro::Context cpu{ cudaneuro::Device{} };
  for (const std::array<std::int64_t, 3> size :
       { std::array<std::int64_t, 3>{ 19, 15, 3 }, { 101, 38, 2 }, { 4, 4, 4 }, { 123, 5, 16 }, { 40, 31, 26 } })
  {
    const cudaneuro::Grid grid = MakeGrid(size);
    std::vector<float>    noisy = NoisyPhantom(grid);
    std::vector<float>    guide = NoisyPhantom(grid, 3.0);
    for (std::size_t i = 0; i < noisy.size(); ++i)
    {
      noisy[i] /= 30.0f;
      guide[i] /= 30.0f;
    }
    for (const bool isSecond : { false, true })
    {
      const std::vector<float> empty;
      const Groups             expected = RunSteps(cpu,
                                       grid,
                                       noisy,
                                       isSecond ? guide : empty,
                                       cudaneuro::cpu::MatchBlocks,
                                       cudaneuro::cpu::ShrinkGroups,
                                       cudaneuro::cpu::ClearResiduals);
      for (const std::size_t kilobytes : { 64, 99, 227 })
      {
        const auto match = [=](auto &&... arguments) {
          cudaneuro::gpu::MatchBlocksWithin(arguments..., 1024 * kilobytes);
        };
        const auto shrink = [=](auto &&... arguments) {
          cudaneuro::gpu::ShrinkGroupsWithin(arguments..., 1024 * kilobytes);
        };
        const Groups result = RunSteps(
          this->GetContext(), grid, noisy, isSecond ? guide : empty, match, shrink, cudaneuro::gpu::ClearResiduals);
        EXPECT_EQ(result.members, expected.members) << size[0];
        EXPECT_EQ(result.sums, expected.sums) << size[0];
        EXPECT_EQ(result.counts, expected.counts) << size[0];
      }
    }
  }
}

CUDANEURO_TEST_ON_CUDA(AdaptiveStepsOnGpu);

} // namespace
