// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformableOptions.h"

#include "itkCudaNeuroUpdateSmoothing.h"
#include "shared/SlicerDescription.h"

namespace
{

void
AddOutputOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  RegisterOptions &  files = options.files;
  const char * const group = groupOfOutputs;
  AddCommonOutputs(app, files, modes);
  AddFile(
    app,
    "--output-field",
    files.outputField,
    "Displacements in mm, from fixed to moving, LPS; alignment and\ninitial transform, which follow, are not in them",
    group,
    "transform output type=nonlinear fileExtensions=.nrrd");
  AddFile(app,
          "--output-inverse-field",
          files.outputInverseField,
          "Those of the inverse map",
          group,
          "transform output type=nonlinear fileExtensions=.nrrd");
  AddFile(app,
          "--output-jacobian",
          files.outputJacobian,
          "Jacobian determinant of the map, without unit",
          group,
          "image output reference=fixed");
  AddFile(app,
          "--output-transform",
          files.outputTransform,
          "Composite transform of the alignment or the initial transform\n"
          "and the displacements: .h5, or .tfm or .txt, which are large",
          group,
          "transform output reference=moving");
  modes.Add(AddFile(app,
                    "--output-alignment",
                    files.outputAlignment,
                    "The linear transform of the alignment alone: .tfm, .txt, .h5, or\n.mat as ANTs has it",
                    group,
                    "transform output type=linear"),
            "--align rigid or affine",
            [&options] { return options.GetAlign() != "none"; });
}

void
AddAlignmentOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  const char * const group = "Alignment, before the deformation";
  AddAlign(app,
           options.align,
           "Find the linear map by mutual information first. none is for\n"
           "images that lie on each other already",
           "affine; none where an initial transform or an\ninitial field is given",
           group);
  AddStartOptions(app, options.alignment, LinearTransformType::Affine, group, [&](CLI::Option * option) {
    modes.Add(option, "--align rigid or affine", [&options] { return options.GetAlign() != "none"; });
  });
}

void
AddMethodOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  const std::string group = "Registration";
  AddFluidMetric(app,
                 options.fluid,
                 { "mean-squares", "local-correlation", "mutual-information" },
                 "What makes the images alike: the first for images of one\n"
                 "scanner and sequence, the second where contrast or shading\n"
                 "differ, the third for images of any two contrasts",
                 modes,
                 group);
  AddHistogramBins(app, options.fluid.metric, modes, group);
  modes.Add(app
              .add_flag("--match-intensities",
                        options.matchIntensities,
                        "First map the moving image's intensities to the fixed\nimage's by their quantiles")
              ->group(group),
            "--metric",
            options.fluid.metric.name,
            "mean-squares");
  AddFluidSteps(
    app,
    options.fluid,
    { "image", "", "End a level when the energy falls by less than this fraction\nin 10 iterations; 0 runs all" },
    group);
  app
    .add_option("--minimum-jacobian",
                options.minimumJacobian,
                "Bound of the map's Jacobian determinant, without unit, up to\n"
                "0.5, kept by moving less where it is near")
    ->check(AtLeast(0).description("[0,0.5]"))
    ->option_text("X")
    ->group(group);
}

} // namespace

std::string
DeformableOptions::GetAlignOf(const RegisterOptions & pair) const
{
  const bool isGiven = !pair.initialTransforms.empty() || !pair.initialField.empty();
  return !align.empty() ? align : isGiven ? "none" : "affine";
}

void
AddDeformableOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  AddOutputOptions(app, options, modes);
  AddCommonInputs(app,
                  options.files,
                  modes,
                  "an affine or composite transform\n(.h5, .tfm, .txt, .mat), or an image of displacements");
  AddFile(app,
          "--initial-field",
          options.files.initialField,
          "Displacements in mm to start from, on the fixed image's grid",
          groupOfInputs,
          "transform input type=nonlinear fileExtensions=.nrrd");
  AddPairOptions(app, options.files, modes);
  AddAlignmentOptions(app, options, modes);
  AddMethodOptions(app, options, modes);
  AddComputeOptions(app, options.files.compute);
  DeclareResults(app,
                 { { "energy", "/energy/final", "What was minimized, at the end" },
                   { "smallest_jacobian", "/jacobian/minimum", "Smallest Jacobian determinant of the map" },
                   { "largest_jacobian", "/jacobian/maximum", "Largest Jacobian determinant of the map" } });
}

