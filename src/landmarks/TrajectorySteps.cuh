// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_TrajectorySteps_cuh
#define cudaneuro_landmarks_TrajectorySteps_cuh

#include "landmarks/TrajectoryArguments.h"

/** The steps of landmarks/Integrator.h and their adjoints, for one number of one point. */
namespace cudaneuro
{

/** \returns the state of the next stage, or of the next step after the last stage
 * \param begin the state at the beginning of the step
 * \param slopes the weighted slopes of the step so far; not read in the first stage */
template <typename T>
__device__ __forceinline__ T
NextState(const TrajectoryArguments<T> & arguments, int stage, T begin, T slope, T & slopes)
{
  slopes = arguments.weight[stage] * slope + (stage > 0 ? slopes : T(0));
  return stage + 1 == arguments.stages ? begin + slopes : begin + arguments.advance[stage + 1] * slope;
}

/** \returns k of the previous stage, or of the last stage of the previous step after the first stage
 * \param part w of this stage
 * \param sum of the parts of the step so far, including this one, and the adjoint of the step's end
 * \param carried the adjoint of the step's end; becomes that of the previous step after the first stage */
template <typename T>
__device__ __forceinline__ T
PreviousAdjoint(const TrajectoryArguments<T> & arguments, int stage, T part, T sum, T & carried)
{
  if (stage > 0)
  {
    return arguments.weight[stage - 1] * carried + arguments.advance[stage] * part;
  }
  carried = sum;
  return arguments.weight[arguments.stages - 1] * sum;
}

} // namespace cudaneuro

#endif
