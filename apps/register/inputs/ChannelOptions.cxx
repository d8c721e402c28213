// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/ChannelOptions.h"

#include "shared/registration/ChannelValues.h"
#include "shared/OptionValue.h"
#include "shared/ParameterOptions.h"

#include <algorithm>

using cudaneuro::ChannelParameters;
using cudaneuro::RegistrationMetric;

namespace
{

constexpr const char * group = "Channels (other contrasts of the same two heads, beside FIXED and MOVING)";
constexpr std::size_t  mostFurtherChannels = cudaneuro::maximumNumberOfChannels - 1;

/** Requires no value, one for all channels, or one per channel. */
void
RequireCount(const char * name, std::size_t values, std::size_t channels)
{
  if (values > 1 && values != channels)
  {
    throw UserError(std::string(name) + " has " + std::to_string(values) + " values; " + std::to_string(channels) +
                    (channels == 1 ? " further channel needs 1" : " further channels need 1 or ") +
                    (channels == 1 ? std::string() : std::to_string(channels)));
  }
}

/** Returns the value of a channel, if there are values. */
template <typename TValue>
TValue
ValueOfChannel(const std::vector<TValue> & values, std::size_t channel, const TValue & standard)
{
  return values.empty() ? standard : values[values.size() == 1 ? 0 : channel];
}

/** Returns the file of a channel. */
std::string
FileOf(const std::vector<std::string> & paths, std::size_t channel)
{
  const std::string path = ValueOfChannel(paths, channel, std::string());
  return path == "none" ? "" : path;
}

/** Accepts the names of metrics. */
CLI::Validator
NameOf(const std::vector<std::string> & names)
{
  return CLI::Validator(
    [names](std::string & text) {
      return std::find(names.begin(), names.end(), text) != names.end()
               ? std::string()
               : "must be of " + CLI::detail::join(names, ", ") + "; it is " + text;
    },
    "");
}

/** Adds an option of files that is repeated for each channel. */
CLI::Option *
AddFiles(CLI::App & app, const char * name, std::vector<std::string> & paths, const std::string & help)
{
  return app.add_option(name, paths, help)->option_text("FILE")->allow_extra_args(false);
}

/** Adds an option of values with commas between them. */
template <typename TValue>
CLI::Option *
AddValues(CLI::App &            app,
          const char *          name,
          std::vector<TValue> & values,
          const std::string &   help,
          const char *          text = "N[,N...]")
{
  return AsList(app.add_option(name, values, help), text);
}

/** Adds the options of a channel except its images. */
std::vector<CLI::Option *>
AddValuesOfChannels(CLI::App & app, ChannelOptions & options, const std::vector<RegistrationMetric> & metrics)
{
  const std::string word = ".\nOne for all further channels, or repeated for each; none is no file";
  const std::string map = "Linear transform from points of the first channel's ";
  return {
    AddValues(app,
              "--channel-metric",
              options.metrics,
              "What makes the images of the further channels alike, one name\n"
              "for all or one a channel. Default: as --metric says",
              "TEXT")
      ->check(NameOf(ChoiceOf(metrics).GetNames())),
    AddValues(app,
              "--channel-weights",
              options.weights,
              "Weights of all channels, that of the first one first, without\n"
              "unit: the energy is the mean of the channels' energies with\n"
              "them. Default: 1 each")
      ->check(AtLeast(0)),
    AddValues(app,
              "--channel-correlation-radius",
              options.correlationRadii,
              "As --correlation-radius, of the further channels, in voxels.\nDefault: that of the first")
      ->check(AtLeast(1)),
    AddValues(app,
              "--channel-number-of-histogram-bins",
              options.numbersOfHistogramBins,
              "As --number-of-histogram-bins, of the further channels: number\nof bins. Default: that of the first")
      ->check(AtLeast(8)),
    AddFiles(app, "--channel-fixed-mask", options.fixedMasks, "Mask on a channel's fixed image" + word),
    AddFiles(app, "--channel-moving-mask", options.movingMasks, "Mask on a channel's moving image" + word),
    AddFiles(app,
             "--channel-fixed-transform",
             options.fixedTransforms,
             map + "fixed\nimage to points of this channel's, as cudaneuro-register rigid of\nthe two writes it" +
               word),
    AddFiles(app,
             "--channel-moving-transform",
             options.movingTransforms,
             map + "moving\nimage to points of this channel's" + word)
  };
}

} // namespace

