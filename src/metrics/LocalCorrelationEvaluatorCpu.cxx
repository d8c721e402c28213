// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/LocalCorrelationEvaluator.h"

#include "core/ParallelRows.h"
#include "metrics/ComparisonFormulas.h"
#include "metrics/correlation/LocalCorrelationCpu.h"

#include <array>
#include <limits>
#include <vector>

namespace cudaneuro::cpu
{
namespace
{

using EvaluationSums = std::array<double, correlationEvaluationSums>;

/** Sums over the voxels of a row. */
struct RowSums
{
  double byPosition[3] = {};
  double timesX[3] = {};

  CUDANEURO_ALWAYS_INLINE void
  Add(float derivative, const ValueAndGradient & moving, int x)
  {
    const float gradient[3] = { moving.x, moving.y, moving.z };
    for (int axis = 0; axis < 3; ++axis)
    {
      const auto product = static_cast<double>(derivative * gradient[axis]);
      byPosition[axis] += product;
      timesX[axis] += product * x;
    }
  }

  CUDANEURO_ALWAYS_INLINE void
  AddTo(EvaluationSums & sums, int y, int z) const
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      double * const row = sums.data() + correlationMatrixSums + 3 * axis;
      row[0] += timesX[axis];
      row[1] += byPosition[axis] * y;
      row[2] += byPosition[axis] * z;
      sums[correlationOffsetSums + axis] += byPosition[axis];
    }
  }
};

class LocalCorrelationEvaluator : public MetricEvaluator
{
public:
  LocalCorrelationEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
    : m_Context(context)
    , m_Comparison(comparison)
    , m_Rows(comparison.fixedExtent)
    , m_Correlation(context, comparison.fixedExtent, shape.correlationRadius)
  {}

  void
  Evaluate(MapEvaluation * evaluations, int count, bool withDerivatives) override
  {
    for (int i = 0; i < count; ++i)
    {
      const IndexTransform transform = MakeIndexTransform(evaluations[i].indexMap);
      this->SeeMovingImage(transform);
      const CorrelationEnergy energy = m_Correlation.ComputeTerms(
        m_Comparison.fixed,
        m_Comparison.fixedWeights == nullptr ? BoxesOf::VoxelsWithValue : BoxesOf::WeightedVoxels,
        m_Comparison.fixedWeights);
      EvaluationSums sums{};
      if (withDerivatives)
      {
        float * const derivative = m_Correlation.GetSpareVolume();
        m_Correlation.ComputeDerivative(m_Comparison.fixed, derivative);
        sums = this->SumDerivatives(transform, derivative);
      }
      sums[correlationEnergySum] = energy.energy;
      sums[correlationCountSum] = energy.count;
      SetEvaluation(sums.data(), withDerivatives, evaluations[i]);
    }
  }

private:
  /** Samples the moving image at the mapped voxels of the fixed image. */
  void
  SeeMovingImage(const IndexTransform & transform)
  {
    float * const seen = m_Correlation.GetDeformed();
    m_Rows.Run(m_Context, [&](std::int64_t, int y, int z, std::int64_t first) {
      for (int x = 0; x < m_Comparison.fixedExtent.x; ++x)
      {
        const SplitPosition position = MapVoxel<std::int64_t>(transform, x, y, z);
        float               value;
        const bool          takesPart = SampleMoving<std::int64_t>(m_Comparison, first + x, position, value);
        seen[first + x] = takesPart ? value : std::numeric_limits<float>::quiet_NaN();
      }
    });
  }

  /** Returns the sums of the derivatives by the map. */
  EvaluationSums
  SumDerivatives(const IndexTransform & transform, const float * derivative)
  {
    std::vector<EvaluationSums> tasks(static_cast<std::size_t>(m_Rows.Count()), EvaluationSums{});
    const float * const         seen = m_Correlation.GetDeformed();
    m_Rows.Run(m_Context, [&](std::int64_t task, int y, int z, std::int64_t first) {
      RowSums row;
      for (int x = 0; x < m_Comparison.fixedExtent.x; ++x)
      {
        if (seen[first + x] == seen[first + x])
        {
          const SampleCell cell(MapVoxel<std::int64_t>(transform, x, y, z), m_Comparison.movingExtent);
          row.Add(derivative[first + x], SampleWithGradient(cell, m_Comparison.moving), x);
        }
      }
      row.AddTo(tasks[static_cast<std::size_t>(task)], y, z);
    });
    EvaluationSums sums{};
    for (const EvaluationSums & ofTask : tasks)
    {
      for (std::size_t i = 0; i < sums.size(); ++i)
      {
        sums[i] += ofTask[i];
      }
    }
    return sums;
  }

  Context &        m_Context;
  ImageComparison  m_Comparison;
  ParallelRows     m_Rows;
  LocalCorrelation m_Correlation;
};

} // namespace

std::unique_ptr<MetricEvaluator>
MakeLocalCorrelationEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
{
  return std::make_unique<LocalCorrelationEvaluator>(context, shape, comparison);
}

} // namespace cudaneuro::cpu
