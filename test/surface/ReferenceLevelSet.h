// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ReferenceLevelSet_h
#define ReferenceLevelSet_h

#include "cudaneuro/NonLocalMeansLevelSet.h"

#include <cstdint>
#include <vector>

/** Slow nonlocal means on a level set in double precision, written from its definition. */
namespace reference
{

struct LevelSetDenoising
{
  std::vector<double> distances;
  /** Those of the first pass. */
  std::int64_t bandVoxels = 0;
  double       timeStep = 0.0;
};

/** The parameters have a band width and both scales; volumeCorrection and reinitialize are ignored. \p mask may be
 * empty. */
LevelSetDenoising
DenoiseLevelSet(const cudaneuro::NonLocalMeansLevelSetParameters & parameters,
                const cudaneuro::Grid &                            grid,
                const std::vector<double> &                        distances,
                const std::vector<unsigned char> &                 mask);

} // namespace reference

#endif
