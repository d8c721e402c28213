// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/RegisterReport.h"

using cudaneuro::RegistrationIteration;

namespace
{

template <typename TValue>
std::vector<TValue>
Column(const std::vector<RegistrationIteration> & iterations, TValue RegistrationIteration::*member)
{
  std::vector<TValue> values;
  for (const RegistrationIteration & iteration : iterations)
  {
    values.push_back(iteration.*member);
  }
  return values;
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
RegisterReport::Print() const
{
  PrintLine("fixed", this->TextOf("/fixed") + ": " + this->TextOf("/fixed_description"));
  PrintLine("moving", this->TextOf("/moving") + ": " + this->TextOf("/moving_description"));
  PrintLine("method", this->TextOf("/method") + ": " + this->TextOfAll("/parameters"));
  PrintLine("energy", this->TextOfAll("/energy"));
  PrintLine("Jacobian", this->TextOfAll("/jacobian"));
  if (this->Has("/inverse_consistency"))
  {
    PrintLine("inverse", this->TextOfAll("/inverse_consistency"));
  }
  if (this->Has("/overlap"))
  {
    PrintLine("Dice",
              "union " + this->TextOf("/overlap/before/union") + " before, " + this->TextOf("/overlap/after/union") +
                " after; mean of labels " + this->TextOf("/overlap/before/mean") + " before, " +
                this->TextOf("/overlap/after/mean") + " after");
  }
  PrintLine("device", this->TextOf("/device") + ": " + this->TextOf("/device_description"));
  PrintLine("seconds", this->TextOfAll("/seconds"));
  if (this->Has("/outputs"))
  {
    PrintLine("outputs", this->TextOfAll("/outputs"));
  }
}
