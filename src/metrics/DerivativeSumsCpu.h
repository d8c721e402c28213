// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_metrics_DerivativeSumsCpu_h
#define cudaneuro_metrics_DerivativeSumsCpu_h

#include "metrics/VoxelChunkCpu.h"

namespace cudaneuro::cpu
{

/** Derivatives of a sum over voxels with respect to the map of indices. */
struct DerivativeSums
{
  double byMatrix[9] = {};
  double byOffset[3] = {};

  /** Adds voxels of row (y, z); \p byValue holds the derivatives of the sum by the moving image at the voxels, and 0
   * after the last voxel. */
  CUDANEURO_ALWAYS_INLINE void
  Add(const VoxelChunk & chunk, const float * byValue, int y, int z)
  {
    this->AddAxis(0, chunk, chunk.gradientX, byValue, y, z);
    this->AddAxis(1, chunk, chunk.gradientY, byValue, y, z);
    this->AddAxis(2, chunk, chunk.gradientZ, byValue, y, z);
  }

  void
  Add(const DerivativeSums & other)
  {
    for (int i = 0; i < 9; ++i)
    {
      byMatrix[i] += other.byMatrix[i];
    }
    for (int i = 0; i < 3; ++i)
    {
      byOffset[i] += other.byOffset[i];
    }
  }

  void
  CopyScaled(double scale, MapEvaluation & evaluation) const
  {
    for (int i = 0; i < 9; ++i)
    {
      evaluation.derivativeByMatrix[i] = scale * byMatrix[i];
    }
    for (int i = 0; i < 3; ++i)
    {
      evaluation.derivativeByOffset[i] = scale * byOffset[i];
    }
  }

private:
  CUDANEURO_ALWAYS_INLINE void
  AddAxis(int axis, const VoxelChunk & chunk, const float * gradient, const float * byValue, int y, int z)
  {
    constexpr int lanes = VoxelChunk::lanes;
    float         sums[lanes] = {};
    float         moments[lanes] = {};
    const int     padded = chunk.PaddedCount();
    for (int i = 0; i < padded; i += lanes)
    {
      for (int lane = 0; lane < lanes; ++lane)
      {
        const float term = byValue[i + lane] * gradient[i + lane];
        sums[lane] += term;
        moments[lane] += term * static_cast<float>(chunk.x[i + lane]);
      }
    }
    const auto sum = static_cast<double>(SumOfLanes(sums));
    const auto moment = static_cast<double>(SumOfLanes(moments));
    byMatrix[3 * axis] += moment + chunk.first * sum;
    byMatrix[3 * axis + 1] += y * sum;
    byMatrix[3 * axis + 2] += z * sum;
    byOffset[axis] += sum;
  }
};

} // namespace cudaneuro::cpu

#endif
