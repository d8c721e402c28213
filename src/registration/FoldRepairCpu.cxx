// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/ParallelRows.h"
#include "registration/FoldRepairFormulas.h"

#include <vector>

namespace cudaneuro::cpu
{

void
MarkOrigins(Context & context, const WrongVoxels & wrong)
{
  const ParallelRows                     tasks(wrong.extent);
  std::vector<std::vector<std::int64_t>> ofTasks(static_cast<std::size_t>(tasks.Count()));
  tasks.Run(context, [&](std::int64_t task, int y, int z, std::int64_t begin) {
    for (int x = 0; x < wrong.extent.x; ++x)
    {
      ForOrigins(wrong, x, y, z, begin + x, [&](std::int64_t index) {
        ofTasks[static_cast<std::size_t>(task)].push_back(index);
      });
    }
  });
  // Several tasks may find the same voxel, so that marks are written here.
  for (const std::vector<std::int64_t> & ofTask : ofTasks)
  {
    for (const std::int64_t index : ofTask)
    {
      wrong.marks[index] = 1.0f;
    }
  }
}

void
RepairComponent(Context &     context,
                std::int64_t  numberOfVoxels,
                const float * marks,
                float         scale,
                const float * smoothed,
                float *       component)
{
  constexpr std::int64_t voxelsOfTask = 65536;
  context.ParallelFor(DivideUp(numberOfVoxels, voxelsOfTask), [&](std::int64_t task) {
    const std::int64_t end = std::min(numberOfVoxels, (task + 1) * voxelsOfTask);
    for (std::int64_t i = task * voxelsOfTask; i < end; ++i)
    {
      component[i] = Repaired(marks[i], scale, smoothed[i], component[i]);
    }
  });
}

} // namespace cudaneuro::cpu
