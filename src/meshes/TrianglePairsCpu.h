// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_TrianglePairsCpu_h
#define cudaneuro_meshes_TrianglePairsCpu_h

#include "cudaneuro/Context.h"
#include "meshes/PointGrid.h"

#include <cstdint>
#include <vector>

namespace cudaneuro::cpu
{

/** Number of triangles that a task processes. */
constexpr std::int64_t trianglesPerTask = 1024;

/** The neighbors of each triangle: the triangles whose centers are within a radius, including itself. */
class TrianglePairs
{
public:
  /** Neighbors of some consecutive triangles. */
  struct Task
  {
    /** Index of each triangle's first neighbor, and the number of its neighbors. */
    std::vector<std::int64_t> first;
    std::vector<std::int32_t> count;
    std::vector<std::int32_t> neighbors;
    std::vector<float>        exponents;
  };

  /** Finds neighbors. \p centers has three coordinates for each triangle. */
  void
  Find(Context & context, const std::vector<float> & centers, float radius);
  /** Keeps the neighbors within the scale's radius, which is not larger than the previous one, and sets the
   * CenterExponent of each. */
  void
  Weigh(Context & context, const std::vector<float> & centers, const NormalScale & scale);
  std::int64_t
  NumberOfTasks() const
  {
    return static_cast<std::int64_t>(m_Tasks.size());
  }
  const Task &
  GetTask(std::int64_t task) const
  {
    return m_Tasks[static_cast<std::size_t>(task)];
  }

private:
  std::vector<Task> m_Tasks;
};

} // namespace cudaneuro::cpu

#endif
