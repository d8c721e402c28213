// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityShape_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityShape_cuh

namespace cudaneuro::gpu
{

/** Launch shape: a block has VWarps warps of 32 voxels along x and VRows along y. */
template <int VRows, int VWarps, int VBlocksPerMultiprocessor>
struct StructuralSimilarityShape
{
  static constexpr int rows = VRows;
  static constexpr int warps = VWarps;
  static constexpr int blocks = VBlocksPerMultiprocessor;
};

/** The shape that the library uses, and one for devices with little shared memory. */
using StructuralSimilarityDefaultShape = StructuralSimilarityShape<4, 8, 1>;
using StructuralSimilaritySmallShape = StructuralSimilarityShape<2, 8, 2>;

} // namespace cudaneuro::gpu

#endif
