// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "register/labels/SegmentOverlap.h"

#include "shared/Messages.h"

#include <algorithm>

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

void
RequireComparableSegments(const Segmentation & fixed,
                          const std::string &  fixedPath,
                          const Segmentation & moving,
                          const std::string &  movingPath)
{
  const std::vector<Segment> & others = moving.GetSegments();
  const auto                   isInBoth = [&](const Segment & segment) {
    return std::any_of(others.begin(), others.end(), [&](const Segment & other) { return other.name == segment.name; });
  };
  const bool hasLayers = fixed.GetLayers() > 1 || moving.GetLayers() > 1;
  if (hasLayers && std::none_of(fixed.GetSegments().begin(), fixed.GetSegments().end(), isInBoth))
  {
    throw UserError(fixedPath + " and " + movingPath +
                    " have no segment of the same name, by which segments that overlap are compared; name those that "
                    "correspond alike");
  }
}
