// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricEvaluator_h
#define cudaneuro_metrics_MetricEvaluator_h

#include "cudaneuro/Context.h"
#include "cudaneuro/Geometry.h"
#include "cudaneuro/RegistrationMetric.h"
#include "core/Dispatch.h"
#include "core/SoAField.h"

#include <algorithm>
#include <memory>

namespace cudaneuro
{

/** Flags for the sides of a grid: the lower and the upper one along each axis. */
struct GridSides
{
  bool lower[3] = {};
  bool upper[3] = {};
};

inline bool
IsAny(const GridSides & sides)
{
  const auto isSet = [](bool side) { return side; };
  return std::any_of(sides.lower, sides.lower + 3, isSet) || std::any_of(sides.upper, sides.upper + 3, isSet);
}

/** A fixed image, and a moving image that is sampled through maps of the fixed image's indices, in memory of the
 * context's device. The unit of intensities depends on the metric: bins for MutualInformation, see
 * MutualInformationFormulas.h; for the other metrics, values with a variance of about 1. */
struct ImageComparison
{
  Extent        fixedExtent;
  const float * fixed = nullptr;
  /** The mask of the fixed image; it may be null. */
  const unsigned char * fixedMask = nullptr;
  Extent                movingExtent;
  const float *         moving = nullptr;
  /** The mask of the moving image; it may be null. A position is inside if the nearest voxel is. */
  const unsigned char * movingMask = nullptr;
  /** Sides on which the moving image is extended by its border values; voxels that are mapped there count. */
  GridSides extended;
  /** The weight of each voxel of the fixed image, in 255ths; null if all weights are equal. With LocalCorrelation, the
   * weight of the box around the voxel. MeanSquares ignores it. */
  const unsigned char * fixedWeights = nullptr;
  /** Whether a voxel's weight decreases with its distance beyond the sides that are not extended, to 0 at one voxel
   * beyond the last center, so that the number of voxels has a derivative. Otherwise it counts in full up to half a
   * voxel beyond. For MutualInformation only. */
  bool fadesOut = false;

  /** Returns how far beyond its outermost centers the moving image is sampled, in voxels. */
  float
  Reach() const
  {
    return fadesOut ? 1.0f : 0.5f;
  }

  /** Returns whether voxels have different weights. */
  bool
  IsWeighted() const
  {
    return fixedWeights != nullptr || fadesOut;
  }
};

struct MetricShape
{
  RegistrationMetric metric = RegistrationMetric::MutualInformation;
  int                numberOfHistogramBins = 32;
  int                correlationRadius = 3;
};

/** One map of indices, and the metric for it. */
struct MapEvaluation
{
  /** The map from indices of the fixed image to indices of the moving image. */
  AffineMap indexMap;
  /** The metric; infinite if count is 0. */
  double value = 0.0;
  /** The sum of the weights of the voxels of the fixed image that were included. */
  double count = 0.0;
  /** The derivatives by the matrix, stored by rows, and by the offset of the index map. If voxels fade out, the change
   * of the count is included: they are those of count times value, divided by count. */
  double derivativeByMatrix[9] = {};
  double derivativeByOffset[3] = {};
};

/** Evaluates a metric for many maps at once. */
class MetricEvaluator
{
public:
  MetricEvaluator() = default;
  virtual ~MetricEvaluator() = default;
  MetricEvaluator(const MetricEvaluator &) = delete;
  MetricEvaluator &
  operator=(const MetricEvaluator &) = delete;

  /** Evaluates all maps and waits for the results. Derivatives are set only if requested. */
  virtual void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) = 0;
};

/** Makes an evaluator. \param comparison volumes must outlive the evaluator, and must not change. */
CUDANEURO_DISPATCHED(std::unique_ptr<MetricEvaluator> MakeMetricEvaluator(Context &               context,
                                                                          const MetricShape &     shape,
                                                                          const ImageComparison & comparison));

} // namespace cudaneuro

#endif
