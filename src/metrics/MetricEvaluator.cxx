// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MetricEvaluator.h"

#include "core/Dispatch.h"

namespace cudaneuro
{

std::unique_ptr<MetricEvaluator>
MakeMetricEvaluator(Context & context, const MetricShape & shape, const ImageComparison & comparison)
{
  CUDANEURO_DISPATCH(context, MakeMetricEvaluator(context, shape, comparison));
}

} // namespace cudaneuro
