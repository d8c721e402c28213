// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef MetricEvaluatorTestCases_h
#define MetricEvaluatorTestCases_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "UploadedVolumes.h"
#include "jobs/DeviceJob.h"
#include "metrics/MetricEvaluator.h"
#include "metrics/ReferenceMetric.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

/** Problems of the metrics of two images, their evaluators on a device, and maps at which these are evaluated. */
namespace metricevaluators
{

using namespace cudaneuro;
using reference::ImageOnGrid;

/** Smooth waves and some noise, in float as the evaluators read it. */
inline ImageOnGrid
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

inline void
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

inline Problem
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

inline const MetricShape shapes[] = { { RegistrationMetric::MeanSquares },
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
inline AffineMap
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

/** Maps around ObliqueMap. */
inline std::vector<AffineMap>
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

inline void
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

} // namespace metricevaluators

#endif