void
AddLambda(CLI::App & app, double & lambda, const std::string & group)
{
  app.add_option("--lambda", lambda, "Weight of the term against bias, in units of the metric; 0 leaves\nit out")
    ->check(AtLeast(0))
    ->option_text("X")
    ->group(group);
}

void
SigmaOptions::CheckLevels(const LevelOptions & levels) const
{
  const std::size_t count = levels.GetNumberOfLevels();
  if (!perLevel.empty() && perLevel.size() != count)
  {
    throw UserError("--sigma-per-level has " + std::to_string(perLevel.size()) + " values; " + std::to_string(count) +
                    " levels need " + std::to_string(count));
  }
}

void
SigmaOptions::Note(RegisterReport & report, const LevelOptions & levels) const
{
  if (!ofAxes.empty())
  {
    report.Set("/parameters/sigma", ofAxes);
    return;
  }
  report.Set("/parameters/sigma_per_level",
             perLevel.empty() ? itk::CudaNeuroDetail::UsualUpdateSigmas(levels.GetNumberOfLevels()) : perLevel);
}

std::array<CLI::Option *, 2>
AddSigma(CLI::App & app, SigmaOptions & options, const std::string & group)
{
  CLI::Option * const ofAxes = AddAxisValues(app,
                                             "--sigma",
                                             options.ofAxes,
                                             "Standard deviation of the Gaussian that makes a velocity of\n"
                                             "the force, in voxels of a level, one value or one an axis,\n"
                                             "the same on all levels");
  CLI::Option * const perLevel = AddAxisValues(app,
                                               "--sigma-per-level",
                                               options.perLevel,
                                               "The same in voxels, one value a level, coarsest first.\n"
                                               "Default: 4,3,2,1.5 on four levels");
  ofAxes->check(Positive())->group(group);
  perLevel->check(Positive())->excludes(ofAxes)->group(group);
  return { ofAxes, perLevel };
}

template <unsigned int VDimension>
void
Configure(const DeformableOptions & options, RegisterJob & job, DeformableFilter<VDimension> & filter)
{
  RegisterReport & report = job.GetReport();
  if (options.GetAlign() != "none" && !options.files.initialField.empty())
  {
    throw UserError("--initial-field starts from a map that is aligned already: it goes with --align none");
  }
  if (options.GetAlign() == "none" && job.Has("alignment"))
  {
    // Of a pair in a list, which has an initial map where others may have none.
    throw UserError(options.files.moving + " is not aligned where an initial map is given, and --output-alignment " +
                    "has nothing to write: --align rigid or affine aligns it from there");
  }
  report.Set("/parameters/align", options.GetAlign());
  const FluidOptions & fluid = options.fluid;
  filter.SetMetric(fluid.metric.Get());
  filter.SetCorrelationRadius(fluid.metric.correlationRadius);
  filter.SetNumberOfHistogramBins(fluid.metric.bins);
  fluid.metric.Note(report, "/parameters");
  filter.SetRepairOutliers(!fluid.metric.keepOutliers);
  filter.SetMatchIntensities(options.matchIntensities);
  report.Set("/parameters/match_intensities", options.matchIntensities);
  SetLevels(fluid.levels, filter);
  report.Set("/parameters/levels", fluid.levels.GetNumberOfLevels());
  report.Set("/parameters/iterations", fluid.levels.iterations);
  filter.SetMaximumStep(fluid.step);
  filter.SetConvergenceThreshold(fluid.convergence);
  filter.SetStandardDeviations(
    AxisValues<typename DeformableFilter<VDimension>::StandardDeviationsType>(fluid.fieldSigma, "--field-sigma"));
  fluid.NoteSteps(report);
  filter.SetJacobianBound(options.minimumJacobian);
  report.Set("/parameters/minimum_jacobian", options.minimumJacobian);
  filter.SetComputeWarped(job.Has("warped"));
  filter.SetInterpolation(InterpolationOf(options.files));
  filter.SetEdgePaddingValue(static_cast<float>(options.files.outside));
  filter.SetComputeInverse(job.Has("inverse_field"));
  filter.SetComputeJacobian(job.Has("jacobian"));
}

template void
Configure<2>(const DeformableOptions &, RegisterJob &, DeformableFilter<2> &);
template void
Configure<3>(const DeformableOptions &, RegisterJob &, DeformableFilter<3> &);
