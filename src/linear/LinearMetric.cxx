// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/LinearMetric.h"

#include "jobs/DeviceJob.h"
#include "linear/GridOverlap.h"
#include "linear/LinearMetricChecks.h"
#include "linear/LinearMetricImages.h"
#include "linear/MapDerivative.h"
#include "linear/UncoveredVoxels.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

/** The derivatives by a map between indices of slices, without those by the third row and column. */
MapDerivative
InPlane(MapDerivative derivative)
{
  for (int k = 0; k < 3; ++k)
  {
    derivative.matrix[6 + k] = 0.0;
    derivative.matrix[3 * k + 2] = 0.0;
  }
  derivative.offset[2] = 0.0;
  return derivative;
}

/** A metric of one image with another one, which is sampled through maps of points. */
class MetricDirection
{
public:
  MetricDirection(Context &                      context,
                  const LinearMetricParameters & parameters,
                  const PreparedComparison &     images,
                  const Geometry &               from,
                  const Geometry &               to,
                  bool                           isExchanged)
    : m_IndexToPoint(IndexToPoint(from))
    , m_PointToIndex(PointToIndex(to))
    , m_IsFlat(IsFlat(from.grid))
    , m_Scale(isExchanged ? images.exchangedScale : 1.0)
    , m_NumberOfVoxels(isExchanged ? images.moving.numberOfVoxels : images.fixed.numberOfVoxels)
    , m_CountsUncovered(parameters.countUncovered)
    , m_Metric(parameters.metric)
    , m_Extends(IsAny(images.Compare(isExchanged).extended))
    , m_From(ExtentOf(from.grid))
    , m_To(ExtentOf(to.grid))
    , m_Evaluator(MakeMetricEvaluator(
        context,
        MetricShape{ parameters.metric, parameters.numberOfHistogramBins, parameters.correlationRadius },
        images.Compare(isExchanged)))
  {}

  /** Sets value, overlap, coverage and, if requested, derivatives by the maps of the evaluations. */
  void
  Evaluate(std::vector<LinearMetricEvaluation> & evaluations, bool withDerivatives)
  {
    std::vector<MapEvaluation> ofIndices(evaluations.size());
    for (std::size_t i = 0; i < evaluations.size(); ++i)
    {
      const AffineMap indexMap = Compose(m_PointToIndex, Compose(evaluations[i].map, m_IndexToPoint));
      ofIndices[i].indexMap = m_IsFlat ? InPlane(indexMap) : indexMap;
    }
    m_Evaluator->Evaluate(ofIndices.data(), static_cast<int>(ofIndices.size()), withDerivatives);
    for (std::size_t i = 0; i < evaluations.size(); ++i)
    {
      LinearMetricEvaluation & evaluation = evaluations[i];
      // Rounding may make the quotient slightly larger than 1.
      evaluation.coverage = std::min(1.0, ofIndices[i].count / m_NumberOfVoxels);
      evaluation.value = this->ValueOf(ofIndices[i].value, evaluation.coverage);
      evaluation.overlap = m_Extends ? std::min(evaluation.coverage, GridOverlap(ofIndices[i].indexMap, m_From, m_To))
                                     : evaluation.coverage;
      if (withDerivatives)
      {
        const MapDerivative derivative = this->ByPoints(ofIndices[i], m_CountsUncovered ? evaluation.coverage : 1.0);
        evaluation.derivativeByMatrix = derivative.matrix;
        evaluation.derivativeByOffset = derivative.offset;
      }
    }
  }

private:
  /** \param mean over the covered voxels */
  double
  ValueOf(double mean, double coverage) const
  {
    const double value = m_Scale * mean;
    return m_CountsUncovered ? WithUncovered(m_Metric, value, coverage) : value;
  }

  /** \param share weight of the mean over covered voxels in the value */
  MapDerivative
  ByPoints(const MapEvaluation & evaluation, double share) const
  {
    MapDerivative byIndices;
    for (int entry = 0; entry < 9; ++entry)
    {
      byIndices.matrix[entry] = share * m_Scale * evaluation.derivativeByMatrix[entry];
    }
    for (int axis = 0; axis < 3; ++axis)
    {
      byIndices.offset[axis] = share * m_Scale * evaluation.derivativeByOffset[axis];
    }
    return ThroughComposition(m_IsFlat ? InPlane(byIndices) : byIndices, m_PointToIndex.matrix, m_IndexToPoint);
  }

  AffineMap                        m_IndexToPoint;
  AffineMap                        m_PointToIndex;
  bool                             m_IsFlat;
  double                           m_Scale;
  double                           m_NumberOfVoxels;
  bool                             m_CountsUncovered;
  RegistrationMetric               m_Metric;
  bool                             m_Extends;
  Extent                           m_From;
  Extent                           m_To;
  std::unique_ptr<MetricEvaluator> m_Evaluator;
};

