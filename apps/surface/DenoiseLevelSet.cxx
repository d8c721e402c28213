// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroDetail.h"
#include "surface/SurfaceMethods.h"
#include "surface/SurfaceReport.h"

#include <algorithm>
#include <sstream>

using itk::CudaNeuroDetail::GridOf;
using itk::CudaNeuroDetail::VolumeOf;

namespace
{

bool
HasSurface(const cudaneuro::SignedDistanceImage & distance)
{
  const float * const begin = distance.GetBufferPointer();
  const auto [lowest, highest] =
    std::minmax_element(begin, begin + distance.GetLargestPossibleRegion().GetNumberOfPixels());
  return *lowest < 0.0f && *highest > 0.0f;
}

cudaneuro::NonLocalMeansLevelSetResult
DenoiseDistance(cudaneuro::Context & context, const SurfaceOptions & options, const SurfaceItem & item)
{
  const cudaneuro::Volume      volume = VolumeOf(item.distance.GetPointer());
  const cudaneuro::Grid        grid = GridOf<3>(item.distance.GetPointer());
  const cudaneuro::ConstVolume mask =
    item.mask.IsNull() ? cudaneuro::ConstVolume{} : VolumeOf(static_cast<const ByteImage *>(item.mask.GetPointer()));
  auto parameters = options.levelSet;
  if (options.GetKind() == SurfaceKind::Labels && parameters.similarityScale == 0.0)
  {
    parameters.similarityScale = cudaneuro::RecommendedLabelSimilarityScale(grid, parameters.patchSize);
  }
  return cudaneuro::NonLocalMeansLevelSet(
    context, parameters, grid, { volume.data, volume.type, volume.space }, mask, volume);
}

void
WarnOf(const SurfaceOptions & options, const cudaneuro::NonLocalMeansLevelSetResult & result)
{
  // Central differences of a distance have a norm below 1 only at edges, and never far above 1.
  if (options.isDistance && (result.lowGradientNorm < 0.5 || result.highGradientNorm > 2.0))
  {
    std::ostringstream text;
    text << options.input << " is no signed distance near its surface: the norm of its gradient is from "
         << result.lowGradientNorm << " to " << result.highGradientNorm << " (5 and 95 %), and should be 1";
    PrintWarning(text.str());
  }
}

Report::Json
Describe(const SurfaceItem & item, const cudaneuro::NonLocalMeansLevelSetResult & result)
{
  Report::Json json;
  const auto   size = item.distance->GetLargestPossibleRegion().GetSize();
  const auto   spacing = item.distance->GetSpacing();
  json["grid_voxels"] = { size[0], size[1], size[2] };
  json["grid_spacing_mm"] = { spacing[0], spacing[1], spacing[2] };
  json["ambiguous_voxels"] = item.grid.ambiguousVoxels;
  json["band_voxels"] = result.bandVoxels;
  json["band_width_mm"] = result.bandWidth;
  json["spatial_scale_mm2"] = result.spatialScale;
  json["similarity_scale_mm2"] = result.similarityScale;
  json["time_step"] = result.timeStep;
  json["gradient_norm_percentile_5"] = result.lowGradientNorm;
  json["gradient_norm_percentile_95"] = result.highGradientNorm;
  json["volume_offset_mm"] = result.volumeOffset;
  return json;
}

DenoisedSurface
Denoise(cudaneuro::Context &   context,
        const SurfaceOptions & options,
        const SurfaceInput &   input,
        std::size_t            item,
        PartSeconds &          seconds)
{
  cudaneuro::Context::ProgressSteps progress(context);
  DenoisedSurface                   surface;
  progress.UpTo(0.25);
  const Stopwatch   measuring;
  const SurfaceItem made = input.MakeItem(context, item);
  surface.before = made.before;
  surface.distance = made.distance;
  seconds.Add("distance", measuring);

  progress.UpTo(0.95);
  const Stopwatch denoising;
  context.ResetStatistics();
  const auto result = DenoiseDistance(context, options, made);
  seconds.Add("denoising", denoising);
  seconds.AddDevice(context);
  WarnOf(options, result);
  surface.found = Describe(made, result);

  progress.UpTo(1.0);
  if (!HasSurface(*made.distance))
  {
    PrintWarning("nothing is left of " + input.GetNameOf(item));
    return surface;
  }
  const Stopwatch finding;
  const bool      isSurface = options.GetKind() == SurfaceKind::Surface;
  surface.after = cudaneuro::SignedDistanceToSurface(
    context, made.distance, isSurface ? made.before.Get() : nullptr, options.GetContouring());
  if (isSurface)
  {
    surface.after->SetFieldData(made.before->GetFieldData());
  }
  // The zero level may leave the image.
  surface.isClosed = AreClosed(surface.before, surface.after);
  seconds.Add("surface", finding);
  return surface;
}

void
Note(const SurfaceOptions & options, Report & report)
{
  const auto & levelSet = options.levelSet;
  report.Set("/method", "non-local-means-level-set");
  report.Set("/parameters/patch_size", levelSet.patchSize);
  report.Set("/parameters/neighbors", levelSet.numberOfNeighbors);
  report.Set("/parameters/iterations", levelSet.numberOfIterations);
  report.Set("/parameters/passes", levelSet.numberOfPasses);
  report.Set("/parameters/reinitialize", levelSet.reinitialize);
  report.Set("/parameters/volume_correction", levelSet.volumeCorrection);
  report.Set("/parameters/keep_edges", options.keepsEdges);
}

} // namespace

SurfaceMethodFunctions
LevelSetFunctions()
{
  return { Denoise, Note };
}
