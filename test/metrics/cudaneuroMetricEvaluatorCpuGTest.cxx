// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// The evaluators of metrics on the CPU: how they share the work among threads, and the rows of voxels that they visit.

#include "TestVolumes.h"
#include "metrics/MappedRowCpu.h"
#include "metrics/MetricEvaluatorTestCases.h"

#include <cmath>
#include <cstdint>

namespace
{

using namespace cudaneuro;
using namespace metricevaluators;

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

} // namespace