/** Replaces the metric by the mean of itself and \p exchanged, the metric of the exchanged images for the inverse map;
 * the overlap becomes that of the smaller image. */
void
Average(LinearMetricEvaluation & evaluation, const LinearMetricEvaluation & exchanged, bool withDerivatives)
{
  evaluation.value = 0.5 * (evaluation.value + exchanged.value);
  evaluation.overlap = std::max(evaluation.overlap, exchanged.overlap);
  evaluation.coverage = 0.5 * (evaluation.coverage + exchanged.coverage);
  if (!withDerivatives)
  {
    return;
  }
  const MapDerivative byMap =
    ThroughInverse({ exchanged.derivativeByMatrix, exchanged.derivativeByOffset }, exchanged.map);
  for (int entry = 0; entry < 9; ++entry)
  {
    evaluation.derivativeByMatrix[entry] = 0.5 * (evaluation.derivativeByMatrix[entry] + byMap.matrix[entry]);
  }
  for (int axis = 0; axis < 3; ++axis)
  {
    evaluation.derivativeByOffset[axis] = 0.5 * (evaluation.derivativeByOffset[axis] + byMap.offset[axis]);
  }
}

} // namespace

class PreparedLinearMetric
{
public:
  PreparedLinearMetric(Context & context, const LinearMetricParameters & parameters, const LinearMetricImages & images)
    : m_Context(context)
    , m_Parameters(parameters)
  {
    RequireLinearMetricParameters(parameters);
    RequireLinearMetricImages(context, images);
    RequireUsableWeights(parameters.metric, images);
    RequireOnePair(images);
    m_Planes = PlanesOf(images);
    const Geometry & fixed = images.fixedGeometry;
    const Geometry & moving = images.movingGeometry;
    RunDeviceJob(context, [&] {
      m_Images = PrepareComparison(context, parameters, images);
      m_Forward = std::make_unique<MetricDirection>(context, parameters, m_Images, fixed, moving, false);
      if (parameters.useSymmetricMetric)
      {
        m_Backward = std::make_unique<MetricDirection>(context, parameters, m_Images, moving, fixed, true);
      }
    });
    context.ReportProgress(1.0);
  }

  void
  Evaluate(std::vector<LinearMetricEvaluation> & evaluations, bool withDerivatives)
  {
    for (const LinearMetricEvaluation & evaluation : evaluations)
    {
      RequireMap(evaluation.map, m_Planes);
    }
    if (evaluations.empty())
    {
      return;
    }
    std::vector<LinearMetricEvaluation> exchanged(m_Backward ? evaluations.size() : 0);
    for (std::size_t i = 0; i < exchanged.size(); ++i)
    {
      exchanged[i].map = Inverse(evaluations[i].map);
    }
    RunDeviceJob(m_Context, [&] {
      Context::ProgressSteps progress(m_Context);
      progress.UpTo(m_Backward ? 0.5 : 1.0);
      m_Forward->Evaluate(evaluations, withDerivatives);
      progress.UpTo(1.0);
      if (m_Backward)
      {
        m_Backward->Evaluate(exchanged, withDerivatives);
      }
    });
    for (std::size_t i = 0; i < exchanged.size(); ++i)
    {
      Average(evaluations[i], exchanged[i], withDerivatives);
    }
  }

  const LinearMetricParameters &
  GetParameters() const
  {
    return m_Parameters;
  }

private:
  Context &                  m_Context;
  LinearMetricParameters     m_Parameters;
  std::optional<PlaneFrames> m_Planes;
  PreparedComparison         m_Images;
  /** Compares the fixed with the moving image and, where the metric is symmetric, backward the moving with the fixed
   * image. */
  std::unique_ptr<MetricDirection> m_Forward;
  std::unique_ptr<MetricDirection> m_Backward;
};

LinearMetric::LinearMetric(Context &                      context,
                           const LinearMetricParameters & parameters,
                           const LinearMetricImages &     images)
  : m_Prepared(std::make_unique<PreparedLinearMetric>(context, parameters, images))
{}

LinearMetric::~LinearMetric() = default;

void
LinearMetric::Evaluate(std::vector<LinearMetricEvaluation> & evaluations, bool withDerivatives)
{
  m_Prepared->Evaluate(evaluations, withDerivatives);
}

const LinearMetricParameters &
LinearMetric::GetParameters() const
{
  return m_Prepared->GetParameters();
}

} // namespace cudaneuro
