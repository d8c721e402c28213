// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Points of the images of an atlas have the same bits on several devices, in several processes, in another order of the
// images, and where members wait in host memory.

#include "TestVolumes.h"
#include "atlas/AtlasPointsTest.h"
#include "group/ThreadProcesses.h"

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

using namespace cudaneuro;
using namespace testpopulation;
using namespace atlaspoints;

namespace
{

void
ExpectSame(const std::vector<AtlasPoint> & a, const std::vector<AtlasPoint> & b)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    EXPECT_EQ(a[i].numberOfImages, b[i].numberOfImages) << i;
    EXPECT_EQ(a[i].position, b[i].position) << i;
    EXPECT_EQ(a[i].covariance, b[i].covariance) << i;
  }
}

/** Points of the images that have noise, with gaps, of an atlas of these devices.
 * \param order of the images */
std::vector<AtlasPoint>
BuildPoints(const Population &       population,
            const AtlasDevices &     devices,
            const std::vector<int> & order,
            AtlasResult *            result = nullptr)
{
  Population ordered = population;
  for (std::size_t i = 0; i < order.size(); ++i)
  {
    ordered.images[i] = population.images[static_cast<std::size_t>(order[i])];
    ordered.weights[i] = population.weights[static_cast<std::size_t>(order[i])];
  }
  DiffeomorphicAtlas atlas(FewIterations(), ordered.geometry, ordered.weights, devices);
  SetImages(ordered, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  for (const int image : atlas.GetOwnImages())
  {
    const auto source = static_cast<std::uint64_t>(order[static_cast<std::size_t>(image)]);
    if (source == 1)
    {
      continue; // one has none
    }
    AtlasPoints points = PointsOf(population, PlacesInside(population.geometry, 40));
    for (std::size_t i = 0; i < points.positions.size(); ++i)
    {
      points.positions[i][0] += testvolumes::UniformNoise(source, i);
      points.numbers.push_back(static_cast<int>(i + source)); // others lack some
    }
    atlas.SetPoints(image, points);
  }
  if (result != nullptr)
  {
    *result = run;
  }
  return atlas.GetPoints();
}

const std::vector<int> inOrder{ 0, 1, 2, 3 };

} // namespace

TEST_P(AtlasOfPoints, DevicesAndTheOrderOfImagesDoNotMatter)
{
  const Population              population = MakeTurnedPopulation();
  const std::vector<AtlasPoint> one = BuildPoints(population, this->Devices(), inOrder);
  ASSERT_EQ(one.size(), 43u);
  EXPECT_EQ(one[0].numberOfImages, 1);
  EXPECT_EQ(one[10].numberOfImages, 3);
  EXPECT_GT(one[10].GetSpread(), 0.01);
  for (const std::size_t devices : { 2, 3 })
  {
    ExpectSame(BuildPoints(population, this->Devices(devices), inOrder), one);
  }
  ExpectSame(BuildPoints(population, this->Devices(), { 3, 1, 0, 2 }), one);
}

TEST_P(AtlasOfPoints, ProcessesDoNotMatter)
{
  const Population              population = MakeTurnedPopulation();
  const std::vector<AtlasPoint> alone = BuildPoints(population, this->Devices(), inOrder);
  threadprocesses::Processes    processes(2);
  std::vector<AtlasPoint>       points[2];
  const auto                    run = [&](int rank) {
    threadprocesses::ProcessCommunicator communicator(processes, rank);
    AtlasDevices                         devices = this->Devices();
    devices.numberOfThreads = 1;
    devices.communicator = &communicator;
    points[rank] = BuildPoints(population, devices, inOrder);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  ExpectSame(points[0], alone);
  ExpectSame(points[1], alone);
}

/** Maps of members that wait in host memory are there as they are on the device. */
TEST_P(AtlasOfPoints, StreamedMembersGiveTheSameBits)
{
  if (!this->GetParam().IsCuda())
  {
    GTEST_SKIP() << "the CPU streams nothing";
  }
  const Population              population = MakeTurnedPopulation();
  const std::vector<AtlasPoint> expected = BuildPoints(population, this->Devices(), inOrder);
  AtlasDevices                  devices = this->Devices();
  // ShareMemory: 1 member of 7 volumes, 2 slots, 29 volumes that all share, and a rest.
  devices.maximumDeviceMemory = (std::size_t{ 256 } << 20) + (3 * 7 + 29) * population.images[0].size() * sizeof(float);
  AtlasResult result;
  ExpectSame(BuildPoints(population, devices, inOrder, &result), expected);
  EXPECT_GT(result.numberOfStreamedImages, 0);
}
