// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasPlan.h"

#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "cudaneuro/Error.h"
#include "images/ChannelChecks.h"
#include "images/ImageChecks.h"
#include "registration/step/EnergyShares.h"
#include "registration/labels/PrepareLabels.h"
#include "registration/RegistrationChecks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cudaneuro
{

namespace
{

void
RequireWeights(const std::vector<double> & weights)
{
  if (weights.size() < 2)
  {
    ThrowInvalid("the number of images of an atlas", weights.size(), "2 or greater");
  }
  constexpr std::size_t most = 1 << 20;
  if (weights.size() > most)
  {
    ThrowInvalid("the number of images of an atlas", weights.size(), "2^20 or less");
  }
  for (std::size_t i = 0; i < weights.size(); ++i)
  {
    if (!(weights[i] >= 0.0) || std::isinf(weights[i]))
    {
      ThrowInvalid("the weight of image " + std::to_string(i), weights[i], "finite and 0 or greater");
    }
  }
  if (std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0.0; }))
  {
    ThrowInvalid("the sum of the weights", 0, "greater than 0");
  }
}

/** Requires a channel whose metric allows the mean of images as the template. */
void
RequireComparable(const ChannelParameters & channel)
{
  if (channel.metric == RegistrationMetric::MutualInformation)
  {
    ThrowInvalid("Metric",
                 channel.metric,
                 "MeanSquares or LocalCorrelation for an atlas, whose images have the contrast of their mean");
  }
  if (channel.matchIntensities)
  {
    ThrowInvalid("MatchIntensities", "true", "false for an atlas, whose template has the images' mean intensities");
  }
}

/** Requires a grid of the template's dimension, and a valid transform to it. */
void
RequirePlace(const AtlasPlan & plan, const std::string & name, const Geometry & geometry, const AffineMap & transform)
{
  RequireGrid(geometry.grid);
  if (IsFlat(plan.geometry.grid) != IsFlat(geometry.grid))
  {
    ThrowInvalid("the size of the " + name,
                 SizeText(geometry.grid),
                 "of as many dimensions as the template has, which is " + SizeText(plan.geometry.grid));
  }
  Inverse(transform);
  PointToIndex(geometry);
  RequireInSlice("the initial transform of the " + name, plan.geometry, transform, geometry);
}

/** Requires valid volumes, grids and transforms of a channel's image. */
void
RequireImageOfChannel(const Context & context, const AtlasPlan & plan, const AtlasImage & image)
{
  const std::string name = "image '" + image.name + "'";
  RequirePlace(plan, name, image.geometry, image.transform);
  RequireVolume(name.c_str(), context, image.image);
  RequireMask(context, image.mask);
}

/** Requires numbers of points that are all different. */
void
RequirePointNumbers(const std::string & name, std::vector<int> numbers)
{
  for (std::size_t i = 0; i < numbers.size(); ++i)
  {
    if (numbers[i] < 0 || numbers[i] > largestPointNumber)
    {
      ThrowInvalid("number " + std::to_string(i) + " of the " + name,
                   numbers[i],
                   "from 0 to " + std::to_string(largestPointNumber));
    }
  }
  std::sort(numbers.begin(), numbers.end());
  const auto twice = std::adjacent_find(numbers.begin(), numbers.end());
  if (twice != numbers.end())
  {
    ThrowInvalid("the number of two points of the " + name, *twice, "that of one");
  }
}

} // namespace

RegistrationParameters
AtlasRegistrationParameters()
{
  RegistrationParameters parameters;
  parameters.velocityMethod = VelocityMethod::SuccessiveOverRelaxation;
  parameters.useDeformedGradient = true;
  parameters.jacobianBound = 0.0;
  // With gamma = 0.02 a sweep leaves 0.85 of the error on large grids, so that 30 sweeps leave 1 percent.
  parameters.firstSweeps = 30;
  parameters.sweeps = 4;
  parameters.levels = { { { 4, 4, 4 }, 50 }, { { 2, 2, 2 }, 50 }, { { 1, 1, 1 }, 25 } };
  return parameters;
}

