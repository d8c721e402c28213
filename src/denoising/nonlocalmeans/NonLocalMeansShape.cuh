// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_nonlocalmeans_NonLocalMeansShape_cuh
#define cudaneuro_denoising_nonlocalmeans_NonLocalMeansShape_cuh

namespace cudaneuro::gpu
{

/** Launch shape: a thread computes VRows x VPlanes outputs at a time, and a block has VWarps warps. */
template <int VRows, int VPlanes, int VWarps, int VBlocksPerMultiprocessor>
struct NonLocalMeansShape
{
  static constexpr int rows = VRows;
  static constexpr int planes = VPlanes;
  static constexpr int warps = VWarps;
  static constexpr int blocks = VBlocksPerMultiprocessor;
};

/** The distribution of columns, cut into strips of VPlanes planes, among blocks. A block first computes VStripsOfAStart
 * strips below its own; it should have VStripsWorthAStart of its own. The number of blocks is VFewestRounds to
 * VMostRounds times the number that run concurrently, which evens out columns of unequal cost. */
template <int VStripsOfAStart, int VStripsWorthAStart, int VFewestRounds, int VMostRounds>
struct StripSharing
{
  static constexpr int stripsOfAStart = VStripsOfAStart;
  static constexpr int stripsWorthAStart = VStripsWorthAStart;
  static constexpr int fewestRounds = VFewestRounds;
  static constexpr int mostRounds = VMostRounds;
};

/* The shapes that the library uses, measured to be the fastest on an H200; see benchmark/tuning. Larger patches have
 * more border rows, which leave registers for fewer rows of outputs. */

template <int VPatch, int VPatchZ>
using NonLocalMeansSumDefaultShape = NonLocalMeansShape<VPatchZ == 0  ? 8
                                                        : VPatch == 3 ? 4
                                                                      : 6,
                                                        VPatchZ == 0 ? 1 : 2,
                                                        4,
                                                        2>;

template <int VPatch, int VPatchZ>
using NonLocalMeansDistanceDefaultShape = NonLocalMeansShape<VPatchZ == 3   ? 2
                                                             : VPatchZ == 0 ? 8
                                                                            : 4,
                                                             VPatchZ == 0 ? 1 : 2,
                                                             4,
                                                             VPatchZ == 2 ? 3 : 2>;

/* The shapes of kernels for noise that varies, which keep a precision for each output, or for each term. */

template <int VPatch, int VPatchZ>
using NonLocalMeansDistanceMapShape = NonLocalMeansShape<NonLocalMeansDistanceDefaultShape<VPatch, VPatchZ>::rows,
                                                         NonLocalMeansDistanceDefaultShape<VPatch, VPatchZ>::planes,
                                                         4,
                                                         2>;

} // namespace cudaneuro::gpu

#endif
