// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "shared/Quantile.h"
#include "shared/SlicerDescription.h"
#include "transform/MapJob.h"
#include "transform/MappedGrid.h"
#include "transform/TransformCommands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace
{

struct CompareMapsOptions
{
  MapJobOptions job;
  std::string   first;
  std::string   second;
  std::string   mask;
};

/** The distances between where two maps take the voxels of a grid; NaN where one leads to no place, and -1 outside a
 * mask. */
template <unsigned int VDimension>
std::vector<double>
DistancesOf(const SpaceMap<VDimension> &                  first,
            const SpaceMap<VDimension> &                  second,
            const itk::ImageBase<VDimension> &            grid,
            const itk::Image<unsigned char, VDimension> * mask,
            const ComputeOptions &                        compute)
{
  const auto          rowLength = static_cast<std::int64_t>(grid.GetLargestPossibleRegion().GetSize(0));
  const std::size_t   count = grid.GetLargestPossibleRegion().GetNumberOfPixels();
  std::vector<double> places(count * VDimension);
  std::vector<double> distances(count);
  cudaneuro::Context  context(compute.GetDevice().GetEngineDevice(), compute.numberOfThreads);
  ProgressBar::ExpectStages(2);
  ProgressBar bar("Comparing", compute.isQuiet);
  ForEachMappedRow<VDimension>(first, grid, context, bar, [&](std::int64_t row, const double * points) {
    std::copy_n(points, rowLength * VDimension, places.data() + row * VDimension);
  });
  ForEachMappedRow<VDimension>(second, grid, context, bar, [&](std::int64_t row, const double * points) {
    for (std::int64_t x = 0; x < rowLength; ++x)
    {
      double square = 0.0;
      for (unsigned int axis = 0; axis < VDimension; ++axis)
      {
        const double difference = points[x * VDimension + axis] - places[(row + x) * VDimension + axis];
        square += difference * difference;
      }
      const bool isOutside = mask != nullptr && mask->GetBufferPointer()[row + x] == 0;
      distances[row + x] = isOutside ? -1.0 : std::sqrt(square);
    }
  });
  return distances;
}

void
NoteDistances(Report & report, const std::vector<double> & distances)
{
  std::vector<double> sorted;
  std::size_t         lost = 0;
  double              sum = 0.0;
  double              squares = 0.0;
  for (const double distance : distances)
  {
    lost += std::isnan(distance) ? 1 : 0;
    if (distance >= 0.0)
    {
      sorted.push_back(distance);
      sum += distance;
      squares += distance * distance;
    }
  }
  if (sorted.empty())
  {
    throw UserError("no voxel is left to compare at: at " + std::to_string(lost) + " a map leads to no place");
  }
  std::sort(sorted.begin(), sorted.end());
  const auto count = static_cast<double>(sorted.size());
  report.Set("/distance_mm/mean", sum / count);
  report.Set("/distance_mm/median", QuantileOf(sorted, 0.5));
  report.Set("/distance_mm/percentile_95", QuantileOf(sorted, 0.95));
  report.Set("/distance_mm/maximum", sorted.back());
  report.Set("/distance_mm/root_mean_square", std::sqrt(squares / count));
  report.Set("/voxels", sorted.size());
  report.Set("/voxels_without_place", lost);
}

template <unsigned int VDimension>
void
CompareMaps(MapJob & job, const CompareMapsOptions & options)
{
  const MapJobOptions & common = options.job;
  const auto            first = job.Read<VDimension>({ ParseMapStep(options.first) });
  const auto            second = job.Read<VDimension>({ ParseMapStep(options.second) });
  const bool            isOfMask = common.reference.empty() && !options.mask.empty();
  const std::string     reference = isOfMask ? options.mask : common.reference;
  const bool            isOfSecond = reference.empty() && GridOfField<VDimension>(*first) == nullptr;
  const auto            grid = GridFor<VDimension>(isOfSecond ? *second : *first, reference, *common.opened);
  typename itk::Image<unsigned char, VDimension>::Pointer mask;
  if (!options.mask.empty())
  {
    mask = ReadMask<VDimension>(common.opened->Open(options.mask), *grid.grid, reference);
  }
  const auto distances = DistancesOf<VDimension>(*first, *second, *grid.grid, mask, common.compute);
  NoteDistances(job.GetReport(), distances);
  if (job.GetOutput() != nullptr)
  {
    job.GetReport().Set("/output_description", "distances in mm");
    const auto image = MakeImageOn<itk::Image<float, VDimension>>(*grid.grid);
    std::transform(distances.begin(), distances.end(), image->GetBufferPointer(), [](double distance) {
      return static_cast<float>(distance < 0.0 ? 0.0 : distance);
    });
    image->SetMetaDataDictionary(grid.metadata);
    WriteImage<float, VDimension>(*job.GetOutput(), image.GetPointer());
  }
}

} // namespace

void
AddCompareMapsCommand(CLI::App & program)
{
  const auto       options = std::make_shared<CompareMapsOptions>();
  CLI::App * const app = program.add_subcommand(
    "compare",
    "Tells how far apart two maps take the same points, in mm: mean, median, 95 percent, largest, root mean square.\n"
    "Choose it to judge a registration whose true map is known, or to see whether two say the same.");
  const char * const files = "Files";
  AddTransformFile(*app, "FIRST", options->first, "A map");
  AddTransformFile(*app, "SECOND", options->second, "The map to compare it with");
  AddFile(*app,
          "-m,--mask",
          options->mask,
          "An image on the same grid; where it is 0 voxels are excluded,\nas are those that are infinite or NaN",
          files,
          "image input");
  AddFile(*app,
          "--map",
          options->job.output,
          "Write the distance at each voxel, in mm, of float; 0 outside the\nmask",
          files,
          "image output reference=reference");
  AddMapJobOptions(
    *app,
    options->job,
    "The fixed image, at whose voxels they are compared. Default: the\ngrid of the mask, or of the first "
    "field",
    files);
  app->footer(
    "Example:\n  cudaneuro-transform compare true.nii.gz found.h5 --reference fixed.nii.gz --mask brain.nii.gz");
  DeclareResults(*app,
                 { { "mean", "/distance_mm/mean", "Mean distance, in mm" },
                   { "median", "/distance_mm/median", "Median of the distances, in mm" },
                   { "percentile_95", "/distance_mm/percentile_95", "95 percent of the distances are below, in mm" },
                   { "maximum", "/distance_mm/maximum", "Largest distance, in mm" } });
  app->callback([=] {
    if (!options->job.output.empty())
    {
      CheckOutputFormat(options->job.output);
    }
    MapJob job(options->job, { ParseMapStep(options->first), ParseMapStep(options->second) });
    job.GetFiles().AddInput(options->mask);
    Try("compare " + options->first + " with " + options->second,
        [&] { job.GetDimension() == 2 ? CompareMaps<2>(job, *options) : CompareMaps<3>(job, *options); });
    job.Finish();
  });
}