void
RequireAtlasParameters(const AtlasParameters &     parameters,
                       const Geometry &            geometry,
                       const std::vector<double> & weights)
{
  RequireWeights(weights);
  RequireRegistrationParameters(parameters.registration, geometry.grid);
  RequireRegistrationGrid("template", geometry.grid);
  PointToIndex(geometry);
  RequireChannelWeight(parameters.registration.channelWeight, parameters.registration.furtherChannels);
  RequireComparable(DescriptionOfChannel(parameters.registration, 0));
  for (std::size_t channel = 1; channel <= parameters.registration.furtherChannels.size(); ++channel)
  {
    InChannel(channel, [&] { RequireComparable(parameters.registration.furtherChannels[channel - 1]); });
  }
  if (!parameters.registration.updateFieldStandardDeviationsPerLevel.empty())
  {
    ThrowInvalid("the number of values of UpdateFieldStandardDeviationsPerLevel",
                 parameters.registration.updateFieldStandardDeviationsPerLevel.size(),
                 "0 for an atlas, which has the same on all levels");
  }
  if (parameters.registration.jacobianBound != 0.0)
  {
    ThrowInvalid("JacobianBound", parameters.registration.jacobianBound, "0 for an atlas, whose steps are halved");
  }
  RequireParameters(parameters, geometry.grid);
}

void
RequireAtlasImage(const Context & context, const AtlasPlan & plan, const AtlasImage & image)
{
  const std::string name = "image '" + image.name + "'";
  const Grid &      grid = plan.geometry.grid;
  if (image.furtherChannels.size() + 1 != plan.NumberOfChannels())
  {
    ThrowInvalid("the number of further channels of the " + name,
                 image.furtherChannels.size(),
                 std::to_string(plan.NumberOfChannels() - 1) + ", as the parameters have them");
  }
  RequireImageOfChannel(context, plan, image);
  for (std::size_t channel = 1; channel < plan.NumberOfChannels(); ++channel)
  {
    Inverse(image.furtherChannels[channel - 1].transform);
    RequireImageOfChannel(context, plan, ChannelOf(image, channel));
  }
  RequireField("field of the initial transform of the " + name, context, grid, image.transformField);
  RequireField("initial displacement field of the " + name, context, grid, image.initialField);
}

void
RequireChannel(const AtlasPlan & plan, int channel)
{
  if (channel < 0 || static_cast<std::size_t>(channel) >= plan.NumberOfChannels())
  {
    ThrowInvalid("the channel", channel, "0 to " + std::to_string(plan.NumberOfChannels() - 1));
  }
}

AtlasImage
ChannelOf(const AtlasImage & image, std::size_t channel)
{
  if (channel == 0)
  {
    return image;
  }
  const AtlasChannel & further = image.furtherChannels[channel - 1];
  AtlasImage           ofChannel = image;
  ofChannel.name = image.name + " (channel " + std::to_string(channel) + ")";
  ofChannel.geometry = further.geometry;
  ofChannel.image = further.image;
  ofChannel.mask = further.mask;
  ofChannel.transform = Compose(further.transform, image.transform);
  ofChannel.furtherChannels.clear();
  return ofChannel;
}

void
RequireAtlasImageOutputs(const Context & context, const AtlasPlan & plan, const AtlasImageOutputs & outputs)
{
  const Grid & grid = plan.geometry.grid;
  const auto   asConst = [](const Field & field) { return ConstField{ field.data, field.components, field.space }; };
  RequireField("displacement field", context, grid, asConst(outputs.displacement));
  RequireField("inverse displacement field", context, grid, asConst(outputs.inverse));
  if (outputs.deformed.data != nullptr)
  {
    RequireVolume("deformed", context, outputs.deformed);
  }
  if (outputs.deformedChannels.size() >= plan.NumberOfChannels())
  {
    ThrowInvalid("the number of deformed images of further channels",
                 outputs.deformedChannels.size(),
                 std::to_string(plan.NumberOfChannels() - 1) + " or smaller, as there are channels after the first");
  }
  for (const Volume & deformed : outputs.deformedChannels)
  {
    if (deformed.data != nullptr)
    {
      RequireVolume("deformed image of a further channel", context, deformed);
    }
  }
  if (outputs.jacobian.data != nullptr)
  {
    RequireVolume("jacobian", context, outputs.jacobian);
  }
}

