// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_DeformedInformation_cuh
#define cudaneuro_registration_step_DeformedInformation_cuh

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "cuda/ResidentBlocks.cuh"
#include "cuda/SharedMemoryLimit.h"
#include "fields/CellSampler.h"
#include "metrics/HistogramLaunch.cuh"
#include "metrics/InformationTable.cuh"
#include "registration/step/Step.h"

#include <algorithm>

namespace cudaneuro::gpu
{
namespace
{

/** Arguments of the kernels that count and evaluate the joint histogram of a fixed image and a moving image that the
 * candidate deforms. */
struct InformationArguments
{
  Extent             extent;
  CellGrid           grid;
  const StepState *  state;
  MapPair            maps;
  const float *      moving; // in bins
  const float *      fixed;  // in bins
  int                bins;
  std::uint64_t *    histogram; // HistogramElements, 0 between calls
  InformationSlope * slopes;    // of all pairs of bins in which a voxel can be
  double *           energy;
};

/** The voxels of a thread, from \p first on at equal distances. Divisions are slow and done only in the constructor. */
struct VoxelWalk
{
  int x;
  int y;
  int z;
  int stepX;
  int stepY;
  int stepZ;

  __device__
  VoxelWalk(const Extent & extent, int first, int distance)
    : x(first % extent.x)
    , y(first / extent.x % extent.y)
    , z(first / extent.x / extent.y)
    , stepX(distance % extent.x)
    , stepY(distance / extent.x % extent.y)
    , stepZ(distance / extent.x / extent.y)
  {}

  __device__ __forceinline__ void
  Advance(const Extent & extent)
  {
    x += stepX;
    const int carryX = x >= extent.x ? 1 : 0;
    x -= carryX != 0 ? extent.x : 0;
    y += stepY + carryX;
    const int carryY = y >= extent.y ? 1 : 0;
    y -= carryY != 0 ? extent.y : 0;
    z += stepZ + carryY;
  }
};

/** The values of a voxel that are loaded one voxel ahead. */
struct InformationVoxel
{
  float x; // the deformed position
  float y;
  float z;
  float fixed;

  __device__ __forceinline__ void
  Load(const SoAField & displacement, const float * image, const VoxelWalk & at, int i)
  {
    x = static_cast<float>(at.x) + __ldg(displacement.x + i);
    y = static_cast<float>(at.y) + __ldg(displacement.y + i);
    z = static_cast<float>(at.z) + __ldg(displacement.z + i);
    fixed = __ldg(image + i);
  }
};

/** Adds all voxels to the joint histogram. Reads the displacement (12 bytes per voxel), the moving image around the
 * deformed position (4) and the fixed image (4). The dynamic shared memory has VCopies copies of HistogramElements.
 * Sums are integers, so that the number of blocks does not change the result. */
template <int VThreads, int VCopies>
static __global__ void
__launch_bounds__(VThreads, ResidentBlocks(1024 / VThreads, VThreads))
  DeformedHistogramKernel(const __grid_constant__ InformationArguments arguments)
{
  extern __shared__ float4 sharedMemory[];
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const SharedHistogram<VCopies> histogram(sharedMemory, arguments.bins);
  histogram.Clear();
  __syncthreads();
  const Extent & extent = arguments.extent;
  const SoAField displacement = arguments.maps.Candidate(*arguments.state);
  const int      distance = static_cast<int>(gridDim.x) * VThreads;
  int            i = static_cast<int>(blockIdx.x * VThreads + threadIdx.x);
  VoxelWalk      at(extent, i, distance);
  bool           isInside = at.z < extent.z;
  // Each voxel is loaded while the one before it is processed.
  InformationVoxel next{};
  if (isInside)
  {
    next.Load(displacement, arguments.fixed, at, i);
  }
  while (isInside)
  {
    const InformationVoxel voxel = next;
    at.Advance(extent);
    i += distance;
    isInside = at.z < extent.z;
    if (isInside)
    {
      next.Load(displacement, arguments.fixed, at, i);
    }
    // NaN is unequal to itself.
    if (arguments.grid.Contains(voxel.x, voxel.y, voxel.z) && voxel.fixed == voxel.fixed)
    {
      const Cell  cell(arguments.grid, voxel.x, voxel.y, voxel.z);
      const float moving = cell.Interpolate(arguments.grid, arguments.moving);
      if (moving == moving)
      {
        histogram.Add(MovingBin(voxel.fixed, arguments.bins).Second(), moving);
      }
    }
  }
  __syncthreads();
  const int elements = HistogramElements(arguments.bins);
  for (int element = static_cast<int>(threadIdx.x); element < elements; element += VThreads)
  {
    const std::uint64_t sum = histogram.Element(element);
    if (sum != 0)
    {
      atomicAdd(reinterpret_cast<unsigned long long *>(arguments.histogram + element),
                static_cast<unsigned long long>(sum));
    }
  }
}

/** Reads the histogram and resets it to 0; writes the slopes and the energy, which is minus the mutual information
 * times the number of counted voxels. One block. The dynamic shared memory has HistogramSums, and behind them the
 * logarithms. */
static __global__ void
__launch_bounds__(tableThreads) InformationKernel(const __grid_constant__ InformationArguments arguments)
{
  extern __shared__ float4 sharedMemory[];
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const int           bins = arguments.bins;
  const int           rows = HistogramRows(bins); // rows, and second columns
  const HistogramSums histogram(sharedMemory, bins);
  float * const       logs = reinterpret_cast<float *>(histogram.joint + HistogramSums::Count(bins));
  histogram.Take(arguments.histogram, bins);
  const HistogramInformation information = InformationOf<true>(histogram, bins, logs);
  if (threadIdx.x == 0)
  {
    *arguments.energy = -information.value * information.count;
  }
  // The logarithms are complete, because InformationOf has synchronized the block for its sums.
  for (int i = static_cast<int>(threadIdx.x); i < rows * rows; i += tableThreads)
  {
    const int row = i / rows;
    arguments.slopes[i] = SlopeOf(logs + row * bins + (i - row * rows) + histogramPadding - 1);
  }
}

using InformationFunction = void (*)(InformationArguments);

inline InformationFunction
DeformedHistogramKernelOf(int threads, int copies)
{
  InformationFunction kernel = nullptr;
  WithConstant<512, 1024>(threads, [&](auto ofBlock) {
    WithConstant<fewestCopies, 8, 16, 32>(
      copies, [&](auto ofHistogram) { kernel = DeformedHistogramKernel<ofBlock(), ofHistogram()>; });
  });
  return kernel;
}

/** The mutual information of a fixed image with a moving image that displacements deform: launches its kernels, and
 * owns their memory. */
class DeformedInformation
{
public:
  /** \throws Error where a multiprocessor has too little shared memory */
  DeformedInformation(const GpuContext & gpu, int bins, const ImagePair & images)
    : m_Copies(ChooseCopies(gpu, images.extent, bins))
    , m_Threads(ChooseThreads(images.extent))
    , m_Kernel(DeformedHistogramKernelOf(m_Threads, m_Copies))
    , m_Histogram(gpu.AllocateArray<std::uint64_t>(static_cast<std::size_t>(HistogramElements(bins))))
    , m_Slopes(gpu.AllocateArray<InformationSlope>(static_cast<std::size_t>(HistogramRows(bins) * HistogramRows(bins))))
    , m_Energy(gpu.AllocateArray<double>(1))
  {
    AllowAllSharedMemory(m_Kernel);
    AllowAllSharedMemory(InformationKernel);
    int resident = 0;
    CUDANEURO_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, m_Kernel, m_Threads, BytesOfHistogram(bins, m_Copies)));
    if (resident == 0)
    {
      throw Error("Mutual information on a CUDA device", "a multiprocessor has not enough shared memory for a block");
    }
    m_Blocks = NumberOfBlocks(NumberOfVoxels(images.extent), resident * gpu.MultiprocessorsOfShare());
    const std::size_t bytes = static_cast<std::size_t>(HistogramElements(bins)) * sizeof(std::uint64_t);
    CUDANEURO_CUDA(cudaMemsetAsync(m_Histogram.Data(), 0, bytes, gpu.ComputeStream()));
    m_Arguments.extent = images.extent;
    m_Arguments.grid = CellGrid(images.extent);
    m_Arguments.bins = bins;
    m_Arguments.histogram = m_Histogram.Data();
    m_Arguments.slopes = m_Slopes.Data();
    m_Arguments.energy = m_Energy.Data();
    this->ChangeImages(images);
  }

