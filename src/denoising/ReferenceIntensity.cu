// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "ReferenceIntensity.h"

#include "Exp2.h"
#include "GpuContext.h"

#include <algorithm>
#include <vector>

namespace cudaneuro
{
namespace gpu
{

namespace
{

constexpr int latticePointsPerAxis = 8;

struct Lattice
{
  std::int64_t size[3];
  int          points[3];
};

Lattice
MakeLattice(const Grid & grid)
{
  Lattice lattice{};
  for (int axis = 0; axis < 3; ++axis)
  {
    lattice.size[axis] = grid.size[axis];
    lattice.points[axis] = static_cast<int>(std::min<std::int64_t>(grid.size[axis], latticePointsPerAxis));
  }
  return lattice;
}

/** The voxel at a lattice point. Points lie in the middle of equal parts of each axis. */
CUDANEURO_HOST_DEVICE std::int64_t
                      LatticeVoxel(const Lattice & lattice, int point)
{
  std::int64_t voxel = 0;
  std::int64_t stride = 1;
  for (int axis = 0; axis < 3; ++axis)
  {
    const int i = point % lattice.points[axis];
    point /= lattice.points[axis];
    voxel += stride * ((2 * i + 1) * lattice.size[axis] / (2 * lattice.points[axis]));
    stride *= lattice.size[axis];
  }
  return voxel;
}

CUDANEURO_HOST_DEVICE float
ReadPixel(const void * data, PixelType type, std::int64_t voxel)
{
  switch (type)
  {
    case PixelType::UnsignedChar:
      return static_cast<const unsigned char *>(data)[voxel];
    case PixelType::Short:
      return static_cast<const short *>(data)[voxel];
    case PixelType::UnsignedShort:
      return static_cast<const unsigned short *>(data)[voxel];
    case PixelType::Float:
      return static_cast<const float *>(data)[voxel];
    case PixelType::Double:
      break;
  }
  return static_cast<float>(static_cast<const double *>(data)[voxel]);
}

/** Writes the pixels at all points of the lattice; one thread a point. */
static __global__ void
ReadLatticeKernel(const void * data, PixelType type, Lattice lattice, float * values)
{
  const int point = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (point < lattice.points[0] * lattice.points[1] * lattice.points[2])
  {
    values[point] = ReadPixel(data, type, LatticeVoxel(lattice, point));
  }
}

std::vector<float>
ReadLattice(GpuContext & gpu, const ConstVolume & volume, const Lattice & lattice)
{
  const int count = lattice.points[0] * lattice.points[1] * lattice.points[2];
  if (volume.space == MemorySpace::Host)
  {
    std::vector<float> values(count);
    for (int point = 0; point < count; ++point)
    {
      values[point] = ReadPixel(volume.data, volume.type, LatticeVoxel(lattice, point));
    }
    return values;
  }
  constexpr int             threads = 64;
  const DeviceBuffer<float> onDevice = gpu.AllocateArray<float>(count);
  ReadLatticeKernel<<<(count + threads - 1) / threads, threads, 0, gpu.ComputeStream()>>>(
    volume.data, volume.type, lattice, onDevice.Data());
  CUDANEURO_CUDA_LAUNCHED("ReadLatticeKernel");
  return gpu.CopyToHost(onDevice, count);
}

} // namespace

float
ReferenceIntensity(Context & context, const Grid & grid, const ConstVolume & input, const ConstVolume & mask)
{
  GpuContext &       gpu = context.Gpu();
  const DeviceScope  scope(gpu.GetDevice());
  const Lattice      lattice = MakeLattice(grid);
  std::vector<float> values = ReadLattice(gpu, input, lattice);
  std::vector<float> inMask(values.size(), 1.0f);
  if (mask.data != nullptr)
  {
    inMask = ReadLattice(gpu, mask, lattice);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    if (IsFinite(values[i]) && inMask[i] != 0.0f)
    {
      values[count++] = values[i];
    }
  }
  if (count == 0)
  {
    return 0.0f;
  }
  std::nth_element(values.begin(), values.begin() + count / 2, values.begin() + count);
  return values[count / 2];
}

} // namespace gpu
} // namespace cudaneuro
