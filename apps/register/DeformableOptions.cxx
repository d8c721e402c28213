// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformableOptions.h"

#include "processes/DeviceList.h"
#include "itkCudaNeuroUpdateSmoothing.h"
#include "register/DeformableTerms.h"
#include "shared/ParameterOptions.h"
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
                 cudaneuro::ValuesOf<cudaneuro::RegistrationMetric>(),
                 "What makes the images alike: the first for images of one\n"
                 "scanner and sequence, the second where contrast or shading\n"
                 "differ, the third for images of any two contrasts",
                 modes,
                 group);
  using P = cudaneuro::RegistrationParameters;
  P & parameters = options.fluid.parameters;
  AddParameter(app, &modes, parameters, &P::numberOfHistogramBins, { group, "--bins" });
  AddParameter(app, &modes, parameters, &P::matchIntensities, { group });
  AddFluidSteps(app, options.fluid, modes, "image", "", group);
  AddParameter(app, &modes, parameters, &P::jacobianBound, { group, "--minimum-jacobian" });
}

} // namespace

std::string
DeformableOptions::GetAlignOf(const RegisterOptions & pair) const
{
  // The pairs of a list have images.
  const bool hasImages = HasImages(pair) || !pair.pairs.empty();
  const bool isGiven = !pair.initialTransforms.empty() || !pair.initialField.empty() || !hasImages;
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
  AddTermOptions(app, options, modes);
  AddPairOptions(app, options.files, modes);
  AddAlignmentOptions(app, options, modes);
  AddMethodOptions(app, options, modes);
  AddComputeOptions(app, options.files.compute);
  DescribeDeviceList(app);
  DeclareResults(app,
                 { { "energy", "/energy/final", "What was minimized, at the end" },
                   { "smallest_jacobian", "/jacobian/minimum", "Smallest Jacobian determinant of the map" },
                   { "largest_jacobian", "/jacobian/maximum", "Largest Jacobian determinant of the map" } });
}

void
AddUnbiasedWeight(CLI::App & app, DeformableOptions & options, const std::string & group)
{
  using P = cudaneuro::RegistrationParameters;
  AddParameter(app, nullptr, options.fluid.parameters, &P::unbiasedWeight, { group, "--lambda" });
}

void
SigmaOptions::CheckLevels(const LevelOptions & levels) const
{
  const std::size_t count = levels.GetNumberOfLevels();
  if (!perLevel.empty() && perLevel.size() != count)
  {
    throw UserError("--update-field-standard-deviations-per-level has " + std::to_string(perLevel.size()) +
                    " values; " + std::to_string(count) + " levels need " + std::to_string(count));
  }
}

void
SigmaOptions::Note(RegisterReport & report, const FluidOptions & fluid) const
{
  if (fluid.parameters.velocityMethod != cudaneuro::VelocityMethod::Gaussian)
  {
    return;
  }
  const auto note = [&](const char * name, const std::vector<double> & values) {
    NoteOption(report, "/parameters", *fluid.command, name, values);
  };
  if (!ofAxes.empty())
  {
    note("--update-field-standard-deviations", ofAxes);
    return;
  }
  const std::vector<double> usual = itk::CudaNeuroDetail::UsualUpdateSigmas(fluid.levels.GetNumberOfLevels());
  note("--update-field-standard-deviations-per-level", perLevel.empty() ? usual : perLevel);
}

std::array<CLI::Option *, 2>
AddSigma(CLI::App & app, SigmaOptions & options, const std::string & group)
{
  CLI::Option * const ofAxes = AddAxesParameter(
    app, &cudaneuro::RegistrationParameters::updateFieldStandardDeviations, options.ofAxes, { group, "--sigma" });
  CLI::Option * const perLevel = AddAxisValues(app,
                                               "--update-field-standard-deviations-per-level,--sigma-per-level",
                                               options.perLevel,
                                               "The same in voxels, one value a level, coarsest first.\n"
                                               "Default: 4,3,2,1.5 on four levels");
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
  if (options.GetAlign() != "none" && !HasImages(options.files))
  {
    throw UserError("--align " + options.GetAlign() +
                    " compares images, and there are none: --align none, and "
                    "--initial-transform where the heads do not lie on each other");
  }
  if (options.GetAlign() == "none" && job.Has("alignment"))
  {
    // Only a pair of a list gets here, because other pairs may have no initial map.
    throw UserError(options.files.moving + " is not aligned where an initial map is given, and --output-alignment " +
                    "has nothing to write: --align rigid or affine aligns it from there");
  }
  report.Set("/parameters/align", options.GetAlign());
  FluidOptions fluid = options.fluid;
  SetChannels(options, fluid.parameters);
  filter.SetParameters(fluid.parameters);
  SetLevels(fluid.levels, filter);
  filter.SetStandardDeviations(AxisValues<typename DeformableFilter<VDimension>::StandardDeviationsType>(
    fluid.standardDeviations, "--standard-deviations"));
  fluid.Note(report, UnusedOptions(options.files));
  NoteTerms(options, fluid.parameters, report);
  fluid.levels.Note(report, "/parameters", *fluid.command);
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
