// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_labels_levels_LabelPilot_h
#define cudaneuro_labels_levels_LabelPilot_h

#include "labels/levels/LabelGrid.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cudaneuro
{

/** The Gaussian of a pilot along one axis. */
struct PilotAxis
{
  /** Weights at distances 0, 1, ... voxels of the box; their sum over both sides is 1. */
  std::vector<float> weights;

  int
  Radius() const
  {
    return static_cast<int>(weights.size()) - 1;
  }
};

/** \param sigma in units; the Gaussian is widened where gaps between voxels require it */
inline PilotAxis
MakePilotAxis(const LabelGrid & grid, std::size_t axis, double sigma)
{
  constexpr double leastOfGaps = 0.4;
  constexpr double cut = 4.0;
  const double     inVoxels = std::max(sigma / grid.spacing[axis], leastOfGaps * grid.division[axis]);
  const int        radius = static_cast<int>(std::ceil(cut * inVoxels));
  PilotAxis        result;
  double           sum = 0.0;
  for (int i = 0; i <= radius; ++i)
  {
    result.weights.push_back(static_cast<float>(std::exp(-0.5 * i * i / (inVoxels * inVoxels))));
    sum += (i == 0 ? 1.0 : 2.0) * result.weights.back();
  }
  for (float & weight : result.weights)
  {
    weight = static_cast<float>(weight / sum);
  }
  return result;
}

/** The fraction of voxels whose label a version uses, far from the label, where background continues beyond the box. */
CUDANEURO_HOST_DEVICE float
UsedShare(int version)
{
  return version == 0 ? 1.0f : 1.0f - 1.0f / numberOfParts;
}

} // namespace cudaneuro

#endif
