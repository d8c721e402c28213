// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterReport.h"

#include "shared/Messages.h"

using cudaneuro::LinearRegistrationIteration;
using cudaneuro::RegistrationIteration;

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
  // Names may have characters that mean something in the path of a value.
  this->Set("/overlap/" + when + "/segments", Json(dice));
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

void
RegisterReport::PrintOverlap() const
{
  const auto inOrder = [this](const std::string & which) {
    std::string text;
    for (const char * const when : { "before", "aligned", "after" })
    {
      const std::string where = std::string("/overlap/") + when;
      text += this->Has(where) ? (text.empty() ? "" : ", ") + this->TextOf(where + '/' + which) + ' ' + when : "";
    }
    return text;
  };
  PrintLine("Dice", "union " + inOrder("union") + "; mean of labels " + inOrder("mean"));
}

void
RegisterReport::Print() const
{
  PrintLine("fixed", this->TextOf("/fixed") + ": " + this->TextOf("/fixed_description"));
  PrintLine("moving", this->TextOf("/moving") + ": " + this->TextOf("/moving_description"));
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
  this->PrintDevice();
  PrintLine("seconds", this->TextOfAll("/seconds"));
  if (this->Has("/outputs"))
  {
    PrintLine("outputs", this->TextOfAll("/outputs"));
  }
}
