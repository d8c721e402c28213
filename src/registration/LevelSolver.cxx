// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"

#include "core/BuildConfiguration.h"

namespace cudaneuro
{

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  if constexpr (builtWithCuda)
  {
    if (context.GetDevice().IsCuda())
    {
      return gpu::RunLevel(context, parameters, problem, displacement, observer);
    }
  }
  return cpu::RunLevel(context, parameters, problem, displacement, observer);
}

} // namespace cudaneuro
