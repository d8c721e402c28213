// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelComparison_h
#define apps_register_LabelComparison_h

#include "register/RegisterJob.h"

/** Compares labels of the moving image, resampled to the fixed image's grid, with the fixed ones. */

/** Reports the overlap of labels with the fixed ones at a stage, such as "before" registration, and, if requested, the
 * distances of their boundaries. */
template <unsigned int VDimension>
void
CompareWithFixedLabels(RegisterJob &                      job,
                       const RegisterInputs<VDimension> & inputs,
                       const std::string &                when,
                       const LabelImage<VDimension> &     labels);

/** Returns the number of a run's stages for labels. They are resampled through the whole map and, if there are fixed
 * ones, through the identity and the alignment; each comparison may measure distances. */
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
