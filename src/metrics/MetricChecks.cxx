// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "metrics/MetricChecks.h"

#include "core/ParameterChecks.h"

namespace cudaneuro
{
namespace
{

void
RequireFromTo(const char * name, int value, int least, int largest)
{
  if (value < least || value > largest)
  {
    ThrowInvalid(name, value, "from " + std::to_string(least) + " to " + std::to_string(largest));
  }
}

} // namespace

void
RequireHistogramBins(int bins)
{
  RequireFromTo("numberOfHistogramBins", bins, 8, 64);
}

void
RequireCorrelationRadius(int radius)
{
  RequireFromTo("correlationRadius", radius, 1, 8);
}

} // namespace cudaneuro
