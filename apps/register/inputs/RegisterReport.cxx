// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/inputs/RegisterReport.h"

#include "shared/Messages.h"

using cudaneuro::LinearRegistrationIteration;
using cudaneuro::RegistrationIteration;

namespace
{

Report::Json
JsonOf(const std::optional<BoundaryDistance> & distance)
{
  Report::Json json{ { "hausdorff_95_mm", nullptr }, { "mean_mm", nullptr } };
  if (distance)
  {
    json["hausdorff_95_mm"] = distance->hausdorff95;
    json["mean_mm"] = distance->mean;
  }
  return json;
}

} // namespace

void
RegisterReport::SetIterations(const std::vector<RegistrationIteration> & iterations)
{
  this->Set("/iterations/level", Column(iterations, &RegistrationIteration::level));
  this->Set("/iterations/energy", Column(iterations, &RegistrationIteration::energy));
  this->Set("/iterations/image_energy", Column(iterations, &RegistrationIteration::imageEnergy));
  this->Set("/iterations/bias_energy", Column(iterations, &RegistrationIteration::biasEnergy));
  this->Set("/iterations/minimum_jacobian", Column(iterations, &RegistrationIteration::minimumJacobian));
  this->Set("/iterations/step", Column(iterations, &RegistrationIteration::step));
}

void
RegisterReport::SetIterations(const std::vector<LinearRegistrationIteration> & iterations)
{
  const std::string where = "/alignment/iterations/";
  this->Set(where + "level", Column(iterations, &LinearRegistrationIteration::level));
  this->Set(where + "metric", Column(iterations, &LinearRegistrationIteration::value));
  this->Set(where + "step_mm", Column(iterations, &LinearRegistrationIteration::step));
}

void
RegisterReport::SetChannels(const std::vector<RegistrationIteration> & iterations, const std::vector<double> & final)
{
  this->Set("/channel_energies/first", iterations.empty() ? final : iterations.front().channelEnergies);
  this->Set("/channel_energies/final", final);
  this->Set("/iterations/channel_energies", Column(iterations, &RegistrationIteration::channelEnergies));
}

void
RegisterReport::SetPoints(const std::vector<RegistrationIteration> & iterations, double final)
{
  this->Set("/energy/points", final);
  this->Set("/iterations/point_energy", Column(iterations, &RegistrationIteration::pointEnergy));
}

void
RegisterReport::SetLabels(const std::vector<RegistrationIteration> & iterations, double final)
{
  this->Set("/energy/labels", final);
  this->Set("/iterations/label_energy", Column(iterations, &RegistrationIteration::labelEnergy));
}

void
RegisterReport::SetPointDistances(const RegisterPoints &      points,
                                  const std::vector<double> & before,
                                  const std::vector<double> & aligned,
                                  const std::vector<double> & after)
{
  this->Set("/points/number", points.pairs.fixed.size());
  this->Set("/points/matched_by", points.isByLabel ? "label" : "order");
  const std::pair<const char *, const std::vector<double> &> all[] = { { "before", before },
                                                                       { "aligned", aligned },
                                                                       { "after", after } };
  for (const auto & [when, distances] : all)
  {
    if (!distances.empty())
    {
      const std::string     where = std::string("/points/distance_") + when;
      const DistanceSummary summary = Summarize(distances);
      this->Set(where + "/mean_mm", summary.mean);
      this->Set(where + "/median_mm", summary.median);
      this->Set(where + "/maximum_mm", summary.maximum);
      this->Set(where + "/each_mm", distances);
    }
  }
  if (!points.labels.empty())
  {
    this->Set("/points/labels", points.labels);
  }
}

void
RegisterReport::RequireSuccess() const
{
  if (this->Has("/alignment") && this->TextOf("/alignment/is_success") == "false")
  {
    throw UserError(this->TextOf("/moving") + " was not aligned with " + this->TextOf("/fixed") +
                    ": the quality of the best map is " + this->TextOf("/alignment/quality") +
                    ", and --require-success asks for " + this->TextOf("/alignment/quality_of_success") +
                    "; the outputs are those of this map");
  }
}

void
RegisterReport::SetOverlap(const std::string & when, const LabelOverlap & overlap)
{
  const std::string where = "/overlap/" + when;
  this->Set(where + "/union", overlap.unionDice);
  this->Set(where + "/mean", overlap.mean);
  Json labels = Json::object();
  for (const auto & [label, dice] : overlap.dice)
  {
    labels[std::to_string(label)] = dice;
  }
  this->Set(where + "/labels", labels);
}

void
RegisterReport::SetSegmentOverlap(const std::string & when, const std::map<std::string, double> & dice)
{
  // As one object, because names may have characters with a meaning in JSON pointers.
  this->Set("/overlap/" + when + "/segments", Json(dice));
}

