// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_JacobianStatistics_h
#define cudaneuro_fields_JacobianStatistics_h

#include "core/HostDevice.h"
#include "cudaneuro/DisplacementField.h"
#include "fields/JacobianHistogram.h"

#include <cmath>
#include <limits>

namespace cudaneuro
{

/** Statistics of the determinants of some voxels, for both compilers. */
struct JacobianPartial
{
  double       sumOfLogarithms;
  double       sumOfSquares;
  std::int64_t count;
  std::int64_t folded;
  float        minimum;
  float        maximum;

  CUDANEURO_HOST_DEVICE static JacobianPartial
  Empty()
  {
    return { 0.0, 0.0, 0, 0, HUGE_VALF, -HUGE_VALF };
  }

  CUDANEURO_HOST_DEVICE void
  Add(float determinant)
  {
    minimum = determinant < minimum ? determinant : minimum;
    maximum = determinant > maximum ? determinant : maximum;
    const bool   isPositive = determinant > 0.0f;
    const double logarithm = std::log(isPositive ? determinant : 1.0f);
    sumOfLogarithms += logarithm;
    sumOfSquares += logarithm * logarithm;
    count += isPositive ? 1 : 0;
    folded += isPositive ? 0 : 1;
  }

  CUDANEURO_HOST_DEVICE void
  Include(const JacobianPartial & other)
  {
    sumOfLogarithms += other.sumOfLogarithms;
    sumOfSquares += other.sumOfSquares;
    count += other.count;
    folded += other.folded;
    minimum = other.minimum < minimum ? other.minimum : minimum;
    maximum = other.maximum > maximum ? other.maximum : maximum;
  }
};

/** Returns the result. Minimum and maximum are NaN if no determinant is a number. The standard deviation is that of a
 * sample. \param counts number of determinants by JacobianBin */
inline JacobianResult
MakeJacobianResult(const JacobianPartial & partial, const std::vector<std::int64_t> & counts)
{
  constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
  JacobianResult   result;
  const bool       hasNumbers = partial.minimum <= partial.maximum;
  result.minimum = hasNumbers ? partial.minimum : notANumber;
  result.maximum = hasNumbers ? partial.maximum : notANumber;
  result.numberOfFoldedVoxels = partial.folded;
  if (partial.count > 0)
  {
    result.meanLogarithm = partial.sumOfLogarithms / static_cast<double>(partial.count);
    SetPercentiles(counts, result);
  }
  if (partial.count > 1)
  {
    const double squares = partial.sumOfSquares - partial.sumOfLogarithms * result.meanLogarithm;
    result.standardDeviationLogarithm =
      std::sqrt(squares > 0.0 ? squares / static_cast<double>(partial.count - 1) : 0.0);
  }
  return result;
}

} // namespace cudaneuro

#endif
