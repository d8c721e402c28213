// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The evaluators of metrics, beside the definitions of the metrics in double precision, and what they promise of bits.

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "metrics/MetricEvaluatorTestCases.h"
#include "metrics/ReferenceMetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace
{

using namespace cudaneuro;
using namespace metricevaluators;

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

CUDANEURO_TEST_ON_ALL_DEVICES(MetricEvaluators);

} // namespace
