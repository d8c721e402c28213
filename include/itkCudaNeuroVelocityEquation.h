// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroVelocityEquation_h
#define itkCudaNeuroVelocityEquation_h

#include "itkCudaNeuroMacros.h"

/** The functions by which users set and get the equation from which a velocity is computed. They are not a base class,
 * because Python has the functions of wrapped classes only.
 * \param registration where cudaneuro::RegistrationParameters is in m_Parameters: nothing, or a member followed by a
 * point */
#define itkCudaNeuroVelocityEquationMacro(registration) \
  itkCudaNeuroParameterMacro(Alpha, double, registration alpha); \
  itkCudaNeuroParameterMacro(Beta, double, registration beta); \
  itkCudaNeuroParameterMacro(Gamma, double, registration gamma); \
  itkCudaNeuroParameterMacro(FirstSweeps, unsigned int, registration firstSweeps); \
  itkCudaNeuroParameterMacro(Sweeps, unsigned int, registration sweeps)

#endif
