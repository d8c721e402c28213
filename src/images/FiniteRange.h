// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_FiniteRange_h
#define cudaneuro_images_FiniteRange_h

#include "cudaneuro/Context.h"
#include "core/Dispatch.h"

#include <algorithm>
#include <array>
#include <limits>

namespace cudaneuro
{

/** The smallest and the largest of some values; initially empty. */
struct FiniteRange
{
  float smallest = std::numeric_limits<float>::infinity();
  float largest = -std::numeric_limits<float>::infinity();

  void
  Include(const FiniteRange & other)
  {
    smallest = std::min(smallest, other.smallest);
    largest = std::max(largest, other.largest);
  }

  /** Returns {smallest, largest}, or {0, 0} if there is no value. */
  std::array<double, 2>
  ToArray() const
  {
    if (smallest > largest)
    {
      return { 0.0, 0.0 };
    }
    return { double{ smallest }, double{ largest } };
  }
};

/** ComputeFiniteRange for checked arguments. */
CUDANEURO_ON_BOTH(std::array<double, 2> ComputeFiniteRange(Context &           context,
                                                           const Grid &        grid,
                                                           const ConstVolume & input));

} // namespace cudaneuro

#endif
