// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Atlases of several channels have the same results on several devices, in several processes, after an interruption, on
// the CPU and on a GPU, and where members wait in host memory.

#include "atlas/AtlasChannelsTest.h"
#include "group/ThreadProcesses.h"
#include "system/TemporaryFolder.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <thread>

using namespace cudaneuro;
using namespace testpopulation;
using namespace atlaschannels;

TEST_P(AtlasChannels, DevicesAndProcessesDoNotMatter)
{
  Population population = MakePopulation(5, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::TrimmedMean })
  {
    AtlasParameters parameters = TwoChannels(1.0, 2.0);
    parameters.meanMethod = mean;
    const AtlasResultOf one = this->Build(population, parameters);
    const AtlasResultOf many = this->Build(population, parameters, 3);
    EXPECT_EQ(one.average, many.average);
    EXPECT_EQ(one.furtherAverages, many.furtherAverages);
    EXPECT_EQ(one.displacements, many.displacements);
    EXPECT_EQ(one.result.channelEnergies, many.result.channelEnergies);

    threadprocesses::Processes processes(2);
    AtlasResultOf              results[2];
    const auto                 run = [&](int rank) {
      threadprocesses::ProcessCommunicator communicator(processes, rank);
      AtlasDevices                         devices = this->Devices();
      devices.numberOfThreads = 1;
      devices.communicator = &communicator;
      results[rank] = BuildAtlas(population, parameters, devices);
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    EXPECT_EQ(results[0].average, one.average);
    EXPECT_EQ(results[1].furtherAverages, one.furtherAverages);
    EXPECT_EQ(results[0].result.channelEnergies, one.result.channelEnergies);
  }
}

TEST_P(AtlasChannels, SameBitsAfterAnInterruption)
{
  Population population = MakePopulation(3, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  const AtlasParameters parameters = TwoChannels(1.0, 1.0);
  const AtlasResultOf   expected = this->Build(population, parameters);
  const TemporaryFolder folder;
  {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices(2));
    SetImages(population, atlas);
    atlas.SetCheckpoint({ folder.GetPath().string(), 1e9 });
    int         done = 0;
    AtlasResult result;
    atlas.Run([&](const AtlasIteration &) { return ++done == 17 ? AtlasAction::SaveAndStop : AtlasAction::Continue; },
              result);
  }
  {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices());
    SetImages(population, atlas);
    atlas.Resume(folder.GetPath().string());
    AtlasResult result;
    atlas.Run({}, result);
    const AtlasResultOf resumed = ReadAtlas(population, atlas, result);
    EXPECT_EQ(resumed.displacements, expected.displacements);
    EXPECT_EQ(resumed.furtherAverages, expected.furtherAverages);
    ASSERT_EQ(resumed.result.iterations.size(), expected.result.iterations.size());
    EXPECT_EQ(resumed.result.iterations[3].channelEnergies, expected.result.iterations[3].channelEnergies);
  }
  population.furtherChannels[1][0][999] += 1.0f;
  DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  const auto error = ErrorOf<Error>([&] { atlas.Resume(folder.GetPath().string()); });
  EXPECT_NE(std::string(error.what()).find("image 1, channel 1"), std::string::npos) << error.what();
}

TEST_P(AtlasChannels, AgreeWithTheCpu)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "it is the CPU";
  }
  const auto expect = [&](const auto & intensity, RegistrationMetric metric) {
    Population population = MakePopulation(4, { 24, 22, 20 });
    AddChannel(population, intensity);
    AtlasParameters parameters = TwoChannels(1.0, 1.0);
    parameters.registration.furtherChannels[0].metric = metric;
    AtlasDevices cpu;
    cpu.devices = { Device{} };
    const AtlasResultOf onCpu = BuildAtlas(population, parameters, cpu);
    // In voxels: what other orders of sums make in 25 iterations.
    EXPECT_LT(LargestDifference(this->Build(population, parameters), onCpu), 0.05) << metric;
  };
  expect(OtherContrast, RegistrationMetric::MeanSquares);
  // Correlations see what rounding leaves where images are flat, but where they are 0: other roundings make other maps
  // of OtherContrast, also on the CPU alone.
  expect([](double intensity, double) { return 20.0 * std::sqrt(intensity); }, RegistrationMetric::LocalCorrelation);
}

/** Members wait in host memory, where those on the device leave no room for all. */
TEST_P(AtlasChannels, StreamedMembersGiveTheSameBits)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "the CPU streams nothing";
  }
  Population population = MakePopulation(5, { 20, 18, 16 });
  AddChannel(population, OtherContrast);
  const AtlasParameters parameters = TwoChannels(1.0, 1.0);
  const AtlasResultOf   expected = this->Build(population, parameters);
  AtlasDevices          devices = this->Devices();
  // ShareMemory: 2 members of 8 volumes each, 2 slots, 39 volumes that all share, and a rest.
  devices.maximumDeviceMemory = (std::size_t{ 256 } << 20) + (4 * 8 + 39) * population.images[0].size() * sizeof(float);
  const AtlasResultOf streamed = BuildAtlas(population, parameters, devices);
  EXPECT_GT(streamed.result.numberOfStreamedImages, 0);
  EXPECT_EQ(streamed.displacements, expected.displacements);
  EXPECT_EQ(streamed.average, expected.average);
  EXPECT_EQ(streamed.furtherAverages, expected.furtherAverages);
}
