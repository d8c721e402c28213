// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/Flow.h"

#include "core/Dispatch.h"
#include "cuda/GpuContext.h"
#include "landmarks/FlowKernel.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

std::vector<float>
InTypeOf(float, const std::vector<double> & values)
{
  return ToSinglePrecision(values);
}
const std::vector<double> &
InTypeOf(double, const std::vector<double> & values)
{
  return values;
}

/** The landmarks on the device. */
template <typename T>
class FlowSource
{
public:
  FlowSource(const GpuContext & gpu, const FlowStates & states)
    : m_Positions(gpu.CopyToDevice(states.GetPositions()))
    , m_Momenta(gpu.CopyToDevice(InTypeOf(T(), states.GetMomenta())))
    , m_GroupBoxes(gpu.CopyToDevice(InTypeOf(T(), states.GetGroupBoxes())))
    , m_RegionBoxes(gpu.CopyToDevice(InTypeOf(T(), states.GetRegionBoxes())))
    , m_Landmarks(states.MakeLandmarks<T, double>())
  {
    m_Landmarks.positions = m_Positions.Data();
    m_Landmarks.momenta = m_Momenta.Data();
    m_Landmarks.groupBoxes = m_GroupBoxes.Data();
    m_Landmarks.regionBoxes = m_RegionBoxes.Data();
  }

  const FlowLandmarks<T, double> &
  Landmarks() const
  {
    return m_Landmarks;
  }

private:
  DeviceBuffer<double>     m_Positions;
  DeviceBuffer<T>          m_Momenta;
  DeviceBuffer<T>          m_GroupBoxes;
  DeviceBuffer<T>          m_RegionBoxes;
  FlowLandmarks<T, double> m_Landmarks;
};

/** Moves all points in a few launches, between which progress is reported. */
template <FlowMotion VMotion, typename T, int VDimension>
void
Launch(Context & context, const FlowLandmarks<T, double> & landmarks, const FlowPoints<VDimension> & points)
{
  // Between launches the device is partly idle, for about the time of a warp.
  constexpr std::int64_t launches = 6;
  constexpr int          pointsPerThread = flowPointsPerThread<T, VMotion>;
  const cudaStream_t     stream = GpuOf(context).ComputeStream();
  const std::int64_t     packets = points.NumberOfPackets(pointsPerThread);
  // Maximum number of blocks per launch.
  constexpr std::int64_t largestPart = std::int64_t{ 1 } << 30;
  const std::int64_t     part = std::min(largestPart, RoundUp(DivideUp(packets, launches), flowWarps));
  Event                  done;
  for (std::int64_t begin = 0; begin < packets; begin += part)
  {
    const std::int64_t end = std::min(packets, begin + part);
    FlowKernel<T, VDimension, pointsPerThread, VMotion>
      <<<static_cast<unsigned int>(DivideUp(end - begin, flowWarps)), flowThreads, 0, stream>>>(
        landmarks, points, begin, end);
    CUDANEURO_CUDA_LAUNCHED("FlowKernel");
    done.Record(stream);
    done.Synchronize();
    context.ReportProgress(static_cast<double>(end) / static_cast<double>(packets));
  }
}

template <typename T, int VDimension>
FlowFailures
Move(Context & context, const FlowStates & states, FlowDirection direction, FlowPoints<VDimension> points)
{
  const GpuContext &  gpu = GpuOf(context);
  const FlowSource<T> source(gpu, states);
  const auto          counts = gpu.CopyToDevice(std::vector<FlowCounts>(1));
  points.reach = states.MakeReach<T>();
  points.counts = counts.Data();
  if (direction == FlowDirection::Forward)
  {
    Launch<FlowMotion::Forward>(context, source.Landmarks(), points);
    return {};
  }
  Context::ProgressSteps progress(context);
  progress.UpTo(0.9);
  Launch<FlowMotion::Backward>(context, source.Landmarks(), points);
  progress.UpTo(1.0);
  if (gpu.CopyToHost(counts, 1)[0].marked > 0)
  {
    Launch<FlowMotion::MarkedBackward>(context, source.Landmarks(), points);
  }
  const FlowCounts found = gpu.CopyToHost(counts, 1)[0];
  return { static_cast<std::int64_t>(found.failed), static_cast<std::int64_t>(found.first) };
}

template <int VDimension>
FlowFailures
MoveInPrecision(Context &                      context,
                const FlowStates &             states,
                FlowDirection                  direction,
                const FlowPoints<VDimension> & points)
{
  return states.GetPrecision() == ShootingPrecision::Single ? Move<float>(context, states, direction, points)
                                                            : Move<double>(context, states, direction, points);
}

} // namespace

FlowFailures
MovePoints(Context & context, const FlowStates & states, FlowDirection direction, std::vector<double> & points)
{
  const GpuContext & gpu = GpuOf(context);
  const auto         positions = gpu.CopyToDevice(points);
  const auto         displacements = gpu.AllocateArray<double>(points.size());
  FlowFailures       failures;
  WithConstant<2, 3>(states.GetDimension(), [&](auto dimension) {
    FlowPoints<dimension()> list;
    list.list = positions.Data();
    list.results = displacements.Data();
    list.count = static_cast<std::int64_t>(points.size()) / dimension();
    failures = MoveInPrecision(context, states, direction, list);
  });
  points = gpu.CopyToHost(displacements, points.size());
  return failures;
}

FlowFailures
ComputeField(
  Context & context, const FlowStates & states, FlowDirection direction, const FlowGrid & grid, const FlowField & field)
{
  FlowFailures failures;
  WithConstant<2, 3>(states.GetDimension(), [&](auto dimension) {
    FlowPoints<dimension()> voxels;
    voxels.grid = grid;
    voxels.field = field;
    voxels.length = 1.0 / states.GetUnits().scale;
    failures = MoveInPrecision(context, states, direction, voxels);
  });
  return failures;
}

} // namespace cudaneuro::gpu
