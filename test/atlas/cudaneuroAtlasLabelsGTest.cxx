// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "TestVolumes.h"
#include "atlas/AtlasTest.h"
#include "group/ThreadProcesses.h"

#include <cmath>
#include <map>
#include <thread>

using namespace cudaneuro;
using namespace testpopulation;

/** Labels of the images of an atlas on its template, against a count in double precision that keeps a list a voxel. */
namespace
{

using Codes = std::vector<std::uint16_t>;

/** No image has a label, or rounding decides which. */
constexpr int none = -1;
constexpr int undecided = -2;

/** Labels of each image, on grids of their own. */
struct LabelledPopulation
{
  Population               population;
  std::vector<AtlasLabels> labels; // without voxels
  std::vector<Codes>       codes;
  /** Displacements in mm, three components side by side; may be empty. */
  std::vector<std::vector<float>> fields;
};

struct Vote
{
  Codes              labels;
  std::vector<float> probability;
};

AtlasLabels
InputOf(const LabelledPopulation & all, std::size_t image)
{
  AtlasLabels input = all.labels[image];
  input.labels = ConstView(all.codes[image]);
  if (!all.fields[image].empty())
  {
    input.transformField.data = all.fields[image].data();
  }
  return input;
}

/** Blocks of labels, so that voxels side by side mostly have the same. */
Codes
MakeBlocks(const Grid & grid, std::uint64_t seed, int count)
{
  Codes codes;
  ForEachVoxel(grid.size, [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const auto block = static_cast<std::uint64_t>((z / 5 * 64 + y / 4) * 64 + x / 3);
    codes.push_back(static_cast<std::uint16_t>(7 * std::floor(count * testvolumes::UniformNoise(seed, block))));
  });
  return codes;
}

/** Four images: one with labels on its own grid, one with an affine transform, one with a field as well, and one whose
 * labels reach over a part of the template alone. */
LabelledPopulation
MakeLabelledPopulation()
{
  LabelledPopulation all;
  all.population = MakePopulation(4, { 20, 18, 16 });
  all.population.weights = { 2.0, 1.0, 1.0, 1.0 };
  const std::size_t voxels = all.population.images[0].size();
  for (int image = 0; image < 4; ++image)
  {
    AtlasLabels labels;
    labels.name = "labels " + std::to_string(image);
    labels.geometry = all.population.geometry;
    std::vector<float> field;
    if (image == 1)
    {
      labels.geometry.grid = testvolumes::MakeGrid({ 25, 23, 19 }, { 0.9, 0.8, 0.95 });
      labels.transform.matrix = { 1.02, 0.01, 0.0, -0.02, 0.97, 0.0, 0.0, 0.015, 1.0 };
      labels.transform.offset = { 0.3, -0.2, 0.4 };
    }
    if (image == 2)
    {
      for (std::size_t i = 0; i < voxels; ++i)
      {
        field.insert(field.end(), { 0.37f, -0.21f, 0.13f });
      }
    }
    if (image == 3)
    {
      labels.geometry.grid.size = { 12, 18, 16 };
    }
    all.codes.push_back(MakeBlocks(labels.geometry.grid, static_cast<std::uint64_t>(image) + 5, 3));
    all.labels.push_back(labels);
    all.fields.push_back(field);
  }
  return all;
}

/** The label that an image has at a voxel of the template.
 * \param displacement in mm, of the image's map */
int
LabelAt(const LabelledPopulation & all, std::size_t image, const std::array<std::int64_t, 3> & voxel, const float * map)
{
  const AtlasLabels &   labels = all.labels[image];
  const Grid &          grid = labels.geometry.grid;
  std::array<double, 3> point{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    point[axis] = static_cast<double>(voxel[axis]) + map[axis];
    point[axis] += all.fields[image].empty() ? 0.0 : static_cast<double>(all.fields[image][axis]);
  }
  std::int64_t index = 0;
  bool         isInside = true;
  bool         isUndecided = false;
  for (std::size_t row = 3; row-- > 0;)
  {
    double at = labels.transform.offset[row];
    for (std::size_t column = 0; column < 3; ++column)
    {
      at += labels.transform.matrix[3 * row + column] * point[column];
    }
    const double shifted = at / grid.spacing[row] + 0.5;
    // Positions are of float, below 32 voxels, and the map was in mm of float in between.
    isUndecided = isUndecided || std::fabs(shifted - std::round(shifted)) < 1e-4;
    const auto nearest = static_cast<std::int64_t>(std::floor(shifted));
    isInside = isInside && nearest >= 0 && nearest < grid.size[row];
    index = index * grid.size[row] + nearest;
  }
  return isUndecided ? undecided : isInside ? all.codes[image][static_cast<std::size_t>(index)] : none;
}

/** Compares a vote with a count of each voxel.
 * \return voxels that were compared */
int
ExpectCounted(const LabelledPopulation & all, const AtlasResultOf & result, const Vote & vote)
{
  int               compared = 0;
  const auto &      size = all.population.geometry.grid.size;
  const std::size_t images = all.codes.size();
  ForEachVoxel(size, [&](std::int64_t x, std::int64_t y, std::int64_t z, std::size_t i) {
    std::map<int, double> counts;
    double                sum = 0.0;
    bool                  isUndecided = false;
    for (std::size_t image = 0; image < images; ++image)
    {
      const int label = LabelAt(all, image, { x, y, z }, result.displacements[image].data() + 3 * i);
      isUndecided = isUndecided || label == undecided;
      if (label >= 0)
      {
        counts[label] += all.population.weights[image];
        sum += all.population.weights[image];
      }
    }
    if (isUndecided)
    {
      return;
    }
    ++compared;
    std::pair<int, double> best{ 0, 0.0 };
    for (const auto & count : counts) // by label: the first of equals stays
    {
      best = count.second > best.second ? std::pair<int, double>(count) : best;
    }
    EXPECT_EQ(vote.labels[i], best.first) << x << ", " << y << ", " << z;
    EXPECT_EQ(vote.probability[i], static_cast<float>(best.second / sum)) << x << ", " << y << ", " << z;
  });
  return compared;
}

class AtlasOfLabels : public AtlasTest
{};

AtlasParameters
FewIterations()
{
  AtlasParameters parameters;
  parameters.registration.levels = { { { 2, 2, 2 }, 6 }, { { 1, 1, 1 }, 4 } };
  return parameters;
}

Vote
ReadVote(const Population & population, DiffeomorphicAtlas & atlas)
{
  Vote vote;
  vote.labels.resize(population.images[0].size());
  vote.probability.resize(vote.labels.size());
  atlas.GetLabels({ View(vote.labels), View(vote.probability) });
  return vote;
}

Vote
BuildVote(const LabelledPopulation & all, const AtlasDevices & devices, AtlasResultOf * result = nullptr)
{
  DiffeomorphicAtlas atlas(FewIterations(), all.population.geometry, all.population.weights, devices);
  SetImages(all.population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  for (const int image : atlas.GetOwnImages())
  {
    atlas.SetLabels(image, InputOf(all, static_cast<std::size_t>(image)));
  }
  const Vote vote = ReadVote(all.population, atlas);
  if (result != nullptr)
  {
    *result = ReadAtlas(all.population, atlas, run);
  }
  return vote;
}

} // namespace

TEST_P(AtlasOfLabels, EqualACountOfEachVoxel)
{
  const LabelledPopulation all = MakeLabelledPopulation();
  AtlasResultOf            result;
  const Vote               vote = BuildVote(all, this->Devices(), &result);
  const int                compared = ExpectCounted(all, result, vote);
  // Rounding decides 1 voxel in some 800.
  EXPECT_GT(compared, 0.98 * 20 * 18 * 16);
}

TEST_P(AtlasOfLabels, DevicesDoNotMatter)
{
  const LabelledPopulation all = MakeLabelledPopulation();
  const Vote               one = BuildVote(all, this->Devices());
  for (const std::size_t devices : { 2, 3 })
  {
    const Vote many = BuildVote(all, this->Devices(devices));
    EXPECT_EQ(one.labels, many.labels) << devices;
    EXPECT_EQ(one.probability, many.probability) << devices;
  }
}

TEST_P(AtlasOfLabels, ProcessesDoNotMatter)
{
  const LabelledPopulation   all = MakeLabelledPopulation();
  const Vote                 alone = BuildVote(all, this->Devices());
  threadprocesses::Processes processes(2);
  Vote                       votes[2];
  const auto                 run = [&](int rank) {
    threadprocesses::ProcessCommunicator communicator(processes, rank);
    AtlasDevices                         devices = this->Devices();
    devices.numberOfThreads = 1;
    devices.communicator = &communicator;
    votes[rank] = BuildVote(all, devices);
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  for (const Vote & vote : votes)
  {
    EXPECT_EQ(vote.labels, alone.labels);
    EXPECT_EQ(vote.probability, alone.probability);
  }
}

TEST_P(AtlasOfLabels, TiesGoToTheSmallerLabelAndAbsentImagesHaveNoVoice)
{
  // All images are equal, so that no map moves.
  Population population = MakePopulation(1, { 12, 11, 1 });
  population.images = std::vector<std::vector<float>>(5, population.images[0]);
  population.weights = { 1.0, 1.0, 0.0, 1.0, 1.0 };
  const std::size_t  voxels = population.images[0].size();
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  const auto set = [&](int image, const auto & codes) {
    AtlasLabels labels;
    labels.name = "labels";
    labels.geometry = population.geometry;
    labels.labels = ConstView(codes);
    atlas.SetLabels(image, labels);
  };
  EXPECT_THROW(ReadVote(population, atlas), Error);
  set(0, Codes(voxels, 65533));
  set(1, std::vector<unsigned char>(voxels, 3));
  set(2, Codes(voxels, 1)); // of weight 0
  Vote vote = ReadVote(population, atlas);
  EXPECT_EQ(vote.labels, Codes(voxels, 3));
  EXPECT_EQ(vote.probability, std::vector<float>(voxels, 0.5f));
  // Image 4 has no labels.
  set(3, Codes(voxels, 65533));
  vote = ReadVote(population, atlas);
  EXPECT_EQ(vote.labels, Codes(voxels, 65533));
  EXPECT_EQ(vote.probability, std::vector<float>(voxels, static_cast<float>(2.0 / 3.0)));
  // Labels that are set again replace those before.
  set(0, Codes(voxels, 3));
  EXPECT_EQ(ReadVote(population, atlas).labels, Codes(voxels, 3));
}

TEST_P(AtlasOfLabels, NothingWhereNoImageIsSeen)
{
  Population population = MakePopulation(2, { 12, 11, 10 });
  population.images[1] = population.images[0];
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  AtlasResult run;
  atlas.Run({}, run);
  AtlasLabels labels;
  labels.geometry = population.geometry;
  labels.geometry.grid.size[0] = 5;
  const Codes codes(5 * 11 * 10, 9);
  labels.labels = ConstView(codes);
  atlas.SetLabels(1, labels);
  const Vote vote = ReadVote(population, atlas);
  for (std::size_t i = 0; i < vote.labels.size(); ++i)
  {
    EXPECT_EQ(vote.labels[i], i % 12 < 5 ? 9 : 0);
    EXPECT_EQ(vote.probability[i], i % 12 < 5 ? 1.0f : 0.0f);
  }
}

TEST_P(AtlasOfLabels, BadLabelsAreNamed)
{
  const Population   population = MakePopulation(2, { 12, 11, 10 });
  const std::size_t  voxels = population.images[0].size();
  DiffeomorphicAtlas atlas(FewIterations(), population.geometry, population.weights, this->Devices());
  SetImages(population, atlas);
  Codes       codes(voxels, 1);
  AtlasLabels labels;
  labels.name = "a.nii";
  labels.geometry = population.geometry;
  labels.labels = ConstView(codes);
  EXPECT_THROW(atlas.SetLabels(0, labels), Error); // before Run
  EXPECT_THROW(atlas.GetLabels({}), Error);
  AtlasResult run;
  atlas.Run({}, run);
  const auto expect = [&](const std::string & name, const std::string & value) {
    ExpectInvalidParameter([&] { atlas.SetLabels(0, labels); }, name, value);
  };
  codes[7] = 65534;
  expect("the largest label of the labels 'a.nii'", "65534");
  codes[7] = 1;
  labels.labels = ConstView(population.images[0]);
  expect("the type of the labels 'a.nii'", "float32");
  labels.labels = ConstView(codes);
  labels.geometry.grid.size = { 12, 110, 1 };
  expect("the size of the labels 'a.nii'", "12 x 110 x 1");
  labels.geometry = population.geometry;
  ExpectInvalidParameter([&] { atlas.SetLabels(2, labels); }, "the index of an image", "2");
  atlas.SetLabels(0, labels);
  std::vector<float> wrong(voxels);
  ExpectInvalidParameter(
    [&] {
      atlas.GetLabels({ View(wrong), {} });
    },
    "the type of the labels of the template",
    "float32");
  ExpectInvalidParameter(
    [&] {
      atlas.GetLabels({ {}, View(codes) });
    },
    "the type of the probability of labels",
    "uint16");
}

CUDANEURO_TEST_ON_ALL_DEVICES(AtlasOfLabels);
