// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/LocalLevel.h"

#include "cudaneuro/ImageOperations.h"
#include "images/VoxelSize.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** Half-width of the boxes, in voxels. */
constexpr int radius = 3;

/** Size of the voxels, and its maximum, as fractions of the head's scale: 1 mm and 1.3 mm for an adult's head. Boxes of
 * 2 mm voxels contain several structures each, and lose more than they gain. */
constexpr double partOfVoxel = 1.0 / 40.0;
constexpr double partOfLargestVoxel = 1.0 / 30.0;

/** The factors that yield such voxels, but at least those of the finest level. */
std::array<int, 3>
FactorsOf(const LinearRun & run, double scale)
{
  std::array<int, 3>         factors = FactorsFor(run.GetImages().GetVolumes().fixedGeometry.grid, partOfVoxel * scale);
  const std::array<int, 3> & finest = run.GetParameters().levels.back().shrinkFactors;
  std::transform(
    factors.begin(), factors.end(), finest.begin(), factors.begin(), [](int a, int b) { return std::max(a, b); });
  return factors;
}

} // namespace

std::optional<LinearLevel>
MakeLocalLevel(const LinearRun & run)
{
  const LinearImages & images = run.GetImages();
  const double scale = std::max(images.GetFixed().GetDepth().GetScale(), images.GetMoving().GetDepth().GetScale());
  const std::array<int, 3> factors = FactorsOf(run, scale);
  const Grid               fixedGrid = ShrunkGeometry(images.GetVolumes().fixedGeometry, factors).grid;
  const Grid &             movingGrid = images.GetVolumes().movingGeometry.grid;
  if (std::max(VoxelSide(fixedGrid), VoxelSide(movingGrid)) > partOfLargestVoxel * scale)
  {
    return {};
  }
  std::vector<LinearMetricParameters> metrics = MetricsOfChannels(run.GetParameters());
  for (LinearMetricParameters & metric : metrics)
  {
    metric.metric = RegistrationMetric::LocalCorrelation;
    metric.correlationRadius = radius;
    metric.countUncovered = false;
  }
  return MakeLinearLevel(run.GetContext(), metrics, images, factors, VoxelWeighting::Depth, LevelPart::Head);
}

} // namespace cudaneuro