  /** Replaces the images by others of the same extent. */
  void
  ChangeImages(const ImagePair & images)
  {
    m_Arguments.moving = images.moving;
    m_Arguments.fixed = images.fixed;
  }

  const InformationSlope *
  GetSlopes() const
  {
    return m_Arguments.slopes;
  }
  /** Minus the mutual information times the number of counted voxels. */
  const double *
  GetEnergy() const
  {
    return m_Arguments.energy;
  }

  void
  Enqueue(cudaStream_t stream, const StepBuffers & buffers)
  {
    const int bins = m_Arguments.bins;
    m_Arguments.state = buffers.state;
    m_Arguments.maps = buffers.maps;
    m_Kernel<<<m_Blocks, m_Threads, BytesOfHistogram(bins, m_Copies), stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("DeformedHistogramKernel");
    const std::size_t tableBytes = HistogramSums::Count(bins) * sizeof(std::uint64_t) +
                                   static_cast<std::size_t>(HistogramElements(bins)) * sizeof(float);
    InformationKernel<<<1, tableThreads, tableBytes, stream>>>(m_Arguments);
    CUDANEURO_CUDA_LAUNCHED("InformationKernel");
  }

private:
  /** Enough blocks to fill the device, and so many that no element of a block's histogram overflows. */
  unsigned int
  NumberOfBlocks(std::int64_t voxels, int wanted) const
  {
    const int threadsOfCopy = DivideUp(m_Threads, m_Copies);
    const int mostTurns = voxelsOfElement / threadsOfCopy;
    const int turns = std::clamp(static_cast<int>(DivideUp(voxels, std::int64_t{ wanted } * m_Threads)), 1, mostTurns);
    return static_cast<unsigned int>(DivideUp(voxels, std::int64_t{ turns } * m_Threads));
  }

  int                            m_Copies;
  int                            m_Threads;
  InformationFunction            m_Kernel;
  DeviceBuffer<std::uint64_t>    m_Histogram;
  DeviceBuffer<InformationSlope> m_Slopes;
  DeviceBuffer<double>           m_Energy;
  unsigned int                   m_Blocks = 1;
  InformationArguments           m_Arguments{};
};

} // namespace
} // namespace cudaneuro::gpu

#endif
