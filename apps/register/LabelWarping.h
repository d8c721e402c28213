// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelWarping_h
#define apps_register_LabelWarping_h

#include "register/RegisterInputs.h"

/** Takes labels of the moving image to the fixed image's grid, each with one interpolation by nearest neighbor. */

/** Resamples the labels through a field, which may be null, and then a linear transform, which may be null. */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
WarpLabels(const ComputeOptions &             compute,
           const RegisterInputs<VDimension> & inputs,
           const DeviceField<VDimension> *    field,
           const TransformOf<VDimension> *    transform);

/** Resamples the labels through any transform; null is the identity. */
template <unsigned int VDimension>
typename LabelImage<VDimension>::Pointer
WarpLabelsBy(const ComputeOptions &             compute,
             const RegisterInputs<VDimension> & inputs,
             const TransformOf<VDimension> *    transform);

/** How often labels are resampled in a run: through the whole map, and where there are labels to compare them with, as
 * they are, and as they are after an alignment. */
template <unsigned int VDimension>
unsigned int
CountWarpings(const RegisterInputs<VDimension> & inputs, bool aligns)
{
  return inputs.movingLabels.IsNull() ? 0 : inputs.fixedLabels.IsNull() ? 1 : aligns ? 3 : 2;
}

/** Notes how labels overlap with the fixed ones: "before" registration, for example. */
template <unsigned int VDimension>
void
NoteOverlap(RegisterReport &                   report,
            const RegisterInputs<VDimension> & inputs,
            const std::string &                when,
            const LabelImage<VDimension> &     labels);

#endif
