// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_LocalCorrelationEvaluator_h
#define cudaneuro_metrics_LocalCorrelationEvaluator_h

#include "core/Dispatch.h"
#include "metrics/MetricEvaluator.h"

/** The local correlation of a fixed image with a moving image that is mapped by affine maps.
 *
 * W(x) = moving(A x + b) has a value at each included voxel x of the fixed image. The metric is
 * 1 - sum w(x) c(x)^2 / sum w(x), over these voxels, where w is the weight of a voxel and c(x) is the correlation of W
 * with the fixed image over the voxels with a value in the box around x, clipped at the border of the grid. The
 * variances are increased by correlationVarianceFloor, so that constant regions have no correlation.
 *
 * Besides the comparison, there are ten volumes of float on the fixed grid, allocated when the evaluator is made.
 * Maps of a batch are evaluated one after the other; on a GPU, the host waits once per batch. */
namespace cudaneuro
{

/** Indices of the sums of one evaluation, which both devices add in double precision and in a fixed order. */
enum CorrelationSum
{
  /** Minus the sum of squared correlations. */
  correlationEnergySum = 0,
  correlationCountSum,
  /** The derivatives of the energy by the matrix, stored by rows, and by the offset. */
  correlationMatrixSums,
  correlationOffsetSums = correlationMatrixSums + 9,
  correlationEvaluationSums = correlationOffsetSums + 3
};

/** Computes the evaluation from its sums. */
void
SetEvaluation(const double * sums, bool withDerivatives, MapEvaluation & evaluation);

CUDANEURO_ON_BOTH(std::unique_ptr<MetricEvaluator> MakeLocalCorrelationEvaluator(Context &               context,
                                                                                 const MetricShape &     shape,
                                                                                 const ImageComparison & comparison));

} // namespace cudaneuro

#endif
