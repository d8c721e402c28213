// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationSteps_h
#define RegistrationSteps_h

#include "data/RegistrationPair.h"
#include "Timing.h"
#include "cudaneuro/Registration.h"

namespace cudaneuro::benchmark
{

/** The parts of a step that are timed. */
enum class StepPart
{
  Force,
  Velocity,
  Advection
};

/** Returns the milliseconds of a part of a step, which starts at the map half way between the images. */
double
TimeStep(const Repetition &             repetition,
         Context &                      context,
         const RegistrationPair &       pair,
         const RegistrationParameters & parameters,
         StepPart                       part);

} // namespace cudaneuro::benchmark

#endif
