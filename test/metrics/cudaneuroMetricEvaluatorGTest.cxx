// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/MappedRowCpu.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/ReferenceMetric.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace
{

using namespace cudaneuro;
using reference::ImageOnGrid;

/** Smooth waves and some noise, in float as the evaluators read it. */
ImageOnGrid
MakeImage(const std::array<int, 3> & size, double phase)
{
  ImageOnGrid image;
  image.size = size;
  ForEachVoxel(size, [&](int x, int y, int z, std::size_t i) {
    image.values.push_back(std::sin(0.5 * x + phase) + std::cos(0.4 * y - phase) + std::sin(0.6 * z + 2.0 * phase) +
                           0.3 * testvolumes::UniformNoise(static_cast<std::uint64_t>(10.0 * phase), i));
  });
  return image;
}

void
AddMask(std::uint64_t seed, ImageOnGrid & image)
{
  for (std::size_t i = 0; i < image.values.size(); ++i)
  {
    // Runs of voxels, and single ones.
    const bool isOutside = testvolumes::UniformNoise(seed, i / 7) < 0.2 || testvolumes::UniformNoise(seed + 1, i) < 0.1;
    image.mask.push_back(isOutside ? 0 : static_cast<unsigned char>(1 + i % 255));
  }
}

void
RoundToFloat(ImageOnGrid & image)
{
  for (double & value : image.values)
  {
    value = static_cast<double>(static_cast<float>(value));
  }
}

struct Problem
{
  MetricShape       shape;
  ImageOnGrid       fixed;
  ImageOnGrid       moving;
  reference::Metric metric;
};

Problem
MakeProblem(const MetricShape & shape, const std::array<int, 3> & fixedSize, const std::array<int, 3> & movingSize)
{
  Problem problem{ shape, MakeImage(fixedSize, 0.3), MakeImage(movingSize, 0.8), reference::MeanSquares };
  if (shape.metric == RegistrationMetric::MutualInformation)
  {
    const int bins = shape.numberOfHistogramBins;
    problem.fixed = reference::InBins(problem.fixed, bins);
    problem.moving = reference::InBins(problem.moving, bins);
    problem.metric = [bins](const auto & fixed, const auto & moving, const auto & map, const auto & voxels) {
      return reference::MutualInformation(bins, fixed, moving, map, voxels);
    };
  }
  RoundToFloat(problem.fixed);
  RoundToFloat(problem.moving);
  return problem;
}

const MetricShape shapes[] = { { RegistrationMetric::MeanSquares },
                               { RegistrationMetric::MutualInformation, 8 },
                               { RegistrationMetric::MutualInformation, 32 },
                               { RegistrationMetric::MutualInformation, 64 } };

/** A problem in memory of a device. */
class EvaluatorOnDevice
{
public:
  EvaluatorOnDevice(Context & context, const Problem & problem)
    : m_Context(context)
    , m_Volumes(context)
  {
    RunDeviceJob(context, [&] {
      ImageComparison comparison;
      comparison.fixedExtent = { problem.fixed.size[0], problem.fixed.size[1], problem.fixed.size[2] };
      comparison.movingExtent = { problem.moving.size[0], problem.moving.size[1], problem.moving.size[2] };
      const std::vector<float> fixed(problem.fixed.values.begin(), problem.fixed.values.end());
      const std::vector<float> moving(problem.moving.values.begin(), problem.moving.values.end());
      comparison.fixed = m_Volumes.Upload(fixed);
      comparison.moving = m_Volumes.Upload(moving);
      comparison.fixedMask = m_Volumes.Upload(problem.fixed.mask);
      comparison.movingMask = m_Volumes.Upload(problem.moving.mask);
      std::copy_n(problem.moving.goesOnBefore.begin(), 3, comparison.extended.lower);
      std::copy_n(problem.moving.goesOnBehind.begin(), 3, comparison.extended.upper);
      m_Evaluator = MakeMetricEvaluator(context, problem.shape, comparison);
    });
  }

  std::vector<MapEvaluation>
  Evaluate(const std::vector<AffineMap> & maps, bool withDerivatives = true)
  {
    std::vector<MapEvaluation> evaluations(maps.size());
    for (std::size_t i = 0; i < maps.size(); ++i)
    {
      evaluations[i].indexMap = maps[i];
    }
    RunDeviceJob(m_Context, [&] {
      m_Evaluator->Evaluate(evaluations.data(), static_cast<int>(evaluations.size()), withDerivatives);
    });
    return evaluations;
  }

private:
  Context &                        m_Context;
  UploadedVolumes                  m_Volumes;
  std::unique_ptr<MetricEvaluator> m_Evaluator;
};

/** A rotation with scales and shears that keeps the larger part of the grids on each other. No position is on an
 * edge between cells, where the interpolation has no derivative. */
AffineMap
ObliqueMap(bool is2D)
{
  AffineMap map;
  map.matrix = { 0.9317, -0.1129, 0.0713, 0.1337, 1.0411, -0.0619, -0.0213, 0.0307, 0.9719 };
  map.offset = { 0.3701937, -1.2137173, 0.8311713 };
  if (is2D)
  {
    map.matrix = { 0.9317, -0.1129, 0.0, 0.1337, 1.0411, 0.0, 0.0, 0.0, 1.0 };
    map.offset[2] = 0.0;
  }
  return map;
}

void
ExpectValue(const Problem & problem, const MapEvaluation & evaluation)
{
  const std::vector<std::size_t> voxels =
    reference::VoxelsThatTakePart(problem.fixed, problem.moving, evaluation.indexMap);
  EXPECT_EQ(evaluation.count, static_cast<std::int64_t>(voxels.size()));
  const double expected = problem.metric(problem.fixed, problem.moving, evaluation.indexMap, voxels);
  // Samples and weights have the rounding of float, 1e-7 of up to 64 bins. A GPU rounds intensities of the moving image
  // to 1/1024 of a bin, half of which, over the square root of the number of voxels, a thousand or more, is 2e-5.
  EXPECT_NEAR(evaluation.value, expected, 5e-5 * std::max(1.0, std::abs(expected)));
}

void
ExpectDerivatives(const Problem & problem, const MapEvaluation & evaluation)
{
  const std::array<double, 12> expected = reference::Differentiate(
    problem.metric, problem.fixed, problem.moving, [](const AffineMap & map) { return map; }, evaluation.indexMap);
  double largest = 0.0;
  for (const double derivative : expected)
  {
    largest = std::max(largest, std::abs(derivative));
  }
  for (int entry = 0; entry < 12; ++entry)
  {
    const double derivative =
      entry < 9 ? evaluation.derivativeByMatrix[entry] : evaluation.derivativeByOffset[entry - 9];
    // Differences of values of float, and a finite difference of 1e-7 of sums that are rounded at 1e-14. On a GPU,
    // weights of windows and intensities of the moving image are rounded to 1e-4 of a bin or so: where there are fewer
    // voxels than bins of the joint histogram, the logarithms of single weights count.
    EXPECT_NEAR(derivative, expected[entry], 5e-3 * largest) << "entry " << entry;
  }
}

class MetricEvaluators : public DeviceTest
{};

TEST_P(MetricEvaluators, MatchTheReference)
{
  const std::array<int, 3> sizes[][2] = { { { 37, 21, 9 }, { 33, 24, 12 } },
                                          { { 40, 33, 1 }, { 35, 31, 1 } },
                                          { { 300, 5, 4 }, { 280, 26, 5 } },
                                          { { 7, 60, 3 }, { 2, 70, 2 } } };
  for (const auto & size : sizes)
  {
    for (const MetricShape & shape : shapes)
    {
      for (const bool isMasked : { false, true })
      {
        SCOPED_TRACE(testing::Message() << shape.metric << " with " << shape.numberOfHistogramBins << " bins, size "
                                        << size[0][0] << ", masked " << isMasked);
        Problem problem = MakeProblem(shape, size[0], size[1]);
        if (isMasked)
        {
          AddMask(3, problem.fixed);
          AddMask(5, problem.moving);
        }
        EvaluatorOnDevice          evaluator(this->GetContext(), problem);
        const AffineMap            map = ObliqueMap(size[0][2] == 1);
        std::vector<MapEvaluation> evaluations = evaluator.Evaluate({ map });
        ExpectValue(problem, evaluations[0]);
        ExpectDerivatives(problem, evaluations[0]);
      }
    }
  }
}

TEST_P(MetricEvaluators, PositionsOnCentersAndEdges)
{
  std::vector<AffineMap> maps(5);
  maps[1].offset = { -0.5, 0.0, 0.0 }; // the first voxel is at the edge, which belongs to the grid
  maps[2].offset = { 0.5, 0.5, 0.0 };  // the last voxels are at edges that do not
  maps[3].offset = { 3.0, -2.0, 1.0 };
  maps[4].matrix = { 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0 };
  maps[4].offset = { 22.0, -1.0, 7.0 };
  for (const MetricShape & shape : shapes)
  {
    const Problem     problem = MakeProblem(shape, { 24, 22, 8 }, { 24, 22, 8 });
    EvaluatorOnDevice evaluator(this->GetContext(), problem);
    for (const MapEvaluation & evaluation : evaluator.Evaluate(maps))
    {
      SCOPED_TRACE(testing::Message() << shape.metric << ", offset " << evaluation.indexMap.offset[0]);
      ExpectValue(problem, evaluation);
    }
  }
}

TEST_P(MetricEvaluators, SeeWhatGoesOnBeyondTheGrid)
{
  using Sides = std::array<bool, 3>;
  const Sides              sides[][2] = { { { true, false, false }, {} },
                                          { {}, { false, true, false } },
                                          { { false, false, true }, { true, false, true } },
                                          { { true, true, true }, { true, true, true } } };
  const std::array<int, 3> sizes[][2] = { { { 37, 21, 19 }, { 23, 24, 12 } },
                                          { { 40, 33, 1 }, { 25, 21, 1 } },
                                          { { 300, 5, 4 }, { 160, 26, 5 } } };
  for (const auto & size : sizes)
  {
    for (const MetricShape & shape : shapes)
    {
      for (const auto & goesOn : sides)
      {
        SCOPED_TRACE(testing::Message() << shape.metric << " with " << shape.numberOfHistogramBins << " bins, size "
                                        << size[0][0] << ", sides " << (&goesOn - sides));
        Problem problem = MakeProblem(shape, size[0], size[1]);
        AddMask(3, problem.fixed);
        problem.moving.goesOnBefore = goesOn[0];
        problem.moving.goesOnBehind = goesOn[1];
        std::vector<AffineMap> maps(2, ObliqueMap(size[0][2] == 1));
        maps[1].offset[0] -= 9.0;
        maps[1].offset[1] += 6.0;
        EvaluatorOnDevice evaluator(this->GetContext(), problem);
        for (const MapEvaluation & evaluation : evaluator.Evaluate(maps))
        {
          ExpectValue(problem, evaluation);
          ExpectDerivatives(problem, evaluation);
        }
      }
    }
  }
}

TEST_P(MetricEvaluators, SeeOneIntensityFarBeyondTheGrid)
{
  std::vector<AffineMap> maps(3);
  maps[0].offset = { -100.0, 0.0, 0.0 };
  maps[1].offset = { 1e300, -1e300, 1e300 };
  maps[2].matrix = { 1e6, 0.0, 0.0, 0.0, 1e6, 0.0, 0.0, 0.0, 1e6 };
  maps[2].offset = { 1e6, 1e6, 1e6 };
  for (const MetricShape & shape : shapes)
  {
    Problem problem = MakeProblem(shape, { 24, 22, 8 }, { 24, 22, 8 });
    problem.moving.goesOnBefore = problem.moving.goesOnBehind = { true, true, true };
    EvaluatorOnDevice evaluator(this->GetContext(), problem);
    for (const MapEvaluation & evaluation : evaluator.Evaluate(maps))
    {
      SCOPED_TRACE(testing::Message() << shape.metric << ", offset " << evaluation.indexMap.offset[0]);
      ExpectValue(problem, evaluation);
    }
  }
}

TEST_P(MetricEvaluators, OfVolumesThatDoNotOverlap)
{
  std::vector<AffineMap> maps(3);
  maps[0].offset = { 24.0, 0.0, 0.0 };
  maps[1].offset = { 0.0, -1e300, 0.0 };
  maps[2].matrix = { 1e300, 0.0, 0.0, 0.0, 1e300, 0.0, 0.0, 0.0, 1e300 };
  maps[2].offset = { -9.0, -9.0, -9.0 };
  for (const MetricShape & shape : shapes)
  {
    EvaluatorOnDevice evaluator(this->GetContext(), MakeProblem(shape, { 24, 22, 8 }, { 24, 22, 8 }));
    for (const MapEvaluation & evaluation : evaluator.Evaluate(maps))
    {
      EXPECT_EQ(evaluation.value, std::numeric_limits<double>::infinity());
      EXPECT_EQ(evaluation.count, 0);
      for (const double derivative : evaluation.derivativeByMatrix)
      {
        EXPECT_EQ(derivative, 0.0);
      }
    }
  }
}

TEST_P(MetricEvaluators, LeaveDerivativesThatAreNotWanted)
{
  for (const MetricShape & shape : shapes)
  {
    EvaluatorOnDevice          evaluator(this->GetContext(), MakeProblem(shape, { 24, 22, 8 }, { 24, 22, 8 }));
    std::vector<MapEvaluation> evaluations = evaluator.Evaluate({ ObliqueMap(false) }, false);
    EXPECT_EQ(evaluations[0].derivativeByMatrix[4], 0.0);
    EXPECT_EQ(evaluations[0].derivativeByOffset[1], 0.0);
    EXPECT_EQ(evaluations[0].value, evaluator.Evaluate({ ObliqueMap(false) })[0].value);
  }
}

/** Maps around ObliqueMap. */
std::vector<AffineMap>
ManyMaps(int count)
{
  std::vector<AffineMap> maps(count, ObliqueMap(false));
  for (int i = 0; i < count; ++i)
  {
    maps[i].offset[i % 3] += 0.01 * i;
    maps[i].matrix[i % 9] += 0.001 * i;
  }
  return maps;
}

void
ExpectSameBits(const std::vector<MapEvaluation> & a, const std::vector<MapEvaluation> & b)
{
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
  {
    EXPECT_EQ(a[i].value, b[i].value);
    EXPECT_EQ(a[i].count, b[i].count);
    EXPECT_EQ(std::memcmp(a[i].derivativeByMatrix, b[i].derivativeByMatrix, sizeof(a[i].derivativeByMatrix)), 0);
    EXPECT_EQ(std::memcmp(a[i].derivativeByOffset, b[i].derivativeByOffset, sizeof(a[i].derivativeByOffset)), 0);
  }
}

TEST_P(MetricEvaluators, HaveTheSameBitsAloneAndInABatch)
{
  for (const MetricShape & shape : shapes)
  {
    const Problem                    problem = MakeProblem(shape, { 61, 52, 33 }, { 58, 50, 36 });
    EvaluatorOnDevice                evaluator(this->GetContext(), problem);
    const std::vector<AffineMap>     maps = ManyMaps(70);
    const std::vector<MapEvaluation> together = evaluator.Evaluate(maps);
    ExpectSameBits(together, evaluator.Evaluate(maps));
    for (const std::size_t i : { 0U, 13U, 69U })
    {
      ExpectSameBits({ together[i] }, evaluator.Evaluate({ maps[i] }));
    }
  }
}

TEST(MetricEvaluatorsCpu, DoNotDependOnThreads)
{
  Context one(Device{}, 1);
  Context five(Device{}, 5);
  for (const MetricShape & shape : shapes)
  {
    const Problem     problem = MakeProblem(shape, { 61, 52, 33 }, { 58, 50, 36 });
    EvaluatorOnDevice alone(one, problem);
    EvaluatorOnDevice inTeam(five, problem);
    ExpectSameBits(alone.Evaluate(ManyMaps(3)), inTeam.Evaluate(ManyMaps(3)));
  }
}

TEST(MetricEvaluatorsCpu, RowsAreClippedToTheGrid)
{
  const Extent to{ 9, 7, 5 };
  const int    lengths[3] = { to.x, to.y, to.z };
  for (std::uint64_t trial = 0; trial < 2000; ++trial)
  {
    AffineMap map;
    for (int entry = 0; entry < 12; ++entry)
    {
      const double random = 2.0 * testvolumes::UniformNoise(trial, entry) - 1.0;
      // Among them numbers for which positions are exactly on edges, and rows along an axis.
      const double number = trial % 2 == 0 ? random : 0.5 * std::round(2.0 * random);
      (entry < 9 ? map.matrix[entry] : map.offset[entry - 9]) = entry < 9 ? number : 10.0 * number;
    }
    const cpu::MappedRow row = cpu::MapRow(map, 3, 4, 30, to);
    for (int x = 0; x < 30; ++x)
    {
      bool isInside = true;
      for (int axis = 0; axis < 3; ++axis)
      {
        const double * const m = map.matrix.data() + 3 * axis;
        const double         position = m[0] * x + (m[1] * 3 + (m[2] * 4 + map.offset[axis]));
        isInside = isInside && position >= -0.5 && position < lengths[axis] - 0.5;
      }
      EXPECT_EQ(x >= row.begin && x < row.end, isInside) << "trial " << trial << ", voxel " << x;
    }
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(MetricEvaluators);

} // namespace
