// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/SegmentOverlap.h"

std::map<std::string, double>
ComputeSegmentOverlap(const Segmentation & fixed,
                      const std::int64_t * fixedLabels,
                      const Segmentation & moving,
                      const std::int64_t * movingLabels,
                      std::size_t          count)
{
  std::map<std::string, double> dice;
  for (const Segment & a : fixed.GetSegments())
  {
    for (const Segment & b : moving.GetSegments())
    {
      std::size_t sum = 0;
      std::size_t both = 0;
      for (std::size_t i = 0; a.name == b.name && i < count; ++i)
      {
        const bool isA = fixed.LabelIn(fixedLabels[i], a.layer) == a.label;
        const bool isB = moving.LabelIn(movingLabels[i], b.layer) == b.label;
        sum += (isA ? 1u : 0u) + (isB ? 1u : 0u);
        both += isA && isB ? 1u : 0u;
      }
      if (sum > 0)
      {
        dice[a.name] = 2.0 * static_cast<double>(both) / static_cast<double>(sum);
      }
    }
  }
  return dice;
}
