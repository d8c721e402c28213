// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroVelocityEquation_h
#define itkCudaNeuroVelocityEquation_h

#include "itkCudaNeuroMacros.h"

/** The functions by which users set and get the equation that makes a velocity of a force. A base class would not do:
 * Python has the functions of wrapped classes only.
 * \param registration where cudaneuro::RegistrationParameters is in m_Parameters: nothing, or a member with a point
 * after it */
#define itkCudaNeuroVelocityEquationMacro(registration) \
  itkCudaNeuroParameterMacro(Alpha, double, registration alpha); \
  itkCudaNeuroParameterMacro(Beta, double, registration beta); \
  itkCudaNeuroParameterMacro(Gamma, double, registration gamma); \
  itkCudaNeuroParameterMacro(FirstSweeps, unsigned int, registration firstSweeps); \
  itkCudaNeuroParameterMacro(Sweeps, unsigned int, registration sweeps)

#endif
