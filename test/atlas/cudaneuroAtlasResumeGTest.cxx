// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "atlas/TestPopulation.h"
#include "system/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <locale>

using namespace cudaneuro;
using namespace testpopulation;

namespace
{

class AtlasResume : public DeviceTest
{
protected:
  AtlasDevices
  Devices(std::size_t count)
  {
    AtlasDevices devices;
    devices.devices.assign(count, this->GetParam());
    return devices;
  }

  static void
  SetTemplate(DiffeomorphicAtlas & atlas, const float * image)
  {
    if (image != nullptr)
    {
      atlas.SetInitialTemplate({ image, PixelType::Float, MemorySpace::Host });
    }
  }

  /** Runs until \p stop iterations are done, and leaves a checkpoint. */
  void
  RunUntil(const Population &      population,
           const AtlasParameters & parameters,
           int                     stop,
           const float *           initialTemplate = nullptr)
  {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices(2));
    SetImages(population, atlas);
    SetTemplate(atlas, initialTemplate);
    atlas.SetCheckpoint({ m_Folder.GetPath().string(), 1e9 });
    int         done = 0;
    AtlasResult result;
    atlas.Run([&](const AtlasIteration &) { return ++done == stop ? AtlasAction::SaveAndStop : AtlasAction::Continue; },
              result);
    EXPECT_EQ(result.iterations.size(), static_cast<std::size_t>(stop));
  }

  AtlasResultOf
  GoOn(const Population & population, const AtlasParameters & parameters, std::size_t devices)
  {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices(devices));
    SetImages(population, atlas);
    atlas.Resume(m_Folder.GetPath().string());
    AtlasResult result;
    atlas.Run({}, result);
    return ReadAtlas(population, atlas, result);
  }

  /** What Resume says. */
  std::string
  Refusal(const Population & population, const AtlasParameters & parameters, const float * initialTemplate = nullptr)
  {
    DiffeomorphicAtlas atlas(parameters, population.geometry, population.weights, this->Devices(1));
    SetImages(population, atlas);
    SetTemplate(atlas, initialTemplate);
    try
    {
      atlas.Resume(m_Folder.GetPath().string());
    }
    catch (const Error & error)
    {
      return error.what();
    }
    return "nothing";
  }

  TemporaryFolder m_Folder;
};

} // namespace

TEST_P(AtlasResume, SameBitsAsWithoutInterruption)
{
  const Population population = MakePopulation(3, { 20, 18, 16 });
  for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::Median })
  {
    AtlasParameters parameters = ShortSchedule();
    parameters.meanMethod = mean;
    const AtlasResultOf whole = BuildAtlas(population, parameters, this->Devices(1));
    // In the middle, before and at a shape update, at the end of a level, and at the end.
    for (const int stop : { 1, 9, 10, 15, 16, 24, 25 })
    {
      this->RunUntil(population, parameters, stop);
      EXPECT_TRUE(DiffeomorphicAtlas::HasCheckpoint(m_Folder.GetPath().string()));
      const AtlasResultOf resumed = this->GoOn(population, parameters, stop % 3 + 1);
      EXPECT_EQ(resumed.average, whole.average) << stop;
      EXPECT_EQ(resumed.displacements, whole.displacements) << stop;
      ASSERT_EQ(resumed.result.iterations.size(), whole.result.iterations.size());
      for (std::size_t i = 0; i < whole.result.iterations.size(); ++i)
      {
        EXPECT_EQ(resumed.result.iterations[i].energy, whole.result.iterations[i].energy) << i;
        EXPECT_EQ(resumed.result.iterations[i].imageEnergies, whole.result.iterations[i].imageEnergies) << i;
      }
      EXPECT_EQ(resumed.result.energy, whole.result.energy) << stop;
      EXPECT_EQ(resumed.result.imageEnergies, whole.result.imageEnergies) << stop;
      ASSERT_EQ(resumed.result.drifts.size(), whole.result.drifts.size());
      EXPECT_EQ(resumed.result.drifts.back().rootMeanSquare, whole.result.drifts.back().rootMeanSquare);
    }
  }
}

TEST_P(AtlasResume, WritesAtIntervals)
{
  const Population   population = MakePopulation(2, { 20, 18, 16 });
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(1));
  SetImages(population, atlas);
  atlas.SetCheckpoint({ m_Folder.GetPath().string(), 0.0 });
  AtlasResult result;
  int         seen = 0;
  atlas.Run(
    [&](const AtlasIteration & iteration) {
      // After the first iteration there is one.
      seen +=
        iteration.level + iteration.iteration > 0 && DiffeomorphicAtlas::HasCheckpoint(m_Folder.GetPath().string());
      return AtlasAction::Continue;
    },
    result);
  EXPECT_EQ(seen, 24);
}

