// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef LabelTermCases_h
#define LabelTermCases_h

#include "ReferenceLabelTerm.h"
#include "TestVolumes.h"

/** Maps of labels that are compared. */
namespace labelterm
{

using reference::LabelProblem;

enum class Weighting
{
  /** 0 is no label, all others count alike. */
  Plain,
  /** Each label its own; some have none. */
  PerLabel
};

struct Case
{
  std::array<int, 3> size;
  bool               isSymmetric;
  Weighting          weighting;
};

/** A larger grid has several blocks of a GPU along each axis, and rows that end within a warp. */
inline std::vector<Case>
Cases()
{
  std::vector<Case> cases;
  for (const std::array<int, 3> & size :
       { std::array<int, 3>{ 5, 4, 6 }, { 2, 3, 2 }, { 6, 5, 1 }, { 7, 1, 1 }, { 70, 21, 13 } })
  {
    for (const bool isSymmetric : { false, true })
    {
      cases.push_back({ size, isSymmetric, Weighting::Plain });
      cases.push_back({ size, isSymmetric, Weighting::PerLabel });
    }
  }
  return cases;
}

/** Positions with fractions from 0.35 to 0.65, away from the kinks of the interpolation; some are outside the grid. */
inline std::array<std::vector<double>, 3>
MakeDisplacement(const std::array<int, 3> & size, std::uint64_t seed)
{
  std::array<std::vector<double>, 3> displacement;
  ForEachVoxel(size, [&](int x, int y, int z, std::size_t i) {
    const std::array<int, 3> voxel{ x, y, z };
    for (int axis = 0; axis < 3; ++axis)
    {
      const double length = 0.35 + 0.3 * testvolumes::UniformNoise(seed + axis, i);
      const double side = testvolumes::UniformNoise(seed + 3 + axis, i);
      const bool   isUp = voxel[axis] == 0 ? side < 0.9 : side < 0.4;
      displacement[axis].push_back(size[axis] == 1 ? 0.0 : (isUp ? length : -length));
    }
  });
  return displacement;
}

/** Regions of a few voxels with one of 7 labels, on small grids of one voxel, and voxels that have none. */
inline std::vector<std::uint16_t>
MakeLabels(const std::array<int, 3> & size, std::uint64_t seed)
{
  std::vector<std::uint16_t> labels;
  const double               mixed = size[0] * size[1] * size[2] < 200 ? 0.98 : 0.2;
  ForEachVoxel(size, [&](int x, int y, int z) {
    const std::uint64_t region = static_cast<std::uint64_t>(x / 3 + 100 * (y / 2) + 10000 * (z / 2));
    const double        noise = testvolumes::UniformNoise(seed + 1, labels.size());
    const double        from = noise < mixed ? noise / mixed : testvolumes::UniformNoise(seed, region);
    const auto          label = static_cast<std::uint16_t>(7.0 * from);
    labels.push_back(noise > 0.99 ? reference::unlabeled : (label == 6 ? 65533 : label));
  });
  return labels;
}

inline LabelProblem
MakeProblem(const Case & given)
{
  LabelProblem problem;
  problem.size = given.size;
  problem.moving = MakeLabels(given.size, 10);
  problem.fixed = MakeLabels(given.size, 20);
  problem.toMoving = MakeDisplacement(given.size, 30);
  if (given.isSymmetric)
  {
    problem.toFixed = MakeDisplacement(given.size, 40);
  }
  problem.weights = { 0.0 };
  problem.beyond = 1.0;
  if (given.weighting == Weighting::PerLabel)
  {
    problem.weights = { 0.25, 1.0, 0.0, 3.0, 0.5 };
    problem.beyond = 0.0;
  }
  return problem;
}

} // namespace labelterm

#endif
