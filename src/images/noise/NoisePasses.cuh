// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_images_noise_NoisePasses_cuh
#define cudaneuro_images_noise_NoisePasses_cuh

#include "core/Dispatch.h"
#include "cuda/QuadAlignment.h"
#include "images/noise/NoiseMedian.cuh"
#include "jobs/DeviceJob.h"
#include "jobs/ReductionStage.h"

/** Passes over a volume whose noise is estimated, and over the residuals of its cubes. The volume is on the device, or
 * each pass uploads it there in slabs. */
namespace cudaneuro::gpu
{

/** The volume, which all passes read in the same way. */
struct NoiseVolume
{
  Grid        grid;
  ConstVolume input;
  ConstVolume mask;
  /** The largest magnitude that is not a code or an error. */
  float limit;

  /** Returns whether passes can read it in place. */
  bool
  IsOnDevice() const
  {
    return input.type == PixelType::Float && input.space == MemorySpace::Device &&
           (mask.data == nullptr || mask.space == MemorySpace::Device);
  }
};

/** Calls launch(planes, first plane in the whole volume) for all planes. If the volume is on the device, it does not
 * wait for the launched work. */
template <typename TLaunch>
void
RunPass(Context & context, const NoiseVolume & volume, std::int64_t halo, const TLaunch & launch)
{
  const auto planesOf =
    [&](const float * input, const unsigned char * mask, const Grid & grid, std::int64_t begin, std::int64_t end) {
      return NoisePlanes{ input, mask, volume.limit, { grid.size[0], grid.size[1], grid.size[2] }, begin, end, 0 };
    };
  if (volume.IsOnDevice())
  {
    launch(planesOf(static_cast<const float *>(volume.input.data),
                    static_cast<const unsigned char *>(volume.mask.data),
                    volume.grid,
                    0,
                    volume.grid.size[2]),
           0);
    context.ReportProgress(1.0);
    return;
  }
  PlaneJob job;
  job.grid = volume.grid;
  job.inputs = { volume.input };
  job.mask = volume.mask;
  job.halo = halo;
  job.operationsPerVoxel = 16.0;
  job.makeStage = [&](GpuContext &, const DeviceSlab & slab) {
    return std::make_unique<ReductionStage>(
      slab, halo, [&launch, &planesOf, slab](std::int64_t begin, std::int64_t end) {
        launch(planesOf(slab.inputs[0], slab.mask, slab.grid, begin, end), slab.firstPlane + begin);
      });
  };
  RunPlaneJob(context, job);
}

/** Reads the planes and adds to the counts: first the totals, then NumberOfBins counts for each range.
 * \param oneOf as in ForEachResidual */
template <bool VHasMask, typename TShape>
__global__ void
__launch_bounds__(residualThreads, VHasMask ? 1 : 2) NoiseCountKernel(const __grid_constant__ NoisePlanes planes,
                                                                      const __grid_constant__ NoiseRange  range,
                                                                      int                                 oneOf,
                                                                      const NoiseCubeChoiceOnDevice       choice,
                                                                      Count *                             counts)
{
  __shared__ unsigned int counters[sharedCounters];
  NoiseBlockCounts        block(range, counters);
  NoiseThreadTotals       counted;
  __syncthreads();
  ForEachResidual<VHasMask, TShape>(planes, choice.Get(), oneOf, [&](const std::uint32_t(&bits)[TShape::cubes]) {
    counted.Add(bits, range.begins[0]);
#pragma unroll
    for (int i = 0; i < TShape::cubes; ++i)
    {
      block.Add(bits[i]);
    }
  });
  counted.Store(counts);
  __syncthreads();
  block.Store(counts + numberOfTotals);
}

/** Calls with(has mask, ResidualShape) for the kernels that read these planes. */
template <typename TFunction>
void
WithResidualKernels(const NoisePlanes & planes, int axes, int planeStep, const TFunction & with)
{
  const auto withAxes = [&](auto hasMask, auto axesConstant, auto stepConstant) {
    if (IsQuadAligned(planes.input, planes.size[0]))
    {
      with(hasMask, ResidualShape<axesConstant(), 4, stepConstant()>());
    }
    else
    {
      with(hasMask, ResidualShape<axesConstant(), 1, stepConstant()>());
    }
  };
  const auto withShape = [&](auto hasMask) {
    if (axes == 3)
    {
      WithConstant<1, 4>(planeStep, [&](auto step) { withAxes(hasMask, std::integral_constant<int, 3>(), step); });
    }
    else
    {
      WithConstant<1, 2>(axes, [&](auto constant) { withAxes(hasMask, constant, std::integral_constant<int, 1>()); });
    }
  };
  if (planes.mask != nullptr)
  {
    withShape(std::true_type());
  }
  else
  {
    withShape(std::false_type());
  }
}

/** The common part of the passes over the residuals of a volume. */
class ResidualPasses
{
public:
  /** \param planeStep the cubes of every planeStep-th plane are used */
  ResidualPasses(Context & context, const NoiseVolume & volume, const NoiseCubeChoiceOnDevice & choice, int planeStep)
    : m_Context(context)
    , m_Volume(volume)
    , m_Choice(choice)
    , m_PlaneStep(planeStep)
  {}

  /** Returns the number of blocks of every kernel: as many as multiprocessors run concurrently. */
  unsigned int
  NumberOfBlocks() const
  {
    return 2u * static_cast<unsigned int>(this->Gpu().NumberOfMultiprocessors());
  }
  const GpuContext &
  Gpu() const
  {
    return GpuOf(m_Context);
  }
  const NoiseVolume &
  Volume() const
  {
    return m_Volume;
  }

  /** Enqueues the addition of the residuals in \p range to \p counts. */
  void
  Count(const NoiseRange & range, int oneOf, gpu::Count * counts) const
  {
    this->Run([&](const NoisePlanes & planes, auto hasMask, auto shape) {
      NoiseCountKernel<decltype(hasMask)::value, decltype(shape)>
        <<<this->NumberOfBlocks(), residualThreads, 0, this->Gpu().ComputeStream()>>>(
          planes, range, oneOf, m_Choice, counts);
      CUDANEURO_CUDA_LAUNCHED("NoiseCountKernel");
    });
  }
  /** Enqueues the listing of the residuals in the range of \p median. */
  void
  List(const NoiseList & list, const NoiseMedian * median, gpu::Count * totals) const
  {
    this->Run([&](const NoisePlanes & planes, auto hasMask, auto shape) {
      NoiseListKernel<decltype(hasMask)::value, decltype(shape)>
        <<<this->NumberOfBlocks(), residualThreads, 0, this->Gpu().ComputeStream()>>>(
          planes, list, m_Choice, median, totals);
      CUDANEURO_CUDA_LAUNCHED("NoiseListKernel");
    });
  }

private:
  /** Calls launch(planes, has mask, ResidualShape) for all planes. */
  template <typename TLaunch>
  void
  Run(const TLaunch & launch) const
  {
    RunPass(m_Context, m_Volume, 1, [&](NoisePlanes planes, std::int64_t plane) {
      planes.skipped = (m_PlaneStep - plane % m_PlaneStep) % m_PlaneStep;
      WithResidualKernels(planes, NumberOfNoiseAxes(m_Volume.grid), m_PlaneStep, [&](auto hasMask, auto shape) {
        launch(planes, hasMask, shape);
      });
    });
  }

  Context &               m_Context;
  const NoiseVolume &     m_Volume;
  NoiseCubeChoiceOnDevice m_Choice;
  int                     m_PlaneStep;
};

} // namespace cudaneuro::gpu

#endif
