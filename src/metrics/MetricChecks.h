// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_MetricChecks_h
#define cudaneuro_metrics_MetricChecks_h

/** Checks of the parameters of metrics. Each throws InvalidParameterError with the given value and its limit. */
namespace cudaneuro
{

/** Requires 8 to 64 bins: below, there are few but those of the tails of windows; above, the evaluators have no room. */
void
RequireHistogramBins(int bins);

/** Requires 1 to 8 voxels. */
void
RequireCorrelationRadius(int radius);

} // namespace cudaneuro

#endif