TEST_P(AtlasResume, RefusesWhatIsOfAnotherAtlas)
{
  const Population population = MakePopulation(3, { 20, 18, 16 });
  this->RunUntil(population, ShortSchedule(), 5);
  const auto expectRefused = [&](const auto & change, const std::string & line) {
    AtlasParameters parameters = ShortSchedule();
    change(parameters);
    const std::string refusal = this->Refusal(population, parameters);
    EXPECT_NE(refusal.find("where this one has \"" + line), std::string::npos) << refusal;
  };
  // 0.03125 = 1 / 32
  expectRefused([](AtlasParameters & p) { p.registration.gamma = 0.03125; }, "Gamma 0x1p-5\"");
  expectRefused([](AtlasParameters & p) { p.registration.inversion.tolerance = 0.5; }, "Tolerance 0x1p-1\"");
  expectRefused([](AtlasParameters & p) { p.registration.levels.back().iterations += 1; }, "Levels ");
  expectRefused([](AtlasParameters & p) { p.registration.repairOutliers = false; }, "RepairOutliers 0\"");
  expectRefused([](AtlasParameters & p) { p.sharpening = 0.5; }, "Sharpening 0x1p-1\"");
  expectRefused([](AtlasParameters & p) { p.meanMethod = AtlasMean::Median; }, "MeanMethod Median\"");
  Population other = population;
  other.images[1][1000] += 1.0f;
  EXPECT_NE(this->Refusal(other, ShortSchedule()).find("image 1"), std::string::npos)
    << this->Refusal(other, ShortSchedule());
  // Eightfold contrast, with which the unit of all intensities is another one.
  other = population;
  std::transform(
    other.images[2].begin(), other.images[2].end(), other.images[2].begin(), [](float v) { return 8.0f * v; });
  EXPECT_NE(this->Refusal(other, ShortSchedule()).find("image 2"), std::string::npos)
    << this->Refusal(other, ShortSchedule());
  other = population;
  other.weights[2] = 2.0;
  EXPECT_NE(this->Refusal(other, ShortSchedule()).find("image 2"), std::string::npos);
}

TEST_P(AtlasResume, RefusesAnotherInitialTemplate)
{
  const Population                 population = MakePopulation(3, { 20, 18, 16 });
  const std::vector<float> &       first = population.images[0];
  std::vector<float>               other = first;
  const std::vector<const float *> templates{ nullptr, first.data(), other.data() };
  other[1000] += 1.0f;
  for (const float * const kept : templates)
  {
    this->RunUntil(population, ShortSchedule(), 1, kept);
    for (const float * const now : templates)
    {
      const std::string refusal = this->Refusal(population, ShortSchedule(), now);
      EXPECT_EQ(refusal.find("initial template") == std::string::npos, kept == now) << refusal;
    }
  }
}

TEST_P(AtlasResume, KeepsTheNote)
{
  const Population population = MakePopulation(2, { 20, 18, 16 });
  for (const std::string note : { "", "of two\n\nlines ", "17" })
  {
    DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(1));
    SetImages(population, atlas);
    atlas.SetCheckpoint({ m_Folder.GetPath().string(), 1e9, note });
    AtlasResult result;
    atlas.Run([](const AtlasIteration &) { return AtlasAction::SaveAndStop; }, result);
    EXPECT_EQ(DiffeomorphicAtlas::ReadCheckpointNote(m_Folder.GetPath().string()), note);
    EXPECT_EQ(this->Refusal(population, ShortSchedule()), "nothing");
  }
}

/** Numbers of three digits a group, as a program may have chosen for all its streams. */
class Grouping : public std::numpunct<char>
{
protected:
  char
  do_thousands_sep() const override
  {
    return '.';
  }
  char
  do_decimal_point() const override
  {
    return ',';
  }
  std::string
  do_grouping() const override
  {
    return "\3";
  }
};

TEST_P(AtlasResume, OfAnyLocale)
{
  const Population   population = MakePopulation(2, { 20, 18, 16 });
  const std::string  note(2000, 'n');
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(1));
  SetImages(population, atlas);
  atlas.SetCheckpoint({ m_Folder.GetPath().string(), 1e9, note });
  AtlasResult       result;
  const std::locale before = std::locale::global(std::locale(std::locale(), new Grouping));
  atlas.Run([](const AtlasIteration &) { return AtlasAction::SaveAndStop; }, result);
  std::locale::global(before);
  EXPECT_EQ(DiffeomorphicAtlas::ReadCheckpointNote(m_Folder.GetPath().string()), note);
  EXPECT_EQ(this->Refusal(population, ShortSchedule()), "nothing");
}

TEST_P(AtlasResume, IsNotForAnAtlasThatHasRun)
{
  const Population population = MakePopulation(2, { 20, 18, 16 });
  this->RunUntil(population, ShortSchedule(), 1);
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(1));
  SetImages(population, atlas);
  AtlasResult result;
  atlas.Run([](const AtlasIteration &) { return AtlasAction::Stop; }, result);
  EXPECT_THROW(atlas.Resume(m_Folder.GetPath().string()), Error);
}

