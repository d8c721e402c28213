// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/LinearOptions.h"
#include "shared/registration/ChannelValues.h"
#include "shared/registration/MetricOption.h"

using cudaneuro::LinearRegistrationParameters;
using cudaneuro::LinearStart;
using cudaneuro::RegistrationMetric;

namespace
{

/** Returns the values of --start, the default first. */
const Choice<LinearStart> &
Starts()
{
  static const auto choice = ChoiceOf<LinearStart>({ LinearStart::CentersOfMass,
                                                     LinearStart::InitialTransform,
                                                     LinearStart::GridCenters,
                                                     LinearStart::PrincipalAxes });
  return choice;
}

const std::vector<RegistrationMetric> &
Metrics()
{
  static const std::vector<RegistrationMetric> metrics{ RegistrationMetric::MutualInformation,
                                                        RegistrationMetric::LocalCorrelation,
                                                        RegistrationMetric::MeanSquares };
  return metrics;
}

void
AddMetricOptions(CLI::App & app, LinearOptions & options, OptionModes & modes, const std::string & group)
{
  cudaneuro::LinearMetricParameters & metric = options.parameters.metric;
  using M = cudaneuro::LinearMetricParameters;
  AddMetric(app,
            &modes,
            metric,
            Metrics(),
            "What makes the images alike: the first for images of any two\n"
            "contrasts, the second where shading differs, the third for\n"
            "images of one scanner and sequence",
            group);
  AddParameter(app, &modes, metric, &M::numberOfHistogramBins, { group, "--bins" });
  AddParameter(app, &modes, metric, &M::correlationRadius, { group, "-r,--radius" });
  AddKeepOutliers(app, metric.repairOutliers, group);
  AsList(app.add_option("--intensity-quantiles,--quantiles",
                        options.quantiles,
                        "Two fractions of an image's voxels: intensities below the\n"
                        "first quantile and above the second count as the quantile, so\n"
                        "that a few bright voxels do not matter"))
    ->expected(1, 2)
    ->check(AtLeast(0))
    ->group(group);
  AddOffFlag(app,
             "--one-way",
             metric.useSymmetricMetric,
             "Compare the fixed with the moving image alone, in half the time.\n"
             "By default the images are compared both ways, so that exchanging\n"
             "them inverts the map",
             group);
  AddEnumParameter(app,
                   &modes,
                   options.parameters,
                   &LinearRegistrationParameters::voxelWeighting,
                   ChoiceOf<cudaneuro::VoxelWeighting>(),
                   { group,
                     "--voxel-weights",
                     "Which voxels count: all, those of the head and near it, or on the\n"
                     "last two levels by their depth under the surface of the head, as\n"
                     "scalp, jaw and neck would outweigh the brain. automatic: depth for\n"
                     "similarity and affine, near-head else, and uniform with metrics\n"
                     "other than mutual-information" });
  AddOffFlag(app,
             "--no-local-refinement",
             options.parameters.useLocalRefinement,
             "Leave out the refinement after the last level, by the local\n"
             "correlation of deep voxels, which maps by mutual information\n"
             "with --voxel-weighting depth have where voxels are not larger\n"
             "than 1.3 mm",
             group);
  AddOffFlag(app,
             "--overlap-only",
             metric.extendBackground,
             "Compare the images only where they overlap. By default the\n"
             "moving image goes on beyond its grid at sides where it ends\n"
             "in background",
             group);
}

} // namespace

void
AddLinearMethodOptions(CLI::App & app, LinearOptions & options, OptionModes & modes)
{
  const std::string group = "Registration";
  options.command = &app;
  AddMetricOptions(app, options, modes, group);
  AddLevelOptions(app, options.levels, "image", "", group);
  using P = LinearRegistrationParameters;
  AddParameter(app, &modes, options.parameters, &P::convergenceThreshold, { group, "--convergence" });
  for (double P::*const member : { &P::minimumOverlap, &P::maximumScale, &P::maximumShear, &P::maximumRotation })
  {
    AddParameter(app, &modes, options.parameters, member, { group });
  }
}

void
AddLinearChannels(CLI::App & app, LinearOptions & options, const RegisterOptions & files, OptionModes & modes)
{
  AddChannelOptions(app, options.channels, files, Metrics(), modes);
}

