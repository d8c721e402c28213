// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroLevelSchedule_h
#define itkCudaNeuroLevelSchedule_h

#include "cudaneuro/Registration.h"
#include "itkCudaNeuroDetail.h"
#include "itkFixedArray.h"
#include "itkImageBase.h"
#include "itkIndent.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

namespace itk::CudaNeuroDetail
{

/** The resolutions of a registration, and the number of iterations of each. For the module's own classes. */
template <unsigned int VDimension>
class LevelSchedule
{
public:
  using ShrinkFactorsType = FixedArray<unsigned int, VDimension>;
  using UnsignedVectorType = std::vector<unsigned int>;

  /** \param finestIterations the iterations of the last level until iterations are set. */
  LevelSchedule(unsigned int levels, unsigned int iterations, unsigned int finestIterations)
    : m_NumberOfLevels(levels)
    , m_NumberOfIterations(iterations)
    , m_FinestIterations(finestIterations)
  {}

  /** \name Setters, which return whether anything has changed. */
  ///@{
  bool
  SetNumberOfLevels(unsigned int levels)
  {
    if (m_NumberOfLevels == levels)
    {
      return false;
    }
    m_NumberOfLevels = levels;
    m_ShrinkFactors.clear();
    return true;
  }

  bool
  SetShrinkFactorsPerLevel(const UnsignedVectorType & factors)
  {
    std::vector<ShrinkFactorsType> shrinkFactors(factors.size());
    for (std::size_t level = 0; level < factors.size(); ++level)
    {
      shrinkFactors[level].Fill(factors[level]);
    }
    if (m_ShrinkFactors == shrinkFactors)
    {
      return false;
    }
    m_NumberOfLevels = static_cast<unsigned int>(factors.size());
    m_ShrinkFactors = shrinkFactors;
    return true;
  }

  bool
  SetShrinkFactorsPerDimension(unsigned int level, const ShrinkFactorsType & factors)
  {
    if (level >= m_ShrinkFactors.size())
    {
      itkGenericExceptionMacro("There are shrink factors of " << m_ShrinkFactors.size() << " levels and none of level "
                                                              << level << "; call SetShrinkFactorsPerLevel first");
    }
    const bool differs = m_ShrinkFactors[level] != factors;
    m_ShrinkFactors[level] = factors;
    return differs;
  }

  bool
  SetNumberOfIterations(unsigned int iterations)
  {
    if (m_NumberOfIterations == iterations && m_FinestIterations == iterations && m_IterationsPerLevel.empty())
    {
      return false;
    }
    m_NumberOfIterations = m_FinestIterations = iterations;
    m_IterationsPerLevel.clear();
    return true;
  }

  bool
  SetNumberOfIterationsPerLevel(const UnsignedVectorType & iterations)
  {
    const bool differs = m_IterationsPerLevel != iterations;
    m_IterationsPerLevel = iterations;
    return differs;
  }
  ///@}

  unsigned int
  GetNumberOfLevels() const
  {
    return m_NumberOfLevels;
  }
  unsigned int
  GetNumberOfIterations() const
  {
    return m_NumberOfIterations;
  }
  const UnsignedVectorType &
  GetNumberOfIterationsPerLevel() const
  {
    return m_IterationsPerLevel;
  }
  /** Returns the factors that were set; empty for automatic ones. */
  const std::vector<ShrinkFactorsType> &
  GetShrinkFactors() const
  {
    return m_ShrinkFactors;
  }

  /** Returns the factors of a level of a registration on \p grid, which may be null if factors were set. */
  ShrinkFactorsType
  GetShrinkFactorsPerDimension(unsigned int level, const ImageBase<VDimension> * grid) const
  {
    if (level >= m_NumberOfLevels)
    {
      itkGenericExceptionMacro("There are " << m_NumberOfLevels << " levels, from 0, and none of number " << level);
    }
    return m_ShrinkFactors.empty() ? this->AutomaticShrinkFactors(level, grid) : m_ShrinkFactors[level];
  }

  /** Returns the levels for the engine. */
  std::vector<cudaneuro::RegistrationLevel>
  MakeLevels(const ImageBase<VDimension> * grid) const
  {
    if (m_NumberOfLevels == 0)
    {
      itkGenericExceptionMacro("NumberOfLevels is 0; it must be at least 1");
    }
    if (!m_IterationsPerLevel.empty() && m_IterationsPerLevel.size() != m_NumberOfLevels)
    {
      itkGenericExceptionMacro("NumberOfIterationsPerLevel has " << m_IterationsPerLevel.size()
                                                                 << " values; it must have one for each of the "
                                                                 << m_NumberOfLevels << " levels");
    }
    std::vector<cudaneuro::RegistrationLevel> levels;
    for (unsigned int level = 0; level < m_NumberOfLevels; ++level)
    {
      levels.push_back({ ThreeAxes(this->GetShrinkFactorsPerDimension(level, grid), VDimension, 1, "ShrinkFactors"),
                         ToInt(this->IterationsOf(level), "NumberOfIterations") });
    }
    return levels;
  }