TEST_P(AtlasResume, RefusesDamage)
{
  const Population population = MakePopulation(2, { 20, 18, 16 });
  this->RunUntil(population, ShortSchedule(), 5);
  for (const auto & entry : std::filesystem::directory_iterator(m_Folder.GetPath().string()))
  {
    const std::string name = entry.path().string();
    std::fstream      file(name, std::ios::in | std::ios::out | std::ios::binary);
    const auto        place = static_cast<std::streamoff>(entry.file_size() / 2);
    file.seekg(place);
    const char byte = static_cast<char>(file.get());
    file.seekp(place);
    file.put(static_cast<char>(byte ^ 4));
    file.close();
    const std::string refusal = this->Refusal(population, ShortSchedule());
    EXPECT_NE(refusal.find(entry.path().filename().string()), std::string::npos) << refusal;
    std::fstream repair(name, std::ios::in | std::ios::out | std::ios::binary);
    repair.seekp(place);
    repair.put(byte);
  }
  EXPECT_EQ(this->Refusal(population, ShortSchedule()), "nothing");
}

TEST_P(AtlasResume, CheckpointsNeedAFolder)
{
  const Population   population = MakePopulation(2, { 20, 18, 16 });
  DiffeomorphicAtlas atlas(ShortSchedule(), population.geometry, population.weights, this->Devices(1));
  SetImages(population, atlas);
  AtlasResult result;
  EXPECT_THROW(atlas.Run([](const AtlasIteration &) { return AtlasAction::Save; }, result), Error);
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasResume);

namespace
{

class AtlasMemory : public DeviceTest
{};

} // namespace

TEST_P(AtlasMemory, StreamingChangesNoBits)
{
  constexpr std::size_t rest = std::size_t{ 256 } << 20; // what is kept free beside volumes
  const Population      population = MakePopulation(5, { 20, 18, 16 });
  AtlasDevices          devices;
  devices.devices = { this->GetParam() };
  for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::TrimmedMean })
  {
    AtlasParameters parameters = ShortSchedule();
    parameters.meanMethod = mean;
    const AtlasResultOf resident = BuildAtlas(population, parameters, devices);
    EXPECT_EQ(resident.result.numberOfStreamedImages, 0);
    constexpr std::size_t volume = 20 * 18 * 16 * sizeof(float);
    for (const int residents : { 0, 2 })
    {
      // Two places of 7 volumes, 34 that all share, 7 for each resident, and some that are not enough for one more.
      AtlasDevices few = devices;
      few.maximumDeviceMemory = rest + static_cast<std::size_t>(14 + 30 + 7 * residents + 3) * volume;
      const AtlasResultOf streamed = BuildAtlas(population, parameters, few);
      EXPECT_EQ(streamed.result.numberOfStreamedImages, 5 - residents);
      EXPECT_EQ(streamed.average, resident.average);
      EXPECT_EQ(streamed.displacements, resident.displacements);
    }
  }
  devices.maximumDeviceMemory = rest;
  EXPECT_THROW(BuildAtlas(population, ShortSchedule(), devices), OutOfMemoryError);
}

TEST_P(AtlasMemory, ContextsOfADeviceDoNotMatter)
{
  // Sixteen images have four contexts, unless the device is listed more than once.
  const Population population = MakePopulation(16, { 20, 18, 16 });
  AtlasDevices     devices;
  devices.devices = { this->GetParam() };
  const AtlasResultOf four = BuildAtlas(population, ShortSchedule(), devices);
  devices.devices.assign(2, this->GetParam());
  const AtlasResultOf two = BuildAtlas(population, ShortSchedule(), devices);
  EXPECT_EQ(four.average, two.average);
  EXPECT_EQ(four.displacements, two.displacements);
}

TEST_P(AtlasMemory, GpusDoNotMatter)
{
  if (GetNumberOfCudaDevices() < 2)
  {
    GTEST_SKIP() << "one CUDA device";
  }
  const Population population = MakePopulation(16, { 20, 18, 16 });
  for (const AtlasMean mean : { AtlasMean::Mean, AtlasMean::TrimmedMean })
  {
    AtlasParameters parameters = ShortSchedule();
    parameters.meanMethod = mean;
    AtlasDevices devices;
    devices.devices = { this->GetParam() };
    const AtlasResultOf one = BuildAtlas(population, parameters, devices);
    devices.devices.push_back({ this->GetParam().cudaIndex + 1 });
    const AtlasResultOf two = BuildAtlas(population, parameters, devices);
    EXPECT_EQ(one.average, two.average) << two.result.exchange;
    EXPECT_EQ(one.displacements, two.displacements) << two.result.exchange;
    devices.devices = { this->GetParam(), Device() };
    const AtlasResultOf withCpu = BuildAtlas(population, parameters, devices);
    // The CPU's share has other bits.
    EXPECT_LT(RootMeanSquareDifference(one.average, withCpu.average), 0.05) << withCpu.result.exchange;
  }
}

CUDANEURO_TEST_ON_CUDA(AtlasMemory);
