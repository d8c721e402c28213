// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "images/ReferenceIntensityLattice.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"

namespace cudaneuro::gpu
{

namespace
{

/** Writes the pixels at all points of the lattice; one thread a point. */
__global__ void
ReadLatticeKernel(const void * data, PixelType type, Lattice lattice, float * values)
{
  const int point = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (point < lattice.NumberOfPoints())
  {
    values[point] = ReadPixel(data, type, lattice.Voxel(point));
  }
}

} // namespace

std::vector<float>
ReadLattice(Context & context, const ConstVolume & volume, const Lattice & lattice)
{
  GpuContext &              gpu = GpuOf(context);
  const DeviceScope         scope(gpu.GetDevice());
  constexpr int             threads = 64;
  const int                 count = lattice.NumberOfPoints();
  const DeviceBuffer<float> onDevice = gpu.AllocateArray<float>(count);
  ReadLatticeKernel<<<DivideUp(count, threads), threads, 0, gpu.ComputeStream()>>>(
    volume.data, volume.type, lattice, onDevice.Data());
  CUDANEURO_CUDA_LAUNCHED("ReadLatticeKernel");
  return gpu.CopyToHost(onDevice, count);
}

} // namespace cudaneuro::gpu
