// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef RegistrationSteps_h
#define RegistrationSteps_h

#include "RegistrationPair.h"
#include "core/SoAField.h"
#include "registration/LevelSolver.h"

#include <functional>

namespace cudaneuro::benchmark
{

/** The fields that the steps of an iteration work on, in memory of the context's device. */
struct StepFields
{
  /** u in h(x) = x - u(x); stays as it is. */
  SoAField displacement;
  /** Where it is carried to. */
  SoAField carried;
  SoAField force;
  SoAField velocity;
  SoAField scratch;
};

/** The steps of an iteration, each of which may be repeated: it leaves alone what it reads. */
struct RegistrationSteps
{
  std::function<void()> force;
  /** Of the last force. */
  std::function<void()> velocity;
  /** Absent on the CPU. It moves by the last velocity. */
  std::function<void()> carry;
};

/** To be called, as the steps are, inside a job; on a GPU the steps are enqueued. What is given must outlive them. */
RegistrationSteps
MakeCudaSteps(Context &                      context,
              const RegistrationParameters & parameters,
              const LevelProblem &           problem,
              const StepFields &             fields);
RegistrationSteps
MakeHostSteps(Context &                      context,
              const RegistrationParameters & parameters,
              const LevelProblem &           problem,
              const StepFields &             fields);

/** Milliseconds of one of the steps, between the images of the pair, from half way. */
double
TimeStep(const Repetition &             repetition,
         Context &                      context,
         const RegistrationPair &       pair,
         const RegistrationParameters & parameters,
         std::function<void()> RegistrationSteps::*step);

} // namespace cudaneuro::benchmark

#endif
