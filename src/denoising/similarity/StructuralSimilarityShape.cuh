// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_similarity_StructuralSimilarityShape_cuh
#define cudaneuro_denoising_similarity_StructuralSimilarityShape_cuh

#include "denoising/similarity/StructuralSimilarityArguments.cuh"

namespace cudaneuro::gpu
{

/** Launch shape: a block has VWarps warps of two rows of 16 threads each, and a thread has VRows outputs along y. */
template <int VRows, int VWarps, int VBlocksPerMultiprocessor>
struct StructuralSimilarityShape
{
  static constexpr int rows = VRows;
  static constexpr int warps = VWarps;
  static constexpr int blocks = VBlocksPerMultiprocessor;
};

/** Returns the number of outputs of a block along y. */
template <typename TShape>
constexpr int
SimilarityTileY()
{
  return 32 / similarityTileX * TShape::warps * TShape::rows;
}

/** The shape that the library uses if it fits, and the shapes for devices with 160, 99 and 64 KB of shared memory. */
using StructuralSimilarityDefaultShape = StructuralSimilarityShape<4, 8, 1>;
using StructuralSimilarityShapeOf160KB = StructuralSimilarityShape<3, 8, 1>;
using StructuralSimilarityShapeOf99KB = StructuralSimilarityShape<2, 8, 1>;
using StructuralSimilarityShapeOf64KB = StructuralSimilarityShape<2, 4, 1>;

} // namespace cudaneuro::gpu

#endif
