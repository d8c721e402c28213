// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/VtkSurface.h"

#include <type_traits>

namespace cudaneuro
{

namespace
{

Grid
GridOf(const SignedDistanceImage * image)
{
  Grid grid;
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    grid.size[axis] = static_cast<std::int64_t>(image->GetLargestPossibleRegion().GetSize(axis));
    grid.spacing[axis] = image->GetSpacing()[axis];
  }
  return grid;
}

/** Checks the numbers of all parameters, before the distance is computed. */
void
RequireNumbers(const DenoiseSurfaceParameters & parameters)
{
  ForEachParameter(parameters, [](const auto &, const auto & part) {
    if constexpr (std::is_class_v<std::decay_t<decltype(part)>>)
    {
      ForEachParameter(part, [](const auto & parameter, const auto & value) {
        RequireInRange(parameter.name, static_cast<double>(value), parameter.range);
      });
    }
  });
}

SurfaceGridParameters
WithReach(const DenoiseSurfaceParameters & parameters, vtkPolyData * surface)
{
  SurfaceGridParameters grid = parameters.grid;
  if (grid.voxelSize == 0.0)
  {
    grid.voxelSize = RecommendedVoxelSize(surface);
  }
  if (grid.reach == 0.0)
  {
    Grid cubic;
    cubic.spacing.fill(grid.voxelSize);
    grid.reach = RecommendedReach(parameters.levelSet, cubic);
  }
  return grid;
}

} // namespace

vtkSmartPointer<vtkPolyData>
DenoiseSurface(Context &                        context,
               const DenoiseSurfaceParameters & parameters,
               vtkPolyData *                    surface,
               DenoiseSurfaceResult *           result)
{
  RequireNumbers(parameters);
  DenoiseSurfaceResult   record;
  Context::ProgressSteps progress(context);
  progress.UpTo(0.2);
  const auto   distance = SurfaceToSignedDistance(context, WithReach(parameters, surface), surface, &record.grid);
  const Volume volume{ distance->GetBufferPointer(), PixelType::Float, MemorySpace::Host };
  progress.UpTo(0.8);
  record.levelSet = NonLocalMeansLevelSet(
    context, parameters.levelSet, GridOf(distance), { volume.data, volume.type, volume.space }, {}, volume);
  progress.UpTo(1.0);
  if (result != nullptr)
  {
    *result = record;
  }
  return SignedDistanceToSurface(context, distance, surface, parameters.contouring);
}

} // namespace cudaneuro
