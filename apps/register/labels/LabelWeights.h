// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_labels_LabelWeights_h
#define apps_register_labels_LabelWeights_h

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/** The weights with which labels pull. */
struct LabelWeights
{
  std::map<std::int64_t, double> ofLabels;
  /** The weight of all labels except 0 without a weight of their own. */
  double others = 1.0;

  double
  Of(std::int64_t label) const
  {
    const auto found = ofLabels.find(label);
    return found != ofLabels.end() ? found->second : label == 0 ? 0.0 : others;
  }
};

/** Reads texts such as "17=0.5" and "others=0".
 * \throws UserError that names the text and its error, also if no label has a weight above 0 */
LabelWeights
ParseLabelWeights(const std::vector<std::string> & texts);

#endif
