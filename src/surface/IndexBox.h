// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_surface_IndexBox_h
#define cudaneuro_surface_IndexBox_h

#include <algorithm>
#include <array>

namespace cudaneuro
{

/** Voxels in [begin, end) along each axis. */
struct IndexBox
{
  std::array<int, 3> begin;
  std::array<int, 3> end;
};

/** The voxels that are in both boxes. */
inline IndexBox
Intersection(const IndexBox & a, const IndexBox & b)
{
  IndexBox box = a;
  for (int axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    box.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return box;
}

} // namespace cudaneuro

#endif
