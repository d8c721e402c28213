// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/TrianglePairsCpu.h"

#include "core/IntegerMath.h"
#include "meshes/CellListsCpu.h"

#include <algorithm>

namespace cudaneuro::cpu
{
void
TrianglePairs::Find(Context & context, const std::vector<float> & centers, float radius)
{
  const CellLists cells(centers, radius);
  const auto      count = static_cast<std::int64_t>(centers.size() / 3);
  m_Tasks.assign(static_cast<std::size_t>(DivideUp(count, trianglesPerTask)), Task());
  context.ParallelFor(this->NumberOfTasks(), [&](std::int64_t number) {
    Task &             task = m_Tasks[number];
    const std::int64_t end = std::min((number + 1) * trianglesPerTask, count);
    for (std::int64_t i = number * trianglesPerTask; i < end; ++i)
    {
      const Vector3 center = At(centers, i);
      const auto    first = static_cast<std::int64_t>(task.neighbors.size());
      std::int64_t  found = mostNeighbors + 1;
      float         squared = radius * radius;
      for (int attempt = 0; attempt < mostAttempts && found > mostNeighbors; ++attempt)
      {
        task.neighbors.resize(static_cast<std::size_t>(first));
        found = 0;
        cells.ForEachNear(centers, center, squared, [&](std::int32_t other) {
          task.neighbors.push_back(other);
          return ++found <= mostNeighbors;
        });
        squared *= shrinkage;
      }
      found = std::min<std::int64_t>(found, mostNeighbors);
      task.neighbors.resize(static_cast<std::size_t>(first + found));
      task.first.push_back(first);
      task.count.push_back(static_cast<std::int32_t>(found));
    }
    task.exponents.resize(task.neighbors.size());
  });
}

void
TrianglePairs::Weigh(Context & context, const std::vector<float> & centers, const NormalScale & scale)
{
  const float squaredRadius = scale.radius * scale.radius;
  context.ParallelFor(this->NumberOfTasks(), [&](std::int64_t number) {
    Task & task = m_Tasks[number];
    for (std::size_t row = 0; row < task.first.size(); ++row)
    {
      const Vector3 center = At(centers, number * trianglesPerTask + static_cast<std::int64_t>(row));
      std::int64_t  kept = task.first[row];
      for (std::int64_t i = kept; i < task.first[row] + task.count[row]; ++i)
      {
        const std::int32_t other = task.neighbors[i];
        const float        squared = SquaredDistance(center, At(centers, other));
        if (squared <= squaredRadius)
        {
          task.neighbors[kept] = other;
          task.exponents[kept++] = CenterExponent(scale, squared);
        }
      }
      task.count[row] = static_cast<std::int32_t>(kept - task.first[row]);
    }
  });
}

} // namespace cudaneuro::cpu
