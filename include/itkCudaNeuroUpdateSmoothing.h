// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroUpdateSmoothing_h
#define itkCudaNeuroUpdateSmoothing_h

#include "cudaneuro/Registration.h"
#include "itkCudaNeuroDetail.h"
#include "itkFixedArray.h"
#include "itkIndent.h"
#include "itkMacro.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ostream>
#include <vector>

namespace itk::CudaNeuroDetail
{

/** Default standard deviations in voxels of a level; the last is that of the finest level. */
constexpr double usualUpdateSigmas[] = { 4.0, 3.0, 2.0, 1.5 };

/** Returns the values for a number of levels, coarsest first: levels coarser than the values above take the first of
 * them, and a single level takes the last. */
inline std::vector<double>
UsualUpdateSigmas(std::size_t numberOfLevels)
{
  constexpr std::size_t count = sizeof(usualUpdateSigmas) / sizeof(double);
  std::vector<double>   sigmas;
  for (std::size_t finer = numberOfLevels; finer-- > 0;)
  {
    sigmas.push_back(usualUpdateSigmas[count - 1 - std::min(finer, count - 1)]);
  }
  return sigmas;
}

/** The Gaussian by which a velocity is computed from a force. For the module's own classes. */
template <unsigned int VDimension>
class UpdateSmoothing
{
public:
  using StandardDeviationsType = FixedArray<double, VDimension>;

  /** \name Setters, which return whether anything has changed. Each replaces what the other has set. */
  ///@{
  bool
  Set(const StandardDeviationsType & sigmas)
  {
    if (m_IsSet && m_PerLevel.empty() && m_Sigmas == sigmas)
    {
      return false;
    }
    m_IsSet = true;
    m_Sigmas = sigmas;
    m_PerLevel.clear();
    return true;
  }
  bool
  SetPerLevel(const std::vector<double> & sigmas)
  {
    const bool differs = m_PerLevel != sigmas;
    m_PerLevel = sigmas;
    return differs;
  }
  ///@}

  /** Returns the values of all levels, or, until they are set, the default of the finest level. */
  const StandardDeviationsType &
  Get() const
  {
    return m_Sigmas;
  }
  /** Returns the values per level that were set; empty otherwise. */
  const std::vector<double> &
  GetPerLevel() const
  {
    return m_PerLevel;
  }

  /** \param parameters the engine's, with levels.
   * \param none the value for an axis that the image does not have */
  void
  SetTo(cudaneuro::RegistrationParameters & parameters, double none) const
  {
    const std::size_t levels = parameters.levels.size();
    if (!m_PerLevel.empty() && m_PerLevel.size() != levels)
    {
      itkGenericExceptionMacro("UpdateFieldStandardDeviationsPerLevel has "
                               << m_PerLevel.size() << " values; it must have one for each of the " << levels
                               << " levels");
    }
    parameters.updateFieldStandardDeviations = ThreeAxes(m_Sigmas, VDimension, none);
    parameters.updateFieldStandardDeviationsPerLevel.clear();
    if (m_PerLevel.empty() && m_IsSet)
    {
      return;
    }
    for (const double sigma : m_PerLevel.empty() ? UsualUpdateSigmas(levels) : m_PerLevel)
    {
      parameters.updateFieldStandardDeviationsPerLevel.push_back(
        ThreeAxes(StandardDeviationsType(sigma), VDimension, none));
    }
  }

  void
  Print(std::ostream & os, Indent indent) const
  {
    os << indent << "UpdateFieldStandardDeviations: " << m_Sigmas << std::endl;
    os << indent << "UpdateFieldStandardDeviationsPerLevel: " << ListOf(m_PerLevel) << std::endl;
  }

private:
  StandardDeviationsType m_Sigmas{ *(std::end(usualUpdateSigmas) - 1) };
  bool                   m_IsSet = false;
  std::vector<double>    m_PerLevel;
};

} // namespace itk::CudaNeuroDetail

/** The functions by which users set and get that Gaussian. The class must have StandardDeviationsType, RealVectorType,
 * and the UpdateSmoothing m_UpdateSmoothing. They are not a base class, because Python has the functions of wrapped
 * classes only. */
#define itkCudaNeuroUpdateSmoothingMacro() \
  virtual void SetUpdateFieldStandardDeviations(StandardDeviationsType sigmas) \
  { \
    if (m_UpdateSmoothing.Set(sigmas)) \
    { \
      this->Modified(); \
    } \
  } \
  void SetUpdateFieldStandardDeviations(double sigma) \
  { \
    this->SetUpdateFieldStandardDeviations(StandardDeviationsType(sigma)); \
  } \
  virtual const StandardDeviationsType & GetUpdateFieldStandardDeviations() const \
  { \
    return m_UpdateSmoothing.Get(); \
  } \
  virtual void SetUpdateFieldStandardDeviationsPerLevel(const RealVectorType & sigmas) \
  { \
    if (m_UpdateSmoothing.SetPerLevel(sigmas)) \
    { \
      this->Modified(); \
    } \
  } \
  virtual const RealVectorType & GetUpdateFieldStandardDeviationsPerLevel() const \
  { \
    return m_UpdateSmoothing.GetPerLevel(); \
  } \
  static_assert(true, "so that a semicolon follows")

#endif
