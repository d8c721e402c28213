// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_LinearStage_h
#define apps_register_LinearStage_h

#include "register/inputs/LinearOptions.h"
#include "register/inputs/RegisterInputs.h"

/** Aligns the images of a run, and reports the result, under "/alignment", and the seconds. The filter warns of an
 * unsuccessful alignment. */
template <unsigned int VDimension>
void
Align(const ComputeOptions &             compute,
      const RegisterInputs<VDimension> & inputs,
      LinearFilter<VDimension> &         filter,
      RegisterReport &                   report);

#endif
