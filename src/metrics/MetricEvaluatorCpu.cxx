// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MetricEvaluator.h"

#include "metrics/LocalCorrelationEvaluator.h"
#include "metrics/MetricEvaluatorsCpu.h"

namespace cudaneuro::cpu
{

std::unique_ptr<MetricEvaluator>
MakeMetricEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
{
  switch (shape.metric)
  {
    case RegistrationMetric::MeanSquares:
      return MakeMeanSquaresEvaluator(context, comparison);
    case RegistrationMetric::MutualInformation:
      return MakeMutualInformationEvaluator(context, shape, comparison);
    case RegistrationMetric::LocalCorrelation:
      break;
  }
  return MakeLocalCorrelationEvaluator(context, shape, comparison);
}

} // namespace cudaneuro::cpu
