// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricEvaluatorsCpu_h
#define cudaneuro_metrics_MetricEvaluatorsCpu_h

#include "metrics/MetricEvaluator.h"

namespace cudaneuro::cpu
{

std::unique_ptr<MetricEvaluator>
MakeMeanSquaresEvaluator(Context & context, const ImageComparison & comparison);

std::unique_ptr<MetricEvaluator>
MakeMutualInformationEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison);

} // namespace cudaneuro::cpu

#endif
