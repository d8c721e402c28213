// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroVelocityEquation_h
#define itkCudaNeuroVelocityEquation_h

#include "cudaneuro/Registration.h"
#include "itkCudaNeuroDetail.h"
#include "itkIndent.h"

#include <ostream>

namespace itk::CudaNeuroDetail
{

/** The equation that makes a velocity of a force, and how it is solved. For the module's own classes. */
struct VelocityEquation
{
  double       alpha = 1.0;
  double       beta = 0.0;
  double       gamma = 0.02;
  unsigned int firstSweeps = 100;
  unsigned int sweeps = 5;

  void
  SetTo(cudaneuro::RegistrationParameters & parameters) const
  {
    parameters.alpha = alpha;
    parameters.beta = beta;
    parameters.gamma = gamma;
    parameters.firstSweeps = ToInt(firstSweeps, "FirstSweeps");
    parameters.sweeps = ToInt(sweeps, "Sweeps");
  }

  void
  Print(std::ostream & os, Indent indent) const
  {
    os << indent << "Alpha: " << alpha << std::endl;
    os << indent << "Beta: " << beta << std::endl;
    os << indent << "Gamma: " << gamma << std::endl;
    os << indent << "FirstSweeps: " << firstSweeps << std::endl;
    os << indent << "Sweeps: " << sweeps << std::endl;
  }
};

} // namespace itk::CudaNeuroDetail

/** Set and get a number of the VelocityEquation m_Equation. */
#define itkCudaNeuroSetGetOfEquationMacro(name, member, type) \
  virtual void Set##name(type value) \
  { \
    if (m_Equation.member != value) \
    { \
      m_Equation.member = value; \
      this->Modified(); \
    } \
  } \
  virtual type Get##name() const \
  { \
    return m_Equation.member; \
  } \
  static_assert(true, "so that a semicolon follows")

/** The functions by which users set and get the equation. The class has the VelocityEquation m_Equation. A base class would not do:
 * Python has the functions of wrapped classes only. */
#define itkCudaNeuroVelocityEquationMacro() \
  itkCudaNeuroSetGetOfEquationMacro(Alpha, alpha, double); \
  itkCudaNeuroSetGetOfEquationMacro(Beta, beta, double); \
  itkCudaNeuroSetGetOfEquationMacro(Gamma, gamma, double); \
  itkCudaNeuroSetGetOfEquationMacro(FirstSweeps, firstSweeps, unsigned int); \
  itkCudaNeuroSetGetOfEquationMacro(Sweeps, sweeps, unsigned int)

#endif
