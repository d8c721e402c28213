// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceLabelTerm.h"
#include "ForEachVoxel.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace reference
{

namespace
{

/** A voxel that is seen from a position: its label, its weight and the derivatives of that by the position. */
struct Corner
{
  int                   label;
  double                weight;
  std::array<double, 3> slope;
};

/** The voxel of lower coordinates of a position's cell along one axis, and the position in the cell. */
std::pair<int, double>
LowerOf(double position, int length)
{
  const int lower = std::max(0, std::min(static_cast<int>(std::floor(position)), length - 2));
  return { lower, position - lower };
}

/** The corners of the cell around a position; none where it is outside the grid or one of them has no label. */
std::vector<Corner>
CornersAt(const LabelProblem & problem, const std::vector<std::uint16_t> & labels, const std::array<double, 3> & p)
{
  std::array<int, 3>    lower{};
  std::array<double, 3> fraction{};
  for (int axis = 0; axis < 3; ++axis)
  {
    if (!(p[axis] >= 0.0 && p[axis] <= problem.size[axis] - 1))
    {
      return {};
    }
    std::tie(lower[axis], fraction[axis]) = LowerOf(p[axis], problem.size[axis]);
  }
  std::vector<Corner> corners;
  for (int corner = 0; corner < 8; ++corner)
  {
    const std::array<int, 3> bit{ corner & 1, corner >> 1 & 1, corner >> 2 & 1 };
    std::array<double, 3>    along{};
    std::array<int, 3>       voxel{};
    bool                     exists = true;
    for (int axis = 0; axis < 3; ++axis)
    {
      exists = exists && (bit[axis] == 0 || problem.size[axis] > 1);
      voxel[axis] = lower[axis] + bit[axis];
      along[axis] = bit[axis] == 1 ? fraction[axis] : 1.0 - fraction[axis];
    }
    if (!exists)
    {
      continue;
    }
    Corner found{
      labels[static_cast<std::size_t>((voxel[2] * problem.size[1] + voxel[1]) * problem.size[0] + voxel[0])],
      along[0] * along[1] * along[2],
      {}
    };
    for (int axis = 0; axis < 3; ++axis)
    {
      const double sign = problem.size[axis] == 1 ? 0.0 : (bit[axis] == 1 ? 1.0 : -1.0);
      found.slope[axis] = sign * along[(axis + 1) % 3] * along[(axis + 2) % 3];
    }
    if (found.label == unlabeled)
    {
      return {};
    }
    corners.push_back(found);
  }
  return corners;
}

/** What is seen of both maps from one voxel. */
struct VoxelView
{
  std::vector<Corner>   moving;
  std::vector<Corner>   fixed;
  std::map<int, double> difference; // of the indicators of each label

  VoxelView(const LabelProblem & problem, const std::array<int, 3> & voxel, std::size_t i)
  {
    const auto at = [&](const std::array<std::vector<double>, 3> & displacement) {
      return std::array<double, 3>{ voxel[0] + displacement[0][i],
                                    voxel[1] + displacement[1][i],
                                    voxel[2] + displacement[2][i] };
    };
    moving = CornersAt(problem, problem.moving, at(problem.toMoving));
    if (problem.IsSymmetric())
    {
      fixed = CornersAt(problem, problem.fixed, at(problem.toFixed));
    }
    else if (problem.fixed[i] != unlabeled)
    {
      fixed.push_back({ problem.fixed[i], 1.0, {} });
    }
    if (moving.empty() || fixed.empty())
    {
      moving.clear();
      fixed.clear();
    }
    for (const Corner & corner : moving)
    {
      difference[corner.label] += corner.weight;
    }
    for (const Corner & corner : fixed)
    {
      difference[corner.label] -= corner.weight;
    }
  }
};

double
WeightOf(const LabelProblem & problem, int label)
{
  const auto code = static_cast<std::size_t>(label);
  return code < problem.weights.size() ? problem.weights[code] : problem.beyond;
}

template <typename TBody>
void
ForEachVoxel(const LabelProblem & problem, const TBody & body)
{
  ::ForEachVoxel(problem.size, [&](int x, int y, int z, std::size_t i) {
    body(VoxelView(problem, { x, y, z }, i), i);
  });
}

} // namespace

double
LabelEnergy(const LabelProblem & problem)
{
  double energy = 0.0;
  ForEachVoxel(problem, [&](const VoxelView & view, std::size_t) {
    for (const auto & [label, difference] : view.difference)
    {
      energy += 0.5 * WeightOf(problem, label) * difference * difference;
    }
  });
  return energy;
}

std::array<LabelForces, 2>
LabelDerivatives(const LabelProblem & problem)
{
  std::array<LabelForces, 2> forces;
  for (LabelForces & ofMap : forces)
  {
    ofMap.fill(std::vector<double>(problem.moving.size(), 0.0));
  }
  ForEachVoxel(problem, [&](const VoxelView & view, std::size_t i) {
    const auto add = [&](const std::vector<Corner> & corners, double sign, LabelForces & force) {
      for (const Corner & corner : corners)
      {
        const double slope = sign * WeightOf(problem, corner.label) * view.difference.at(corner.label);
        for (int axis = 0; axis < 3; ++axis)
        {
          force[axis][i] += slope * corner.slope[axis];
        }
      }
    };
    add(view.moving, 1.0, forces[0]);
    add(view.fixed, -1.0, forces[1]);
  });
  return forces;
}

} // namespace reference
