// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"
#include "files/transforms/TransformFile.h"
#include "shared/ParameterOptions.h"
#include "transform/MapInverse.h"
#include "transform/MapJob.h"
#include "transform/TransformCommands.h"

#include <algorithm>

namespace
{

struct InvertOptions
{
  MapJobOptions                  job;
  std::string                    transform;
  cudaneuro::InversionParameters parameters = InversionOfMaps();
};

/** Notes how fields were inverted, the worst of several. */
void
NoteInversions(Report & report, const std::vector<cudaneuro::InversionResult> & results)
{
  if (results.empty())
  {
    return;
  }
  const auto worst = [&](auto member) {
    const auto less = [member](const auto & a, const auto & b) { return a.*member < b.*member; };
    return (*std::max_element(results.begin(), results.end(), less)).*member;
  };
  report.Set("/inversion/iterations", worst(&cudaneuro::InversionResult::numberOfIterations));
  report.Set("/inversion/mean_residual_voxels", worst(&cudaneuro::InversionResult::meanResidual));
  report.Set("/inversion/maximum_residual_voxels", worst(&cudaneuro::InversionResult::maximumResidual));
}

template <unsigned int VDimension>
void
Invert(MapJob & job, const MapStep & step, const cudaneuro::InversionParameters & parameters)
{
  using ConstPointer = typename itk::Transform<double, VDimension, VDimension>::ConstPointer;

  const ComputeOptions &                  compute = job.GetOptions().compute;
  const std::string &                     output = job.GetOptions().output;
  const auto                              map = job.Read<VDimension>({ step });
  std::vector<cudaneuro::InversionResult> results;
  const auto                              part = WithoutComposite<VDimension>(*map);
  const auto inverse = InverseOf<VDimension>(*part, step.path, compute, parameters, &results);
  NoteInversions(job.GetReport(), results);
  if (IsImageName(output))
  {
    job.GetReport().Set("/output_description", "displacement field");
    const auto grid = GridFor<VDimension>(*inverse, job.GetOptions().reference, *job.GetOptions().opened);
    StageMapAsField<VDimension>(*job.GetOutput(), *inverse, grid, compute).Commit();
    return;
  }
  const auto affine = AsAffine<VDimension>(*inverse);
  if (affine.IsNull())
  {
    CheckTransformFormat(output);
  }
  // One part keeps its class; several linear ones become one.
  const auto one = WithoutComposite<VDimension>(*inverse);
  const bool isComposite = dynamic_cast<const SpaceMap<VDimension> *>(one.GetPointer()) != nullptr;
  const auto written = isComposite && affine.IsNotNull() ? ConstPointer(affine) : one;
  job.GetReport().Set("/output_description", written->GetNameOfClass());
  StageTransform<VDimension>(*job.GetOutput(), written).Commit();
}

} // namespace

void
AddInvertCommand(CLI::App & program)
{
  const auto       options = std::make_shared<InvertOptions>();
  CLI::App * const app = program.add_subcommand(
    "invert",
    "Inverts a transform: a linear one exactly, displacement fields by Newton's method on their own grids.\n"
    "Choose it to take what is on the fixed image back to the moving one, or points along with an image.");
  const char * const files = "Files";
  AddTransformFile(*app, "TRANSFORM", options->transform, "What to invert");
  AddMapOutput(*app, options->job);
  AddMapJobOptions(*app,
                   options->job,
                   "The moving image, whose grid an image of displacements gets.\nDefault: that of the field, where it "
                   "is one",
                   files);
  using P = cudaneuro::InversionParameters;
  AddParameter(*app,
               nullptr,
               options->parameters,
               &P::maximumNumberOfIterations,
               { "Inversion of fields", "", "Largest number of iterations at a voxel, at least 1" });
  AddParameter(*app, nullptr, options->parameters, &P::tolerance, { "Inversion of fields" });
  app->footer("Examples:\n"
              "  cudaneuro-transform invert affine.mat inverse.mat\n"
              "  cudaneuro-transform invert map.h5 field.nii.gz --reference moving.nii.gz");
  app->callback([=] {
    CheckMapFormat(options->job.output);
    const MapStep step = ParseMapStep(options->transform);
    MapJob        job(options->job, { step });
    Try("invert " + options->transform, [&] {
      job.GetDimension() == 2 ? Invert<2>(job, step, options->parameters) : Invert<3>(job, step, options->parameters);
    });
    job.Finish();
  });
}
