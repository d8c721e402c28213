// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/DeformableTerms.h"
#include "shared/registration/ChannelValues.h"
#include "shared/ParameterOptions.h"

namespace
{

void
AddLabelOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes, const std::string & group)
{
  const auto areMatched = [&options] { return options.fluid.parameters.labelWeight > 0.0; };
  // By default, labels do not pull; only their overlap is reported.
  options.fluid.parameters.labelWeight = 0.0;
  modes.Add(AddParameter(app,
                         nullptr,
                         options.fluid.parameters,
                         &cudaneuro::RegistrationParameters::labelWeight,
                         { group,
                           "",
                           "How strongly --fixed-labels and --moving-labels pull, without unit;\n"
                           "0 only tells how they overlap" }),
            "--fixed-labels",
            [&options] { return !options.files.fixedLabels.empty() || !options.files.pairs.empty(); });
  modes.Add(app
              .add_option("--weight-of-label",
                          options.weightsOfLabels,
                          "LABEL=W, a weight of one label, or others=W, that of all that are\n"
                          "not named, but 0; with weight 0 a label only tells its overlap.\n"
                          "Default: 1 each")
              ->delimiter(',')
              ->allow_extra_args(false)
              ->option_text("TEXT")
              ->group(group),
            "--label-weight above 0",
            areMatched);
}

} // namespace

void
AddTermOptions(CLI::App & app, DeformableOptions & options, OptionModes & modes)
{
  RegisterOptions & files = options.files;
  AddChannelOptions(app, options.channels, files, cudaneuro::ValuesOf<cudaneuro::RegistrationMetric>(), modes);
  const char * const group = "Points and labels (beside FIXED and MOVING, or in their place)";
  AddPointOptions(app, files, modes, group);
  modes.Add(
    AddParameter(app, nullptr, options.fluid.parameters, &cudaneuro::RegistrationParameters::pointWeight, { group }),
    "--fixed-points",
    [&files] { return !files.fixedPoints.empty() || !files.pairs.empty(); });
  AddLabelOptions(app, options, modes, group);
  AddFile(app,
          "--grid",
          files.grid,
          "Without FIXED and MOVING: an image whose grid the results have.\n"
          "Default: that of the fixed labels",
          group,
          "image input");
  modes.Add(AddFile(app,
                    "--moving-grid",
                    files.movingGrid,
                    "An image whose grid has the moving points on it. Default: that of\n"
                    "the moving labels, or --grid",
                    group,
                    "image input"),
            "--grid",
            [&files] { return !files.grid.empty(); });
}

std::vector<std::string>
UnusedOptions(const RegisterOptions & files)
{
  std::vector<std::string> names;
  if (files.fixedPoints.empty())
  {
    names.emplace_back("--point-weight");
  }
  if (!files.areLabelsMatched || files.fixedLabels.empty())
  {
    names.emplace_back("--label-weight");
  }
  return names;
}

void
SetChannels(const DeformableOptions & options, cudaneuro::RegistrationParameters & parameters)
{
  const std::size_t count = options.files.channels.size();
  parameters.channelWeight = ChannelWeights(options.channels, count).front();
  parameters.furtherChannels = FurtherChannels(options.channels,
                                               count,
                                               { 1.0,
                                                 parameters.metric,
                                                 parameters.correlationRadius,
                                                 parameters.numberOfHistogramBins,
                                                 parameters.matchIntensities });
}

void
NoteTerms(const DeformableOptions & options, const cudaneuro::RegistrationParameters & parameters, Report & report)
{
  const std::string where = "/parameters";
  const CLI::App &  app = *options.fluid.command;
  NoteChannels(report, where, app, parameters.channelWeight, parameters.furtherChannels);
  if (!options.files.fixedPoints.empty())
  {
    NoteOption(report, where, app, "--point-standard-deviations", options.files.pointStandardDeviations);
  }
  if (options.files.areLabelsMatched && !options.weightsOfLabels.empty())
  {
    NoteOption(report, where, app, "--weight-of-label", options.weightsOfLabels);
  }
}

void
DeformableOptions::Complete()
{
  files.channels = ChannelsOf(channels);
  files.areLabelsMatched = fluid.parameters.labelWeight > 0.0;
  files.labelWeights = ParseLabelWeights(weightsOfLabels);
  if (files.pairs.empty())
  {
    ChannelWeights(channels, files.channels.size());
  }
}
