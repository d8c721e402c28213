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

/** Sides of a grid: the lower and the upper one along each axis. */
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

/** A fixed image, and a moving image that is seen through maps of the fixed image's indices, in memory of the
 * context's device. Intensities are in the units that the metric wants: bins for MutualInformation, see
 * MutualInformationFormulas.h, and for the other metrics values whose variance is about 1. */
struct ImageComparison
{
  Extent        fixedExtent;
  const float * fixed = nullptr;
  /** May be null. */
  const unsigned char * fixedMask = nullptr;
  Extent                movingExtent;
  const float *         moving = nullptr;
  /** May be null. A position is inside where the voxel nearest to it is. */
  const unsigned char * movingMask = nullptr;
  /** Sides on which the moving image is extended by its border values; voxels that are mapped there count. */
  GridSides extended;
  /** How much a voxel of the fixed image counts, in 255ths; null where all count the same. With LocalCorrelation,
   * how much the box around it counts. Not of MeanSquares. */
  const unsigned char * fixedWeights = nullptr;
  /** Whether a voxel counts less the farther it sees beyond another side: nothing from a voxel beyond the last
   * center on, so that the number of voxels has a derivative. Else it counts whole to half a voxel beyond. Of
   * MutualInformation alone. */
  bool fadesOut = false;

  /** How far beyond its outermost centers the moving image is seen, in voxels. */
  float
  Reach() const
  {
    return fadesOut ? 1.0f : 0.5f;
  }

  /** Whether voxels count differently. */
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

/** One map of indices and its metric. */
struct MapEvaluation
{
  /** From indices of the fixed image to indices of the moving image. */
  AffineMap indexMap;
  /** Infinite where count is 0. */
  double value = 0.0;
  /** Voxels of the fixed image that took part, each by what it counts. */
  double count = 0.0;
  /** By the matrix, stored by rows, and by the offset of the index map. Where voxels fade out, what the change of
   * the count adds to count times value is among them. */
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

  /** Waits for the results. Derivatives are left as they are where they are not wanted. */
  virtual void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) = 0;
};

/** \param comparison volumes must live as long as the evaluator, and stay as they are. */
CUDANEURO_DISPATCHED(std::unique_ptr<MetricEvaluator> MakeMetricEvaluator(Context &               context,
                                                                          const MetricShape &     shape,
                                                                          const ImageComparison & comparison));

} // namespace cudaneuro

#endif
