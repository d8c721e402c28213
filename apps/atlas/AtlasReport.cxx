// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasReport.h"

#include "shared/Messages.h"

#include <algorithm>

using cudaneuro::AtlasDrift;
using cudaneuro::AtlasIteration;

namespace
{

void
SetIfAny(Report::Json & json, const char * key, const std::string & text)
{
  if (!text.empty())
  {
    json[key] = text;
  }
}

Report::Json
Describe(const PopulationImage & image, const cudaneuro::AtlasImageResult & result, const AtlasFolder & folder)
{
  Report::Json json;
  json["name"] = image.name;
  json["image"] = image.path;
  SetIfAny(json, "mask", image.mask);
  SetIfAny(json, "transform", image.transform);
  SetIfAny(json, "labels", image.labels);
  SetIfAny(json, "points", image.points);
  for (std::size_t i = 0; i < image.channels.size(); ++i)
  {
    const std::string number = "_" + std::to_string(i + 2);
    SetIfAny(json, ("image" + number).c_str(), image.channels[i].path);
    SetIfAny(json, ("mask" + number).c_str(), image.channels[i].mask);
    SetIfAny(json, ("transform" + number).c_str(), image.channels[i].transform);
  }
  json["weight"] = image.weight;
  json["outliers"] = result.numberOfOutliers;
  json["damped"] = result.isDamped;
  json["jacobian"]["minimum"] = result.jacobian.minimum;
  json["jacobian"]["maximum"] = result.jacobian.maximum;
  json["jacobian"]["mean_logarithm"] = result.jacobian.meanLogarithm;
  json["jacobian"]["standard_deviation_logarithm"] = result.jacobian.standardDeviationLogarithm;
  json["jacobian"]["percentile_0_1"] = result.jacobian.lowerPercentile;
  json["jacobian"]["percentile_99_9"] = result.jacobian.upperPercentile;
  json["jacobian"]["folded_voxels"] = result.jacobian.numberOfFoldedVoxels;
  if (!folder.GetInverse(image).empty())
  {
    json["inversion"]["iterations"] = result.inversion.numberOfIterations;
    json["inversion"]["mean_residual_voxels"] = result.inversion.meanResidual;
    json["inversion"]["maximum_residual_voxels"] = result.inversion.maximumResidual;
  }
  json["outputs"] = Report::Json::object();
  SetIfAny(json["outputs"], "map", folder.GetMap(image));
  SetIfAny(json["outputs"], "inverse", folder.GetInverse(image));
  SetIfAny(json["outputs"], "alignment", folder.GetAlignment(image));
  SetIfAny(json["outputs"], "deformed", folder.GetDeformed(image));
  for (std::size_t channel = 1; channel <= image.channels.size(); ++channel)
  {
    const std::string key = "deformed_" + std::to_string(channel + 1);
    SetIfAny(json["outputs"], key.c_str(), folder.GetDeformed(image, channel));
  }
  return json;
}

} // namespace

void
AtlasReport::SetResult(const cudaneuro::AtlasResult & result)
{
  this->Set("/exchange", result.exchange);
  this->Set("/streamed_images", result.numberOfStreamedImages);
  this->Set("/shortened_steps", result.numberOfShortenedSteps);
  if (!result.iterations.empty())
  {
    this->Set("/energy/first", result.iterations.front().energy);
  }
  this->Set("/energy/last", result.energy);
  if (result.channelEnergies.size() > 1)
  {
    this->Set("/energy/channels", result.channelEnergies);
  }
  const auto & iterations = result.iterations;
  this->Set("/iterations/level", Column(iterations, &AtlasIteration::level));
  this->Set("/iterations/iteration", Column(iterations, &AtlasIteration::iteration));
  this->Set("/iterations/energy", Column(iterations, &AtlasIteration::energy));
  this->Set("/iterations/minimum_jacobian", Column(iterations, &AtlasIteration::minimumJacobian));
  this->Set("/iterations/shortened_steps", Column(iterations, &AtlasIteration::numberOfShortenedSteps));
  this->Set("/iterations/entropy", Column(iterations, &AtlasIteration::entropy));
  const auto & drifts = result.drifts;
  this->Set("/drift/level", Column(drifts, &AtlasDrift::level));
  this->Set("/drift/iteration", Column(drifts, &AtlasDrift::iteration));
  this->Set("/drift/root_mean_square_mm", Column(drifts, &AtlasDrift::rootMeanSquare));
  this->Set("/drift/maximum_mm", Column(drifts, &AtlasDrift::maximum));
  this->Set("/drift/rotation_degrees", Column(drifts, &AtlasDrift::rotationDegrees));
  this->Set("/drift/translation_mm", Column(drifts, &AtlasDrift::translation));
}

void
AtlasReport::SetImages(const Population &                               population,
                       const std::vector<cudaneuro::AtlasImageResult> & results,
                       const std::vector<double> &                      energies,
                       const AtlasFolder &                              folder)
{
  Json         images = Json::array();
  std::int64_t outliers = 0;
  for (std::size_t i = 0; i < population.size(); ++i)
  {
    images.push_back(Describe(population[i], results[i], folder));
    outliers += results[i].numberOfOutliers;
    if (results[i].isDamped)
    {
      PrintWarning("the map of " + population[i].path +
                   " was brought nearer to the identity, as it folded on a finer "
                   "grid where smoothing did not help; a better alignment helps");
    }
    images.back()["energy"] = energies[i];
  }
  this->Set("/images", images);
  this->Set("/outliers", outliers);
}

void
AtlasReport::SetAlignment(const Alignment & alignment, unsigned int dimension)
{
  double least = 1.0;
  for (std::size_t i = 0; i < alignment.size(); ++i)
  {
    this->Set("/images/" + std::to_string(i) + "/alignment", Describe(alignment[i], dimension));
    least = std::min(least, alignment[i].quality);
  }
  if (!alignment.empty())
  {
    this->Set("/alignment/least_quality", least);
  }
}

void
AtlasReport::Print() const
{
  PrintLine("template", this->TextOf("/outputs/template") + ": " + this->TextOf("/template_description"));
  PrintLine("images", this->TextOf("/number_of_images"));
  PrintLine("method", this->TextOfAll("/parameters"));
  if (this->Has("/outliers") && this->TextOf("/outliers") != "0")
  {
    PrintLine("outliers", this->TextOf("/outliers") + " voxels of all images repaired; --keep-outliers leaves them");
  }
  if (this->Has("/alignment"))
  {
    PrintLine("aligned", this->TextOfAll("/alignment"));
  }
  if (this->Has("/energy"))
  {
    PrintLine("energy", this->TextOfAll("/energy"));
  }
  if (this->Has("/labels"))
  {
    PrintLine("labels", this->TextOfAll("/labels"));
  }
  if (this->Has("/points"))
  {
    PrintLine("points", this->TextOfAll("/points"));
  }
  PrintLine("entropy", this->TextOfAll("/entropy") + " bits");
  PrintLine("devices", this->TextOf("/devices_description") + "; exchange: " + this->TextOf("/exchange"));
  PrintLine("seconds", this->TextOfAll("/seconds"));
}
