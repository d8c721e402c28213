// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef NeighborCase_h
#define NeighborCase_h

#include <cstdint>
#include <vector>

namespace cudaneuro::benchmark
{

/** Components of a patch of 5 x 5 x 5 voxels. */
constexpr int patchDimension = 125;

/** Returns patches of a noisy distance to a surface, around the voxels of a band close to it, whose neighbors are
 * searched when surfaces are denoised. The surface is a sphere with dents, as large as the number of patches needs. An
 * array of shape (count, patchDimension); neighbors_torch.py makes the same. */
std::vector<float>
MakeSurfacePatches(std::int64_t count);

} // namespace cudaneuro::benchmark

#endif
