// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_landmarks_FlowKernel_cuh
#define cudaneuro_landmarks_FlowKernel_cuh

#include "cuda/ResidentBlocks.cuh"
#include "landmarks/FlowPoints.cuh"
#include "landmarks/FlowSums.cuh"

namespace cudaneuro::gpu
{

constexpr int flowWarps = 4;
constexpr int flowThreads = 32 * flowWarps;

/** The motion that a kernel computes for its points. */
enum class FlowMotion
{
  Forward,
  /** Backward by the fixed-point iteration; points that fail are marked. */
  Backward,
  /** Backward by Newton's method, for marked points. */
  MarkedBackward
};

/** Points per thread: in single precision enough for arithmetic to keep up with the shared-memory loads of each
 * landmark, in double precision as many as registers allow. Newton's method also keeps a Jacobian in registers. */
template <typename T, FlowMotion VMotion>
constexpr int flowPointsPerThread = VMotion == FlowMotion::MarkedBackward ? 1 : (sizeof(T) == sizeof(float) ? 4 : 2);

/** Resident blocks per multiprocessor: as many as registers allow. */
template <typename T>
constexpr int flowResidentBlocks = ResidentBlocks(sizeof(T) == sizeof(float) ? 3 : 2, flowThreads);

/** Moves points through all steps. A warp has 32 VPoints points that are near each other, and works alone: in each
 * evaluation, it lists the groups of landmarks near the box of its points, and sums over them.
 *
 * Reads the near landmarks of all evaluations, which other warps have brought into the cache; writes a displacement for
 * each point. */
template <typename T, int VDimension, int VPoints, FlowMotion VMotion>
__global__ void
__launch_bounds__(flowThreads, flowResidentBlocks<T>)
  FlowKernel(const __grid_constant__ FlowLandmarks<T, double> landmarks,
             const __grid_constant__ FlowPoints<VDimension> points,
             std::int64_t                                   firstPacket,
             std::int64_t                                   endPacket)
{
  __shared__ NearLandmarks<T, VDimension> nearLandmarks[flowWarps];

  const int          warp = static_cast<int>(threadIdx.x) / 32;
  const int          lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t packet = firstPacket + std::int64_t{ blockIdx.x } * flowWarps + warp;
  if (packet >= endPacket)
  {
    return;
  }
  double       start[VPoints][VDimension];
  unsigned int wanted = 0;
  for (int p = 0; p < VPoints; ++p)
  {
    wanted |= points.Load(points.Find(packet, lane, p, VPoints), VMotion == FlowMotion::MarkedBackward, start[p])
                ? 1u << p
                : 0u;
  }
  T            displacement[VPoints][VDimension] = {};
  unsigned int failed = 0;
  if (__any_sync(0xffffffffu, wanted != 0))
  {
    FlowSums<T, VDimension, VPoints> sums(landmarks, nearLandmarks[warp], lane, start, wanted);
    if constexpr (VMotion == FlowMotion::Forward)
    {
      FlowForward(landmarks.steps, sums, displacement);
    }
    else if constexpr (VMotion == FlowMotion::Backward)
    {
      failed = FlowBackwardByFixedPoint(landmarks.steps, sums, displacement);
    }
    else
    {
      failed = FlowBackward<VDimension, T>(landmarks.steps, sums, displacement, nullptr) ? 0u : 1u;
    }
  }
  for (int p = 0; p < VPoints; ++p)
  {
    const std::int64_t index = points.Find(packet, lane, p, VPoints);
    const bool         isWanted = (wanted >> p & 1u) != 0;
    if (isWanted && (failed >> p & 1u) != 0)
    {
      points.Mark(index, VMotion == FlowMotion::MarkedBackward);
    }
    else if (isWanted || VMotion != FlowMotion::MarkedBackward)
    {
      points.Store(index, isWanted, displacement[p]);
    }
  }
}

} // namespace cudaneuro::gpu

#endif
