// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelState_cuh
#define cudaneuro_registration_LevelState_cuh

#include "core/SoAField.h"

namespace cudaneuro
{

/** What the kernels of a level tell each other, in device memory. The host only reads copies of it. */
struct LevelState
{
  /** 0 when the level has converged: all kernels return at once. */
  int run;
  /** 0 after a fold: the velocity stays, for a shorter step. */
  int solve;
  /** Which of the two fields holds the last map that did not fold; the other is the candidate. */
  int current;
  /** Records written. */
  int records;
  int shortenedSteps;
  /** Of the step, 1 at most. */
  float scale;
  /** Bits of the float: largest squared length of the velocity. */
  unsigned int largestSquare;
  /** Of the last map that did not fold. */
  double energy;
};

/** One a candidate, in order. */
struct LevelRecord
{
  double imageEnergy;
  double biasEnergy;
  float  minimumJacobian;
  float  scale;
  int    folded;
};

/** The two fields of displacements that take turns. */
struct CandidatePair
{
  SoAField first;
  SoAField second;

  __device__ __forceinline__ SoAField
  Current(const LevelState & state) const
  {
    return Choose(state.current == 0, first, second);
  }
  __device__ __forceinline__ SoAField
  Candidate(const LevelState & state) const
  {
    return Choose(state.current == 0, second, first);
  }

private:
  __device__ __forceinline__ static SoAField
  Choose(bool condition, const SoAField & a, const SoAField & b)
  {
    return { condition ? a.x : b.x, condition ? a.y : b.y, condition ? a.z : b.z };
  }
};

/** What a block of the force kernel leaves for the sums. */
struct ForcePartial
{
  double imageEnergy;
  double biasEnergy;
  float  minimumJacobian;
};

} // namespace cudaneuro

#endif
