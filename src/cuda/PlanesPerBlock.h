// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_PlanesPerBlock_h
#define cudaneuro_cuda_PlanesPerBlock_h

#include "core/IntegerMath.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace cudaneuro
{

/** Planes per block of a kernel whose blocks march along z, so that the rounds of blocks are full and blocks do little
 * besides their planes.
 * \param tiles blocks beside each other in a plane
 * \param slots blocks that run at once
 * \param besides what a block does besides its planes, as a number of planes
 * \param shortestRound how long a round takes whose blocks fill few of the slots, as a share of a full one */
inline int
PlanesPerBlock(int planes, std::int64_t tiles, std::int64_t slots, int besides, double shortestRound = 1.0)
{
  int    best = planes;
  double bestCost = std::numeric_limits<double>::max();
  for (int parts = 1; parts <= std::min(planes, 64); ++parts)
  {
    const int          perBlock = DivideUp(planes, parts);
    const std::int64_t blocks = tiles * DivideUp(planes, perBlock);
    const double       filled = static_cast<double>(blocks % slots) / static_cast<double>(slots);
    const double       lastRound = filled > 0.0 ? shortestRound + (1.0 - shortestRound) * filled : 0.0;
    const double       cost = (static_cast<double>(blocks / slots) + lastRound) * (perBlock + besides);
    if (cost < bestCost)
    {
      bestCost = cost;
      best = perBlock;
    }
  }
  return best;
}

} // namespace cudaneuro

#endif
