// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LabelWarping_h
#define apps_register_LabelWarping_h

#include "register/inputs/RegisterInputs.h"

/** Resamples labels of the moving image to the fixed image's grid, in one interpolation by nearest neighbor. */

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

#endif
