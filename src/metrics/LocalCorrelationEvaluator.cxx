// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/LocalCorrelationEvaluator.h"

#include <limits>

namespace cudaneuro
{

void
SetEvaluation(const double * sums, bool withDerivatives, MapEvaluation & evaluation)
{
  const double count = sums[correlationCountSum];
  evaluation.count = count;
  evaluation.value = count > 0.0 ? 1.0 + sums[correlationEnergySum] / count : std::numeric_limits<double>::infinity();
  if (!withDerivatives)
  {
    return;
  }
  const double weight = count > 0.0 ? 1.0 / count : 0.0;
  for (int i = 0; i < 9; ++i)
  {
    evaluation.derivativeByMatrix[i] = weight * sums[correlationMatrixSums + i];
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    evaluation.derivativeByOffset[axis] = weight * sums[correlationOffsetSums + axis];
  }
}

} // namespace cudaneuro
