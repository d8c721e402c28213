// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ReferenceIntensityLattice.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

/** The volumes that a launch reads. */
struct LatticeVolumes
{
  static constexpr int most = 64;
  const void *         data[most];
  PixelType            types[most];
};

/** Writes the pixels at all points of the lattice; one thread per point, and one row of thread blocks per volume. */
__global__ void
ReadLatticeKernel(const __grid_constant__ LatticeVolumes volumes, Lattice lattice, float * values)
{
  const int point = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int volume = static_cast<int>(blockIdx.y);
  if (point < lattice.NumberOfPoints())
  {
    values[static_cast<std::int64_t>(volume) * lattice.NumberOfPoints() + point] =
      ReadPixel(volumes.data[volume], volumes.types[volume], lattice.Voxel(point));
  }
}

} // namespace

std::vector<float>
ReadLattices(Context & context, const std::vector<ConstVolume> & volumes, const Lattice & lattice)
{
  GpuContext &              gpu = GpuOf(context);
  const DeviceScope         scope(gpu.GetDevice());
  constexpr int             threads = 64;
  const int                 points = lattice.NumberOfPoints();
  const std::size_t         count = volumes.size() * static_cast<std::size_t>(points);
  const DeviceBuffer<float> onDevice = gpu.AllocateArray<float>(count);
  for (std::size_t first = 0; first < volumes.size(); first += LatticeVolumes::most)
  {
    const std::size_t number = std::min<std::size_t>(LatticeVolumes::most, volumes.size() - first);
    LatticeVolumes    read{};
    for (std::size_t i = 0; i < number; ++i)
    {
      read.data[i] = volumes[first + i].data;
      read.types[i] = volumes[first + i].type;
    }
    const dim3 blocks(static_cast<unsigned int>(DivideUp(points, threads)), static_cast<unsigned int>(number));
    ReadLatticeKernel<<<blocks, threads, 0, gpu.ComputeStream()>>>(
      read, lattice, onDevice.Data() + first * static_cast<std::size_t>(points));
    CUDANEURO_CUDA_LAUNCHED("ReadLatticeKernel");
  }
  return gpu.CopyToHost(onDevice, count);
}

} // namespace cudaneuro::gpu
