// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"
#include "itkCudaDisplacementFieldJacobianDeterminantFilter.h"
#include "shared/SlicerDescription.h"
#include "transform/MapJob.h"
#include "transform/MappedGrid.h"
#include "transform/TransformCommands.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace detail = itk::CudaNeuroDetail;

namespace
{

struct JacobianOptions
{
  MapJobOptions job;
  std::string   transform;
};

double
DeterminantOf(const cudaneuro::AffineMap & map)
{
  const auto & m = map.matrix;
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

/** The determinants on a grid. Those of linear parts that are applied last are a factor, which keeps the numbers of
 * the field small: far from the origin its vectors would be long, and lose digits. */
template <unsigned int VDimension>
typename itk::Image<float, VDimension>::Pointer
DeterminantsOf(const SpaceMap<VDimension> &       map,
               const itk::ImageBase<VDimension> & grid,
               const ComputeOptions &             compute)
{
  using FieldType = itk::Image<itk::Vector<float, VDimension>, VDimension>;
  using ImageType = itk::Image<float, VDimension>;
  detail::TransformQueue<VDimension> queue;
  detail::AppendParts<VDimension>(&map, queue);
  const double factor = DeterminantOf(detail::TakeLinearParts<VDimension>(queue));
  if (queue.empty())
  {
    const auto image = MakeImageOn<ImageType>(grid);
    image->FillBuffer(static_cast<float>(factor));
    return image;
  }
  const auto rest = SpaceMap<VDimension>::New();
  for (const auto * const part : queue)
  {
    rest->AddTransform(const_cast<itk::Transform<double, VDimension, VDimension> *>(part));
  }
  const auto filter = itk::CudaDisplacementFieldJacobianDeterminantFilter<FieldType, ImageType>::New();
  filter->SetInput(SampleMap<VDimension>(*rest, grid, compute));
  UpdateFilter(*filter, compute, "Determinants");
  const typename ImageType::Pointer image = filter->GetOutput();
  image->DisconnectPipeline();
  std::for_each_n(image->GetBufferPointer(),
                  grid.GetLargestPossibleRegion().GetNumberOfPixels(),
                  [factor](float & value) { value = static_cast<float>(factor * static_cast<double>(value)); });
  return image;
}

template <unsigned int VDimension>
void
Jacobian(MapJob & job, const MapStep & step)
{
  const auto          map = job.Read<VDimension>({ step });
  const auto          grid = GridFor<VDimension>(*map, job.GetOptions().reference, *job.GetOptions().opened);
  const auto          image = DeterminantsOf<VDimension>(*map, *grid.grid, job.GetOptions().compute);
  double              minimum = std::numeric_limits<double>::infinity();
  double              maximum = -minimum;
  std::size_t         folds = 0;
  const std::size_t   count = image->GetLargestPossibleRegion().GetNumberOfPixels();
  const float * const values = image->GetBufferPointer();
  for (std::size_t i = 0; i < count; ++i)
  {
    folds += values[i] > 0.0f ? 0 : 1;
    if (!std::isnan(values[i]))
    {
      minimum = std::min(minimum, static_cast<double>(values[i]));
      maximum = std::max(maximum, static_cast<double>(values[i]));
    }
  }
  if (minimum > maximum)
  {
    throw UserError("no determinant is a number");
  }
  Report & report = job.GetReport();
  report.Set("/jacobian/minimum", minimum);
  report.Set("/jacobian/maximum", maximum);
  report.Set("/jacobian/folded_voxels", folds);
  report.Set("/jacobian/voxels", count);
  if (job.GetOutput() != nullptr)
  {
    report.Set("/output_description", "Jacobian determinants");
    image->SetMetaDataDictionary(grid.metadata);
    WriteImage<float, VDimension>(*job.GetOutput(), image.GetPointer());
  }
}

} // namespace

void
AddJacobianCommand(CLI::App & program)
{
  const auto       options = std::make_shared<JacobianOptions>();
  CLI::App * const app = program.add_subcommand(
    "jacobian",
    "Tells how a map changes volumes: the Jacobian determinants at the voxels of a grid, their range, and where it "
    "folds.\nA determinant is how much larger the moving image is there than the fixed one; 0 or less is a fold.\n"
    "Choose it to check a map, or to see where a brain grew.");
  const char * const files = "Files";
  AddTransformFile(*app, "TRANSFORM", options->transform, "The map");
  AddFile(*app,
          "-o,--output",
          options->job.output,
          "Write the determinant of each voxel, of float",
          files,
          "image output reference=reference");
  AddMapJobOptions(*app,
                   options->job,
                   "The fixed image, on whose grid determinants are computed.\nDefault: that of the field, where it is "
                   "one",
                   files);
  app->footer("Example:\n  cudaneuro-transform jacobian map.h5 --reference fixed.nii.gz --output jacobian.nii.gz");
  DeclareResults(*app,
                 { { "minimum", "/jacobian/minimum", "Smallest determinant" },
                   { "maximum", "/jacobian/maximum", "Largest determinant" },
                   { "folded_voxels", "/jacobian/folded_voxels", "Voxels whose determinant is not above 0" } });
  app->callback([=] {
    if (!options->job.output.empty())
    {
      CheckOutputFormat(options->job.output);
    }
    const MapStep step = ParseMapStep(options->transform);
    MapJob        job(options->job, { step });
    Try("measure " + options->transform,
        [&] { job.GetDimension() == 2 ? Jacobian<2>(job, step) : Jacobian<3>(job, step); });
    job.Finish();
  });
}
