// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/TestPopulation.h"
#include "core/CudaRuntime.h"
#include "core/Dispatch.h"
#include "cudaneuro/Bilateral.h"

/** Jobs whose device turns out to have less memory than their plan counted on, as where another process takes some, or what is
 * free lies in pieces: they go on with less, and give the same bits. */

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
  const auto        parked = testpopulation::BuildAtlas(population, testpopulation::ShortSchedule(), devices);
  EXPECT_GT(parked.result.numberOfStreamedImages, 0);
  EXPECT_EQ(parked.average, whole.average);
  EXPECT_EQ(parked.displacements, whole.displacements);
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
  const auto run = [&] {
    std::vector<float> output(input.size());
    Bilateral(this->GetContext(), BilateralParameters(), grid, ConstView(input), {}, View(output));
    return output;
  };
  const std::vector<float> whole = run();
  const ShortMemory        isShort(this->GetParam(), input.size() * sizeof(float));
  EXPECT_EQ(run(), whole);
  EXPECT_GT(this->GetContext().GetStatistics().numberOfSlabs, 1u);
}

TEST_P(ShortMemoryTest, TheMessageSaysWhatIsFree)
{
  const ShortMemory isShort(this->GetParam(), 1 << 20);
  try
  {
    this->GetContext().Allocate(1 << 22);
    FAIL() << "there was memory";
  }
  catch (const OutOfMemoryError & error)
  {
    EXPECT_EQ(error.GetBytesNeeded(), std::size_t{ 1 << 22 });
    EXPECT_NE(std::string(error.what()).find("Allocation of 4194304 bytes on CUDA device"), std::string::npos)
      << error.what();
    EXPECT_NE(std::string(error.what()).find("this process uses"), std::string::npos) << error.what();
  }
}

CUDANEURO_TEST_ON_CUDA(ShortMemoryTest);