void
AddChannelOptions(CLI::App &                              app,
                  ChannelOptions &                        options,
                  const RegisterOptions &                 files,
                  const std::vector<RegistrationMetric> & metrics,
                  OptionModes &                           modes)
{
  app
    .add_option("--channel",
                options.images,
                "Two files: the fixed and the moving image of another contrast of\n"
                "the same heads, as T2 beside T1. Their grids may be others. Up to 7\n"
                "times")
    ->option_text("FILE")
    ->type_name(notInSlicer)
    ->allow_extra_args(false)
    ->group(group);
  for (CLI::Option * const option : AddValuesOfChannels(app, options, metrics))
  {
    option->type_name(notInSlicer)->group(group);
    modes.Add(option, "--channel or a list with channels", [&options, &files] {
      return !options.images.empty() || !files.pairs.empty();
    });
  }
}

std::vector<ChannelFiles>
ChannelsOf(const ChannelOptions & options)
{
  const std::size_t count = options.images.size();
  if (count > mostFurtherChannels)
  {
    throw UserError("--channel is given " + std::to_string(count) + " times; it may be up to " +
                    std::to_string(mostFurtherChannels) + " times");
  }
  RequireCount("--channel-fixed-mask", options.fixedMasks.size(), count);
  RequireCount("--channel-moving-mask", options.movingMasks.size(), count);
  RequireCount("--channel-fixed-transform", options.fixedTransforms.size(), count);
  RequireCount("--channel-moving-transform", options.movingTransforms.size(), count);
  std::vector<ChannelFiles> channels;
  for (std::size_t i = 0; i < count; ++i)
  {
    channels.push_back({ options.images[i].first,
                         options.images[i].second,
                         FileOf(options.fixedMasks, i),
                         FileOf(options.movingMasks, i),
                         FileOf(options.fixedTransforms, i),
                         FileOf(options.movingTransforms, i) });
  }
  return channels;
}

std::vector<double>
ChannelWeights(const ChannelOptions & options, std::size_t numberOfFurtherChannels)
{
  return WeightsOfChannels(options.weights, numberOfFurtherChannels, "FIXED and MOVING");
}

std::vector<ChannelParameters>
FurtherChannels(const ChannelOptions & options, std::size_t numberOfFurtherChannels, const ChannelParameters & first)
{
  RequireCount("--channel-metric", options.metrics.size(), numberOfFurtherChannels);
  RequireCount("--channel-correlation-radius", options.correlationRadii.size(), numberOfFurtherChannels);
  RequireCount("--channel-number-of-histogram-bins", options.numbersOfHistogramBins.size(), numberOfFurtherChannels);
  const std::vector<double>        weights = ChannelWeights(options, numberOfFurtherChannels);
  std::vector<ChannelParameters>   channels(numberOfFurtherChannels, first);
  const Choice<RegistrationMetric> metrics = ChoiceOf<RegistrationMetric>();
  for (std::size_t i = 0; i < channels.size(); ++i)
  {
    ChannelParameters & channel = channels[i];
    channel.weight = weights[i + 1];
    channel.metric = options.metrics.empty() ? first.metric : metrics.GetValue(ValueOfChannel(options.metrics, i, {}));
    channel.matchIntensities = first.matchIntensities && channel.metric == RegistrationMetric::MeanSquares;
    channel.correlationRadius = ValueOfChannel(options.correlationRadii, i, first.correlationRadius);
    channel.numberOfHistogramBins = ValueOfChannel(options.numbersOfHistogramBins, i, first.numberOfHistogramBins);
  }
  return channels;
}