  void
  Print(std::ostream & os, Indent indent) const
  {
    os << indent << "NumberOfLevels: " << m_NumberOfLevels << std::endl;
    os << indent << "ShrinkFactors: " << (m_ShrinkFactors.empty() ? "(automatic)" : ListOf(m_ShrinkFactors))
       << std::endl;
    os << indent << "NumberOfIterations: " << m_NumberOfIterations << std::endl;
    os << indent << "NumberOfIterationsPerLevel: " << ListOf(m_IterationsPerLevel) << std::endl;
  }

private:
  unsigned int
  IterationsOf(unsigned int level) const
  {
    if (!m_IterationsPerLevel.empty())
    {
      return m_IterationsPerLevel[level];
    }
    return level + 1 == m_NumberOfLevels ? m_FinestIterations : m_NumberOfIterations;
  }

  /** Returns powers of 2, less along axes with larger spacing and where a level would have fewer than 16 voxels. */
  ShrinkFactorsType
  AutomaticShrinkFactors(unsigned int level, const ImageBase<VDimension> * grid) const
  {
    constexpr double leastSize = 16.0;
    if (grid == nullptr)
    {
      itkGenericExceptionMacro(
        "The shrink factors follow from the image whose grid the results have, and there is none");
    }
    const auto & spacing = grid->GetSpacing();
    const auto & size = grid->GetLargestPossibleRegion().GetSize();
    // The spacing of an axis of one voxel means nothing.
    double leastSpacing = std::numeric_limits<double>::max();
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      leastSpacing = size[axis] > 1 ? std::min<double>(leastSpacing, spacing[axis]) : leastSpacing;
    }
    const double      factor = std::pow(2.0, static_cast<double>(m_NumberOfLevels - 1 - level));
    ShrinkFactorsType factors;
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      const double wanted = std::round(factor * leastSpacing / spacing[axis]);
      const double most = std::floor(static_cast<double>(size[axis]) / leastSize);
      factors[axis] = static_cast<unsigned int>(std::max(1.0, std::min(wanted, most)));
    }
    return factors;
  }

  unsigned int                   m_NumberOfLevels;
  std::vector<ShrinkFactorsType> m_ShrinkFactors;
  unsigned int                   m_NumberOfIterations;
  unsigned int                   m_FinestIterations;
  UnsignedVectorType             m_IterationsPerLevel;
};

} // namespace itk::CudaNeuroDetail

/** The functions by which users set and get the schedule of a registration, on the grid of the image that the
 * expression \p gridImage returns. The class must have ShrinkFactorsType, UnsignedVectorType, and the LevelSchedule
 * m_Schedule. They are not a base class, because Python has the functions of wrapped classes only. */
#define itkCudaNeuroLevelScheduleMacro(gridImage) \
  void SetNumberOfLevels(unsigned int levels) \
  { \
    if (m_Schedule.SetNumberOfLevels(levels)) \
    { \
      this->Modified(); \
    } \
  } \
  unsigned int GetNumberOfLevels() const \
  { \
    return m_Schedule.GetNumberOfLevels(); \
  } \
  void SetShrinkFactorsPerLevel(const UnsignedVectorType & factors) \
  { \
    if (m_Schedule.SetShrinkFactorsPerLevel(factors)) \
    { \
      this->Modified(); \
    } \
  } \
  void SetShrinkFactorsPerDimension(unsigned int level, const ShrinkFactorsType & factors) \
  { \
    if (m_Schedule.SetShrinkFactorsPerDimension(level, factors)) \
    { \
      this->Modified(); \
    } \
  } \
  ShrinkFactorsType GetShrinkFactorsPerDimension(unsigned int level) const \
  { \
    return m_Schedule.GetShrinkFactorsPerDimension(level, gridImage); \
  } \
  void SetNumberOfIterations(unsigned int iterations) \
  { \
    if (m_Schedule.SetNumberOfIterations(iterations)) \
    { \
      this->Modified(); \
    } \
  } \
  unsigned int GetNumberOfIterations() const \
  { \
    return m_Schedule.GetNumberOfIterations(); \
  } \
  void SetNumberOfIterationsPerLevel(const UnsignedVectorType & iterations) \
  { \
    if (m_Schedule.SetNumberOfIterationsPerLevel(iterations)) \
    { \
      this->Modified(); \
    } \
  } \
  const UnsignedVectorType & GetNumberOfIterationsPerLevel() const \
  { \
    return m_Schedule.GetNumberOfIterationsPerLevel(); \
  } \
  static_assert(true, "so that a semicolon follows")

#endif