void
RegisterReport::SetLabelDistances(const std::string & when, const LabelDistances & distances)
{
  const std::string where = "/label_distances/" + when;
  this->Set(where + "/mean", JsonOf(distances.mean));
  this->Set(where + "/in_one_image", distances.inOneImage);
  Json labels = Json::object();
  for (const auto & [label, distance] : distances.labels)
  {
    labels[std::to_string(label)] = JsonOf(distance);
  }
  this->Set(where + "/labels", labels);
  Json segments = Json::object();
  for (const auto & [name, distance] : distances.segments)
  {
    segments[name] = JsonOf(distance);
  }
  if (!segments.empty())
  {
    this->Set(where + "/segments", segments);
  }
}

void
RegisterReport::PrintAlignment() const
{
  const std::string where = "/alignment/";
  if (this->Has(where + "parameters"))
  {
    PrintLine("aligning", this->TextOfAll(where + "parameters"));
  }
  PrintLine("aligned",
            "metric " + this->TextOf(where + "metric") + ", overlap " + this->TextOf(where + "overlap") + ", quality " +
              this->TextOf(where + "quality") + " (of a success " + this->TextOf(where + "quality_of_success") +
              " or more)");
  std::string rows;
  for (std::size_t row = 0; this->Has(where + "offset_mm/" + std::to_string(row)); ++row)
  {
    rows += (row == 0 ? "" : "; ") + this->TextOf(where + "matrix/" + std::to_string(row), " ") + " | " +
            this->TextOf(where + "offset_mm/" + std::to_string(row));
  }
  PrintLine("map", rows + " mm (LPS, fixed to moving)");
}

std::string
RegisterReport::InOrder(const std::string & comparison, const std::string & value) const
{
  std::string text;
  for (const char * const when : { "before", "aligned", "after" })
  {
    const std::string where = comparison + '/' + when;
    text += this->Has(where) ? (text.empty() ? "" : ", ") + this->TextOf(where + '/' + value) + ' ' + when : "";
  }
  return text;
}

void
RegisterReport::PrintOverlap() const
{
  PrintLine("Dice",
            "union " + this->InOrder("/overlap", "union") + "; mean of labels " + this->InOrder("/overlap", "mean"));
}

void
RegisterReport::PrintLabelDistances() const
{
  const std::string where = "/label_distances";
  PrintLine("surfaces",
            "95 % Hausdorff distance, mean of labels " + this->InOrder(where, "mean/hausdorff_95_mm") +
              "; mean distance " + this->InOrder(where, "mean/mean_mm") + " mm; labels of one image alone " +
              this->InOrder(where, "in_one_image"));
}

void
RegisterReport::PrintInputs() const
{
  if (this->Has("/grid"))
  {
    PrintLine("grid", this->TextOf("/grid") + ": " + this->TextOf("/grid_description"));
  }
  else
  {
    PrintLine("fixed", this->TextOf("/fixed") + ": " + this->TextOf("/fixed_description"));
    PrintLine("moving", this->TextOf("/moving") + ": " + this->TextOf("/moving_description"));
  }
  for (std::size_t i = 0; this->Has("/further_channels/" + std::to_string(i)); ++i)
  {
    const std::string where = "/further_channels/" + std::to_string(i);
    PrintLine("channel",
              std::to_string(i + 2) + ": " + this->TextOf(where + "/fixed") + " and " +
                this->TextOf(where + "/moving"));
  }
}

void
RegisterReport::PrintTerms() const
{
  if (this->Has("/channel_energies"))
  {
    PrintLine("channels",
              "energies " + this->TextOf("/channel_energies/first", ", ") + " first, " +
                this->TextOf("/channel_energies/final", ", ") + " final");
  }
  if (this->Has("/points"))
  {
    std::string text = this->TextOf("/points/number") + " matched by " + this->TextOf("/points/matched_by");
    for (const char * const when : { "before", "aligned", "after" })
    {
      const std::string where = std::string("/points/distance_") + when;
      text += this->Has(where)
                ? std::string("; ") + when + " mean " + this->TextOf(where + "/mean_mm") + ", median " +
                    this->TextOf(where + "/median_mm") + ", largest " + this->TextOf(where + "/maximum_mm") + " mm"
                : "";
    }
    PrintLine("points", text);
  }
}

void
RegisterReport::Print() const
{
  this->PrintInputs();
  PrintLine("method", this->TextOf("/method") + ": " + this->TextOfAll("/parameters"));
  if (this->Has("/outliers") && (this->TextOf("/outliers/fixed") != "0" || this->TextOf("/outliers/moving") != "0"))
  {
    PrintLine("outliers", this->TextOfAll("/outliers") + " voxels repaired; --keep-outliers leaves them");
  }
  if (this->Has("/alignment"))
  {
    this->PrintAlignment();
  }
  if (this->Has("/energy"))
  {
    PrintLine("energy", this->TextOfAll("/energy"));
    this->PrintTerms();
    PrintLine("Jacobian", this->TextOfAll("/jacobian"));
  }
  if (this->Has("/inverse_consistency"))
  {
    PrintLine("inverse", this->TextOfAll("/inverse_consistency"));
  }
  if (this->Has("/overlap"))
  {
    this->PrintOverlap();
  }
  if (this->Has("/label_distances"))
  {
    this->PrintLabelDistances();
  }
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
  if (this->Has("/outputs"))
  {
    PrintLine("outputs", this->TextOfAll("/outputs"));
  }
}
