// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasMemory.h"
#include "atlas/TestPopulation.h"
#include "core/CudaRuntime.h"
#include "core/Dispatch.h"
#include "cudaneuro/AnisotropicDiffusion.h"
#include "cudaneuro/Bilateral.h"
#include "cudaneuro/NonLocalMeans.h"

#include <functional>
#include <utility>

/** Jobs whose device turns out to have less memory than their plan counted on, as where another process takes some,
 * or what is free lies in pieces: they go on with less, and give the same bits. */

using namespace cudaneuro;

namespace
{

/** Until destroyed, a device has so much memory beyond what is in use now. */
class ShortMemory
{
public:
  ShortMemory(const Device & device, std::size_t bytes)
    : m_Device(device)
  {
    this->Set(bytes);
  }
  ~ShortMemory() { this->Set(0); }
  ShortMemory(const ShortMemory &) = delete;
  ShortMemory &
  operator=(const ShortMemory &) = delete;

private:
  void
  Set(std::size_t bytes) const
  {
    if constexpr (builtWithCuda)
    {
      const int device = m_Device.cudaIndex;
      gpu::SetMemoryCapacity(device, bytes > 0 ? gpu::GetUsedMemory(device) + bytes : 0);
    }
  }

  Device m_Device;
};

} // namespace

class ShortMemoryTest : public DeviceTest
{};

TEST_P(ShortMemoryTest, AtlasParksImages)
{
  constexpr std::size_t volume = 32 * 32 * 32 * sizeof(float);
  auto                  population = testpopulation::MakePopulation(6, { 32, 32, 32 });
  AtlasDevices          devices;
  devices.devices = { this->GetParam() };
  const auto whole = testpopulation::BuildAtlas(population, testpopulation::ShortSchedule(), devices);
  EXPECT_EQ(whole.result.numberOfStreamedImages, 0);
  // Enough for the share's 31 volumes and some of the 6 times 7 of the images.
  const ShortMemory isShort(this->GetParam(), 55 * volume);
  const auto        offloaded = testpopulation::BuildAtlas(population, testpopulation::ShortSchedule(), devices);
  EXPECT_GT(offloaded.result.numberOfStreamedImages, 0);
  EXPECT_EQ(offloaded.average, whole.average);
  EXPECT_EQ(offloaded.result.imageEnergies, whole.result.imageEnergies);
  EXPECT_EQ(offloaded.displacements, whole.displacements);
}

TEST_P(ShortMemoryTest, SlabsBecomeThinner)
{
  Grid grid;
  grid.size = { 64, 64, 256 };
  std::vector<float> input(static_cast<std::size_t>(grid.NumberOfVoxels()));
  for (std::size_t i = 0; i < input.size(); ++i)
  {
    input[i] = static_cast<float>(i % 1013) + 100.0f * static_cast<float>(i / 65536);
  }
  using Filter = std::function<void(const Volume &)>;
  Context &                                         context = this->GetContext();
  const ConstVolume                                 volume = ConstView(input);
  const std::vector<std::pair<std::string, Filter>> filters{
    { "bilateral", [&](const Volume & output) { Bilateral(context, {}, grid, volume, {}, output); } },
    { "diffusion", [&](const Volume & output) { AnisotropicDiffusion(context, {}, grid, volume, {}, output); } },
    { "non-local means", [&](const Volume & output) { NonLocalMeans(context, {}, grid, volume, {}, output); } }
  };
  for (const auto & [name, filter] : filters)
  {
    SCOPED_TRACE(name);
    std::vector<float> whole(input.size());
    filter(View(whole));
    std::vector<float> output(input.size());
    const ShortMemory  isShort(this->GetParam(), input.size() * sizeof(float));
    filter(View(output));
    EXPECT_EQ(output, whole);
    EXPECT_GT(context.GetStatistics().numberOfSlabs, 1u);
  }
}

TEST_P(ShortMemoryTest, TheMessageSaysWhatIsFree)
{
  const ShortMemory isShort(this->GetParam(), 1 << 20);
  const auto        error = ErrorOf<OutOfMemoryError>([&] { this->GetContext().Allocate(1 << 22); });
  EXPECT_EQ(error.GetBytesNeeded(), std::size_t{ 1 << 22 });
  EXPECT_NE(std::string(error.what()).find("Allocation of 4194304 bytes on CUDA device"), std::string::npos)
    << error.what();
  EXPECT_NE(std::string(error.what()).find("this process uses"), std::string::npos) << error.what();
}

CUDANEURO_TEST_ON_CUDA(ShortMemoryTest);

TEST(AtlasMemory, LeavesSomeFreeMemoryButTriesBeforeItGivesUp)
{
  AtlasPlan plan;
  plan.geometry.grid.size = { 256, 256, 256 };
  constexpr std::size_t members = 10;
  const ShareMemory     memory(plan, members);
  const std::size_t     all = memory.Bytes(members, false);
  const std::size_t     least = memory.Bytes(0, true);
  const std::size_t     ofMember = memory.ofMember * memory.bytesOfVolume;
  EXPECT_EQ(ResidentMembers(plan, members, all, true), members);
  EXPECT_LT(ResidentMembers(plan, members, all, false), members);
  EXPECT_EQ(ResidentMembers(plan, members, all + all / 31 + 1, false), members);
  EXPECT_EQ(ResidentMembers(plan, members, least + ofMember, true), 1U);
  EXPECT_EQ(ResidentMembers(plan, members, least + least / 31 + 1, false), 0U);
  EXPECT_EQ(ResidentMembers(plan, members, least, false), 0U);
  EXPECT_THROW(ResidentMembers(plan, members, least - 1, false), OutOfMemoryError);
  EXPECT_THROW(ResidentMembers(plan, members, least - 1, true), OutOfMemoryError);
}