void
AddStartOptions(CLI::App &                                 app,
                LinearOptions &                            options,
                LinearTransformType                        type,
                const char *                               group,
                const std::function<void(CLI::Option *)> & addMode)
{
  const auto add = [&](CLI::Option * option) {
    option->group(group);
    if (addMode)
    {
      addMode(option);
    }
  };
  add(AddChoice(app,
                "--start",
                options.start,
                Starts().GetNames(),
                "Where to start: with the centers of mass at one point; at the\n"
                "initial transform, or the identity; with the centers of the\n"
                "grids at one point; with the principal axes of the intensities\n"
                "on each other. The first and the third follow an initial\n"
                "transform",
                "initial-transform where one is given, else\ncenters-of-mass"));
  if (type != LinearTransformType::Translation)
  {
    add(AddParameter(app,
                     nullptr,
                     options.parameters,
                     &LinearRegistrationParameters::searchAngle,
                     { group,
                       "",
                       "Try rotations of the start by up to this angle first, in\n"
                       "degrees; 180 tries all, for scans whose position is unknown;\n"
                       "0 none" }));
  }
  add(AddParameter(app, nullptr, options.parameters, &LinearRegistrationParameters::searchDistance, { group }));
  add(app.add_flag("--require-success",
                   options.isSuccessRequired,
                   "End with exit status 1 where the quality of the result tells\n"
                   "that nothing was found, rather than with a warning; outputs\n"
                   "have the best that was found"));
}

namespace
{

/** Sets the channels of a run in the parameters. */
void
SetChannels(const ChannelOptions &         options,
            std::size_t                    numberOfFurtherChannels,
            LinearRegistrationParameters & parameters)
{
  const cudaneuro::LinearMetricParameters & metric = parameters.metric;
  parameters.channelWeight = ChannelWeights(options, numberOfFurtherChannels).front();
  parameters.furtherChannels =
    FurtherChannels(options,
                    numberOfFurtherChannels,
                    { 1.0, metric.metric, metric.correlationRadius, metric.numberOfHistogramBins, false });
}

/** Reports the options that have an effect. */
void
Note(const LinearOptions &                options,
     const LinearRegistrationParameters & parameters,
     Report &                             report,
     const std::string &                  where)
{
  const CLI::App & command = *options.command;
  NoteParameters(report, where, command, parameters.metric);
  NoteParameters(report, where, command, parameters);
  const auto note = [&](const char * name, const auto & value) { NoteOption(report, where, command, name, value); };
  note("--intensity-quantiles", options.quantiles);
  note("--keep-outliers", !parameters.metric.repairOutliers);
  note("--one-way", !parameters.metric.useSymmetricMetric);
  note("--overlap-only", !parameters.metric.extendBackground);
  note("--no-local-refinement", !parameters.useLocalRefinement);
  NoteChannels(report, where, command, parameters.channelWeight, parameters.furtherChannels);
  options.levels.Note(report, where, command);
}

} // namespace

template <unsigned int VDimension>
typename LinearFilter<VDimension>::Pointer
MakeLinearFilter(const LinearOptions &   options,
                 LinearTransformType     type,
                 const RegisterOptions & files,
                 RegisterReport &        report,
                 const std::string &     where)
{
  const bool        hasInitialTransform = !files.initialTransforms.empty();
  const std::string start = !options.start.empty() ? options.start
                            : hasInitialTransform  ? "initial-transform"
                                                   : "centers-of-mass";
  if (hasInitialTransform && start == "principal-axes")
  {
    throw UserError("--start principal-axes does not use --initial-transform: leave one of them out");
  }
  if (options.quantiles.size() != 2)
  {
    throw UserError("--intensity-quantiles has " + std::to_string(options.quantiles.size()) + " values; it needs 2");
  }
  const auto                   filter = LinearFilter<VDimension>::New();
  LinearRegistrationParameters parameters = options.parameters;
  parameters.transformType = type;
  parameters.start = Starts().GetValue(start);
  parameters.metric.intensityQuantiles = { options.quantiles.front(), options.quantiles.back() };
  SetChannels(options.channels, files.channels.size(), parameters);
  filter->SetParameters(parameters);
  SetLevels(options.levels, *filter);
  Note(options, parameters, report, where);
  return filter;
}

#define INSTANTIATE(VDimension) \
  template LinearFilter<VDimension>::Pointer MakeLinearFilter<VDimension>( \
    const LinearOptions &, LinearTransformType, const RegisterOptions &, RegisterReport &, const std::string &)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
