// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelComparison_h
#define apps_register_LabelComparison_h

#include "register/RegisterJob.h"

/** Compares labels of the moving image, which were taken to the fixed image's grid, with the fixed ones. */

/** Notes how labels overlap with the fixed ones, "before" registration, for example, and where it is asked for, how far
 * their boundaries are apart. */
template <unsigned int VDimension>
void
CompareWithFixedLabels(RegisterJob &                      job,
                       const RegisterInputs<VDimension> & inputs,
                       const std::string &                when,
                       const LabelImage<VDimension> &     labels);

/** The stages that labels have in a run. They are resampled through the whole map, and where there are fixed ones, as
 * they are, and as they are after an alignment; each comparison may measure distances. */
template <unsigned int VDimension>
unsigned int
CountLabelStages(const RegisterOptions & options, const RegisterInputs<VDimension> & inputs, bool aligns)
{
  if (inputs.movingLabels.IsNull() || inputs.fixedLabels.IsNull())
  {
    return inputs.movingLabels.IsNull() ? 0 : 1;
  }
  return (aligns ? 3 : 2) * (options.measuresLabelDistances ? 2 : 1);
}

#endif