void
RequireAtlasLabels(const Context & context, const AtlasPlan & plan, const AtlasLabels & labels)
{
  const std::string name = "labels '" + labels.name + "'";
  RequireLabelMap(name, context, IsFlat(plan.geometry.grid) ? 2 : 3, labels.geometry, labels.labels);
  RequireField("field of the initial transform of the " + name, context, plan.geometry.grid, labels.transformField);
  Inverse(labels.transform);
  RequireInSlice("the initial transform of the " + name, plan.geometry, labels.transform, labels.geometry);
}

void
RequireAtlasPoints(const Context & context, const AtlasPlan & plan, const AtlasPoints & points)
{
  const std::string name = "points '" + points.name + "'";
  RequirePlace(plan, name, points.geometry, points.transform);
  RequireField("field of the initial transform of the " + name, context, plan.geometry.grid, points.transformField);
  const std::size_t count = points.positions.size();
  if (!points.numbers.empty() && points.numbers.size() != count)
  {
    ThrowInvalid("the count of numbers of the " + name,
                 points.numbers.size(),
                 std::to_string(count) + ", as there are points, or 0");
  }
  if (count > static_cast<std::size_t>(largestPointNumber) + 1)
  {
    ThrowInvalid("the count of the " + name, count, std::to_string(largestPointNumber + 1) + " or smaller");
  }
  RequirePointNumbers(name, points.numbers);
  for (std::size_t i = 0; i < count; ++i)
  {
    for (const double coordinate : points.positions[i])
    {
      if (!std::isfinite(coordinate))
      {
        ThrowInvalid("a coordinate of point " + std::to_string(i) + " of the " + name, coordinate, "finite");
      }
    }
  }
}

void
RequireAtlasLabelOutputs(const Context & context, const AtlasLabelOutputs & outputs)
{
  if (outputs.labels.data != nullptr)
  {
    RequireVolume("labels of the template", context, outputs.labels);
    if (outputs.labels.type != PixelType::UnsignedShort)
    {
      ThrowInvalid("the type of the labels of the template", PixelTypeName(outputs.labels.type), "uint16");
    }
  }
  if (outputs.probability.data != nullptr)
  {
    RequireVolume("probability of labels", context, outputs.probability);
    if (outputs.probability.type != PixelType::Float && outputs.probability.type != PixelType::Double)
    {
      ThrowInvalid("the type of the probability of labels",
                   PixelTypeName(outputs.probability.type),
                   "float32 or float64, as probabilities are no whole numbers");
    }
  }
}

std::vector<std::vector<int>>
DistributeImages(int numberOfImages, const std::vector<double> & speeds, int rank, int numberOfProcesses)
{
  const auto part = [](int begin, int end, double from, double to, double all) {
    const auto at = [&](double share) { return begin + static_cast<int>(std::lround((end - begin) * share / all)); };
    return std::pair<int, int>(at(from), at(to));
  };
  const auto                    own = part(0, numberOfImages, rank, rank + 1.0, numberOfProcesses);
  const double                  total = std::accumulate(speeds.begin(), speeds.end(), 0.0);
  std::vector<std::vector<int>> shares;
  double                        done = 0.0;
  for (const double speed : speeds)
  {
    const auto       ofDevice = part(own.first, own.second, done, done + speed, total);
    std::vector<int> images(static_cast<std::size_t>(ofDevice.second - ofDevice.first));
    std::iota(images.begin(), images.end(), ofDevice.first);
    shares.push_back(std::move(images));
    done += speed;
  }
  return shares;
}

double
SpeedOf(const Device & device, unsigned int threads)
{
  // A multiprocessor of a current GPU does the work of about four CPU threads.
  constexpr double threadsPerMultiprocessor = 4.0;
  return device.IsCuda() ? GetDeviceProperties(device).numberOfMultiprocessors : threads / threadsPerMultiprocessor;
}

} // namespace cudaneuro
