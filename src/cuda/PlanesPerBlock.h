// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_PlanesPerBlock_h
#define cudaneuro_cuda_PlanesPerBlock_h

#include "core/IntegerMath.h"

#include <algorithm>
#include <limits>

namespace cudaneuro
{

/** Returns the planes per block of a kernel whose blocks march along z, so that the waves of blocks are full and blocks
 * do little work besides their planes.
 * \param tiles number of blocks side by side in a plane
 * \param slots number of blocks that run concurrently
 * \param besides work of a block besides its planes, as a number of planes */
inline int
PlanesPerBlock(int planes, unsigned int tiles, unsigned int slots, int besides)
{
  int    best = planes;
  double bestCost = std::numeric_limits<double>::max();
  for (int parts = 1; parts <= std::min(planes, 64); ++parts)
  {
    const int          perBlock = DivideUp(planes, parts);
    const unsigned int blocks = tiles * static_cast<unsigned int>(DivideUp(planes, perBlock));
    const double       cost = static_cast<double>(DivideUp(blocks, slots)) * (perBlock + besides);
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
