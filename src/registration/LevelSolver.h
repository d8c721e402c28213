// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelSolver_h
#define cudaneuro_registration_LevelSolver_h

#include "core/SoAField.h"
#include "cudaneuro/Registration.h"

#include <limits>

namespace cudaneuro
{

/** Two images on one grid, in memory of the context's device. NaN stands for "no value": there is no force from it. */
struct LevelProblem
{
  Extent        extent;
  const float * moving = nullptr;
  const float * fixed = nullptr;
  /** Turns the derivative of the energy by displacements in voxels into a descent direction in mm: 1 / spacing^2 an axis,
   * times the smallest spacing squared. */
  std::array<float, 3> metric{ 1.0f, 1.0f, 1.0f };
  int                  level = 0;
  int                  iterations = 0;
};

/** Takes the iterations of a level in order as they become known. */
class LevelObserver
{
public:
  virtual ~LevelObserver() = default;

  /** \returns false to end the level.
   * \throws Aborted */
  virtual bool
  Observe(const RegistrationIteration & iteration) = 0;
};

struct LevelResult
{
  /** Of the map that the level ends with. */
  RegistrationIteration final;
  int                   numberOfShortenedSteps = 0;
  /** The observer ended it. */
  bool wasStopped = false;
};

/** The choices of step that the iterations make, on either device. */
struct StepControl
{
  double maximumStep = 0.5;
  double convergenceThreshold = 0.0;

  static constexpr int    convergenceWindow = 10;
  static constexpr double scaleAfterFold = 0.5;
  static constexpr double scaleAfterRise = 0.7;
  static constexpr double scaleAfterFall = 1.1;
};

/** Improves \p displacement, u in h(x) = x - u(x), which must not fold; when an exception leaves, it holds the last map
 * that did not fold. */
LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer);

namespace cpu
{
LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer);
}

namespace gpu
{
LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer);
}

} // namespace cudaneuro

#endif
