// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformableOptions.h"

namespace
{

using cudaneuro::RegistrationMetric;

const Choice<RegistrationMetric> &
Metrics()
{
  static const Choice<RegistrationMetric> choice({ { "mean-squares", RegistrationMetric::MeanSquares },
                                                   { "local-correlation", RegistrationMetric::LocalCorrelation } });
  return choice;
}

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
    group);
  AddFile(app, "--output-inverse-field", files.outputInverseField, "Those of the inverse map", group);
  AddFile(app, "--output-jacobian", files.outputJacobian, "Jacobian determinant of the map, without unit", group);
  AddFile(app,
          "--output-transform",
          files.outputTransform,
          "Composite transform of the alignment or the initial transform\n"
          "and the displacements: .h5, or .tfm or .txt, which are large",
          group);
  modes.Add(AddFile(app,
                    "--output-alignment",
                    files.outputAlignment,
                    "The linear transform of the alignment alone: .tfm, .txt, .h5, or\n.mat as ANTs has it",
                    group),
            "--align rigid or affine",
            [&options] { return options.GetAlign() != "none"; });
}

void
AddAlignmentOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  const char * const group = "Alignment, before the deformation";
  options.align = "affine; none where an initial transform or an\ninitial field is given";
  AddChoice(app,
            "--align",
            options.align,
            { "affine", "rigid", "none" },
            "Find the linear map by mutual information first. none is for\n"
            "images that lie on each other already")
    ->group(group);
  options.align.clear();
  AddStartOptions(app, options.alignment, LinearTransformType::Affine, group, [&](CLI::Option * option) {
    modes.Add(option, "--align rigid or affine", [&options] { return options.GetAlign() != "none"; });
  });
}

void
AddMethodOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  const std::string group = "Registration";
  AddChoice(app,
            "--metric",
            options.metric,
            Metrics().GetNames(),
            "What makes the images alike: the first for images of one\n"
            "scanner and sequence, the second where contrast or shading\n"
            "differ")
    ->group(group);
  const auto isMetric = [&options](const char * name) { return [&options, name] { return options.metric == name; }; };
  modes.Add(app
              .add_option("-r,--radius",
                          options.correlationRadius,
                          "Half-width of the neighborhood in voxels, 1 to 8. Default: 3")
              ->check(AtLeast(1))
              ->option_text("N")
              ->group(group),
            "--metric local-correlation",
            isMetric("local-correlation"));
  modes.Add(app
              .add_flag("--match-intensities",
                        options.matchIntensities,
                        "First map the moving image's intensities to the fixed\nimage's by their quantiles")
              ->group(group),
            "--metric mean-squares",
            isMetric("mean-squares"));
  AddLevelOptions(app, options.levels, group);
  app.add_option("--step", options.step, "Voxels that the fastest voxel moves in an iteration, up to 1.\nDefault: 0.5")
    ->check(Positive())
    ->option_text("X")
    ->group(group);
  app
    .add_option(
      "--convergence",
      options.convergence,
      "End a level when the energy falls by less than this fraction\nin 10 iterations. Default: 0, which runs all")
    ->check(AtLeast(0))
    ->option_text("X")
    ->group(group);
  AddAxisValues(
    app,
    "--field-sigma",
    options.fieldSigma,
    "Standard deviation, in voxels, of a Gaussian that smooths the\ndisplacements in each iteration. Default: 0, none")
    ->check(AtLeast(0))
    ->group(group);
}

} // namespace

std::string
DeformableOptions::GetAlign() const
{
  const bool isGiven = !files.initialTransforms.empty() || !files.initialField.empty();
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
          groupOfInputs);
  AddAlignmentOptions(app, options, modes);
  AddMethodOptions(app, options, modes);
  AddComputeOptions(app, options.files.compute);
}

template <unsigned int VDimension>
void
Configure(const DeformableOptions & options, RegisterJob & job, DeformableFilter<VDimension> & filter)
{
  RegisterReport & report = job.GetReport();
  if (options.GetAlign() != "none" && !options.files.initialField.empty())
  {
    throw ProgramError("--initial-field starts from a map that is aligned already: it goes with --align none");
  }
  report.Set("/parameters/align", options.GetAlign());
  const RegistrationMetric metric = Metrics().GetValue(options.metric);
  filter.SetMetric(metric);
  report.Set("/parameters/metric", options.metric);
  if (metric == RegistrationMetric::LocalCorrelation)
  {
    filter.SetCorrelationRadius(options.correlationRadius);
    report.Set("/parameters/radius", options.correlationRadius);
  }
  filter.SetMatchIntensities(options.matchIntensities);
  report.Set("/parameters/match_intensities", options.matchIntensities);
  SetLevels(options.levels, filter);
  report.Set("/parameters/levels", static_cast<unsigned int>(options.levels.GetNumberOfLevels()));
  report.Set("/parameters/iterations", options.levels.iterations);
  filter.SetMaximumStep(options.step);
  report.Set("/parameters/step", options.step);
  filter.SetConvergenceThreshold(options.convergence);
  report.Set("/parameters/convergence", options.convergence);
  filter.SetStandardDeviations(
    AxisValues<typename DeformableFilter<VDimension>::StandardDeviationsType>(options.fieldSigma, "--field-sigma"));
  report.Set("/parameters/field_sigma", options.fieldSigma);
  filter.SetComputeWarped(job.Has("warped"));
  filter.SetComputeInverse(job.Has("inverse_field"));
  filter.SetComputeJacobian(job.Has("jacobian"));
}

template void
Configure<2>(const DeformableOptions &, RegisterJob &, DeformableFilter<2> &);
template void
Configure<3>(const DeformableOptions &, RegisterJob &, DeformableFilter<3> &);
