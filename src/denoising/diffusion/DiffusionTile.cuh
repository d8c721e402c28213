// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_DiffusionTile_cuh
#define cudaneuro_denoising_diffusion_DiffusionTile_cuh

#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"
#include "cuda/SharedMemoryLimit.h"
#include "denoising/diffusion/DiffusionFormulas.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace cudaneuro
{
namespace gpu
{

/** One explicit step on planes [zBegin, zEnd). The first step reads intensities, the last writes them; between them are
 * DiffusionUnits, where NaN marks voxels that take no part. */
struct DiffusionArguments
{
  const float *         input; // the step before
  std::int64_t          inputPitch;
  bool                  inputHasQuads;
  const unsigned char * mask;    // null: all take part that are finite; used by the first step only
  const float *         restore; // where voxels that take no part get their values from, in the last step; else null
  float *               output;
  std::int64_t          outputPitch;
  bool                  outputHasQuads;
  unsigned char *       flags; // DiffusionFlags; written by the first step
  int                   size[3];
  int                   zBegin;
  int                   zEnd;
  int                   planesPerBlock;
  InverseEdgeLengths    weight; // 1 / edge length times the time step (half of it for Weickert26)
  DiffusionUnits        units;
};

/** What is the same in all steps, except flags. */
inline DiffusionArguments
MakeDiffusionArguments(const AnisotropicDiffusionParameters & parameters, const Grid & grid, float reference)
{
  DiffusionArguments arguments{};
  const bool         fieldOfConductances = parameters.stencil == DiffusionStencil::Weickert26;
  const auto         factor = static_cast<float>(fieldOfConductances ? parameters.timeStep / 2 : parameters.timeStep);
  auto               weight = MakeInverseEdgeLengths(parameters.stencil, grid, parameters.useSpacing);
  for (float * w : { &weight.x, &weight.y, &weight.z, &weight.xy, &weight.xz, &weight.yz, &weight.xyz })
  {
    *w *= factor;
  }
  arguments.weight = weight;
  arguments.units = MakeDiffusionUnits(parameters, grid, reference);
  for (int axis = 0; axis < 3; ++axis)
  {
    arguments.size[axis] = static_cast<int>(grid.size[axis]);
  }
  return arguments;
}

/** Whether rows of \p pitch floats can be read and written in whole, aligned groups of 4. Between steps the floats
 * between the end of a row and its pitch hold NaN. */
inline bool
HasQuads(const float * data, std::int64_t pitch)
{
  return pitch % 4 == 0 && reinterpret_cast<std::uintptr_t>(data) % (4 * sizeof(float)) == 0;
}

/** Launch shape: a block of VThreadsX x VThreadsY threads covers 4 VThreadsX x VRows VThreadsY voxels of each plane. */
template <int VThreadsX, int VThreadsY, int VRows, int VMinimumBlocks = 1>
struct DiffusionShape
{
  static constexpr int threadsX = VThreadsX;
  static constexpr int threadsY = VThreadsY;
  static constexpr int rows = VRows;
  static constexpr int minimumBlocks = VMinimumBlocks;
  static constexpr int threads = VThreadsX * VThreadsY;
  static constexpr int width = 4 * VThreadsX;
  static constexpr int height = VRows * VThreadsY;
};

/** Where a block works. */
struct DiffusionBlock
{
  int x0;
  int y0;
  int zBegin;
  int zEnd;
};

/** Blocks are numbered x fastest, so that those that share planes run together. */
template <typename TShape>
__device__ __forceinline__ DiffusionBlock
LocateDiffusionBlock(const DiffusionArguments & a)
{
  const int      blocksX = DivideUp(a.size[0], TShape::width);
  const int      blocksY = DivideUp(a.size[1], TShape::height);
  const int      blockRow = blockIdx.x / blocksX;
  DiffusionBlock block;
  block.x0 = (blockIdx.x - blockRow * blocksX) * TShape::width;
  block.y0 = blockRow % blocksY * TShape::height;
  block.zBegin = a.zBegin + blockRow / blocksY * a.planesPerBlock;
  block.zEnd = min(block.zBegin + a.planesPerBlock, a.zEnd);
  return block;
}

/** Number of a block's tile in its plane, and of tiles in a plane. */
template <typename TShape>
CUDANEURO_HOST_DEVICE std::int64_t
                      CountDiffusionTiles(const int (&size)[3])
{
  return static_cast<std::int64_t>(DivideUp(size[0], TShape::width)) * DivideUp(size[1], TShape::height);
}

/** Feeds planes of a block's tile, with a halo of VHalo rows and of 4 columns, to a ring of 4 planes in shared memory.
 * Voxels beyond the image in x and y have the value \p beyond there, in planes beyond it they are NaN.
 *
 * For each plane of a tile a flag says whether it has a voxel that takes no part, inside the image or in the padding of
 * its rows. As these stay the same in all steps, the first step (VFirst) looks for them and writes the flags, and
 * applies the mask; its input need not be aligned. The input of other steps must HasQuads. */
template <typename TShape, int VHalo, bool VFirst>
class DiffusionTile
{
public:
  static constexpr int stride = TShape::width + 8;
  static constexpr int height = TShape::height + 2 * VHalo;
  static constexpr int planeFloats = stride * height;
  static constexpr int ringFloats = 4 * planeFloats;

  /** The first plane that will be loaded is \p z. */
  __device__ __forceinline__
  DiffusionTile(const DiffusionArguments & a, const DiffusionBlock & block, float * ring, int z, float beyond)
    : m_Arguments(a)
    , m_Block(block)
    , m_Ring(ring)
    , m_PlaneFloats(a.inputPitch * a.size[1])
  {
    const auto tiles = static_cast<unsigned int>(CountDiffusionTiles<TShape>(a.size));
    m_Flags = a.flags + static_cast<std::int64_t>(blockIdx.x % tiles) * a.size[2];
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      const int x = this->QuadX(k);
      const int y = this->QuadY(k);
      m_Inside[k] = this->IsQuad(k) && y >= 0 && y < a.size[1] && x >= 0 && x < a.size[0];
      m_Source[k] = a.input + z * m_PlaneFloats + y * a.inputPitch + x;
      if (this->IsQuad(k) && !m_Inside[k])
      {
        for (int plane = 0; plane < 4; ++plane)
        {
          *this->Quad(plane, k) = make_float4(beyond, beyond, beyond, beyond);
        }
      }
    }
  }

  /** Starts loading the next plane, which is \p z. */
  __device__ __forceinline__ void
  Load(int z)
  {
    const bool planeInside = z >= 0 && z < m_Arguments.size[2];
    if (VFirst)
    {
      this->LoadFirst(z, planeInside);
    }
    else if (planeInside)
    {
      m_NextFlag = __ldg(m_Flags + z);
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (m_Inside[k])
        {
          __pipeline_memcpy_async(this->Quad(z, k), m_Source[k], sizeof(float4));
        }
      }
      __pipeline_commit();
    }
    else
    {
      m_NextFlag = 1;
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (m_Inside[k])
        {
          *this->Quad(z, k) = make_float4(excluded, excluded, excluded, excluded);
        }
      }
    }
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      m_Source[k] += m_PlaneFloats;
    }
  }

  /** Waits for the plane loaded last, \p z, and for all threads. Returns its flag. */
  __device__ __forceinline__ int
  Arrive(int z)
  {
    if (!VFirst)
    {
      __pipeline_wait_prior(0);
      __syncthreads();
      return m_NextFlag;
    }
    const int flag = __syncthreads_or(this->StoreFirst(z));
    if (threadIdx.x == 0 && z >= 0 && z < m_Arguments.size[2])
    {
      m_Flags[z] = flag != 0;
    }
    return flag != 0;
  }

  /** Plane \p z of the ring, which holds planes [z, z + 4) for some z; it starts VHalo rows and 4 columns before the
   * block's first voxel. */
  __device__ __forceinline__ float *
  Plane(int z) const
  {
    return m_Ring + (z & 3) * planeFloats;
  }

private:
  static constexpr int   quadsPerRow = stride / 4;
  static constexpr int   quadsPerThread = DivideUp(quadsPerRow * height, TShape::threads);
  static constexpr float excluded = __builtin_nanf("");

  static __device__ __forceinline__ bool
  IsTakingPart(float value)
  {
    return fabsf(value) <= 3.402823466e38f; // false for NaN
  }

  __device__ __forceinline__ bool
  IsQuad(int k) const
  {
    return threadIdx.x + k * TShape::threads < quadsPerRow * height;
  }
  __device__ __forceinline__ int
  QuadX(int k) const
  {
    return m_Block.x0 - 4 + 4 * static_cast<int>((threadIdx.x + k * TShape::threads) % quadsPerRow);
  }
  __device__ __forceinline__ int
  QuadY(int k) const
  {
    return m_Block.y0 - VHalo + static_cast<int>((threadIdx.x + k * TShape::threads) / quadsPerRow);
  }
  __device__ __forceinline__ float4 *
  Quad(int z, int k) const
  {
    return reinterpret_cast<float4 *>(this->Plane(z)) + threadIdx.x + k * TShape::threads;
  }

  __device__ __forceinline__ void
  LoadFirst(int z, bool planeInside)
  {
    const DiffusionArguments & a = m_Arguments;
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
#pragma unroll
      for (float & value : m_Next[k])
      {
        value = excluded;
      }
    }
    if (a.inputHasQuads && a.mask == nullptr)
    {
#pragma unroll
      for (int k = 0; k < quadsPerThread; ++k)
      {
        if (planeInside && m_Inside[k])
        {
          const float4 v = __ldg(reinterpret_cast<const float4 *>(m_Source[k]));
          m_Next[k][0] = v.x;
          m_Next[k][1] = v.y;
          m_Next[k][2] = v.z;
          m_Next[k][3] = v.w;
        }
      }
      return;
    }
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        const int x = this->QuadX(k) + i;
        if (planeInside && m_Inside[k] && x < a.size[0])
        {
          const auto index = (static_cast<std::int64_t>(z) * a.size[1] + this->QuadY(k)) * a.size[0] + x;
          if (a.mask == nullptr || __ldg(a.mask + index) != 0)
          {
            m_Next[k][i] = __ldg(m_Source[k] + i);
          }
        }
      }
    }
  }

  /** Writes the plane loaded last to the ring. Returns whether this thread's part has a voxel that takes no part, or
   * one so huge that edges to it are closed. */
  __device__ __forceinline__ bool
  StoreFirst(int z)
  {
    bool anyExcluded = false;
#pragma unroll
    for (int k = 0; k < quadsPerThread; ++k)
    {
      if (m_Inside[k])
      {
#pragma unroll
        for (float & value : m_Next[k])
        {
          value = IsTakingPart(value) ? DiffusionUnitsFromIntensity(value, m_Arguments.units.reference) : excluded;
          // Where one of two is beyond half of it, their difference may be beyond. True for NaN.
          anyExcluded = anyExcluded || !(fabsf(value) <= 0.5f * m_Arguments.units.largestEdgeDifference);
        }
        *this->Quad(z, k) = make_float4(m_Next[k][0], m_Next[k][1], m_Next[k][2], m_Next[k][3]);
      }
    }
    return anyExcluded;
  }

  const DiffusionArguments & m_Arguments;
  const DiffusionBlock &     m_Block;
  float *                    m_Ring;
  std::int64_t               m_PlaneFloats;
  unsigned char *            m_Flags;
  int                        m_NextFlag = 0;
  bool                       m_Inside[quadsPerThread];
  const float *              m_Source[quadsPerThread];
  float                      m_Next[quadsPerThread][4]; // of the first step only
};

/** Reads 4 consecutive floats. */
__device__ __forceinline__ void
ReadQuad(const float * from, float (&to)[4])
{
  const float4 v = *reinterpret_cast<const float4 *>(from);
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  to[3] = v.w;
}

/** Where a thread writes its results, 4 of a row at a time, as far as they lie in the image. */
class DiffusionOutput
{
public:
  /** The first quad starts at (x, y, z). */
  __device__ __forceinline__
  DiffusionOutput(const DiffusionArguments & a, int x, int y, int z)
    : m_Arguments(a)
    , m_X(x)
    , m_Y(y)
    , m_PlaneFloats(a.outputPitch * a.size[1])
    , m_Output(a.output + (z * m_PlaneFloats + y * a.outputPitch + x))
  {}

  __device__ __forceinline__ void
  NextPlane()
  {
    m_Output += m_PlaneFloats;
  }

  /** Writes the quad \p row rows below the first. */
  __device__ __forceinline__ void
  Write(int row, const float (&result)[4]) const
  {
    if (m_X >= m_Arguments.size[0] || m_Y + row >= m_Arguments.size[1])
    {
      return;
    }
    float * const output = m_Output + row * m_Arguments.outputPitch;
    if (m_Arguments.outputHasQuads)
    {
      *reinterpret_cast<float4 *>(output) = make_float4(result[0], result[1], result[2], result[3]);
      return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      if (m_X + i < m_Arguments.size[0])
      {
        output[i] = result[i];
      }
    }
  }

  /** Whether this is the last step, whose results are to be written as intensities. */
  __device__ __forceinline__ bool
  IsLastStep() const
  {
    return m_Arguments.restore != nullptr;
  }

  /** As Write, in the last step, for plane \p z: converts the result, and writes the input's value where it is NaN, which
   * marks voxels that take no part. */
  __device__ __forceinline__ void
  WriteIntensities(int row, int z, const float (&result)[4]) const
  {
    const DiffusionArguments & a = m_Arguments;
    if (m_Y + row >= a.size[1])
    {
      return;
    }
    const auto index = (static_cast<std::int64_t>(z) * a.size[1] + m_Y + row) * a.size[0] + m_X;
    float      intensities[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
    {
      intensities[i] = IntensityFromDiffusionUnits(result[i], a.units.reference);
      if (isnan(result[i]) && m_X + i < a.size[0])
      {
        intensities[i] = a.restore[index + i];
      }
    }
    this->Write(row, intensities);
  }

private:
  const DiffusionArguments & m_Arguments;
  int                        m_X;
  int                        m_Y;
  std::int64_t               m_PlaneFloats;
  float *                    m_Output;
};

/** Planes for one block so that the blocks fill the \p resident places of the device evenly, while the planes that a
 * block works on besides its own, \p overhead of them, cost little. */
inline int
ChoosePlanesPerBlock(std::int64_t tiles, int planes, int overhead, std::int64_t resident)
{
  double bestCost = 0.0;
  int    best = planes;
  for (int pieces = 1; pieces <= std::min(planes, 64); ++pieces)
  {
    const int          planesPerBlock = DivideUp(planes, pieces);
    const std::int64_t blocks = tiles * DivideUp(planes, planesPerBlock);
    // A round that fills only a part of the places is faster, but not in proportion.
    const double lastRound = static_cast<double>(blocks % resident) / static_cast<double>(resident);
    const double rounds = static_cast<double>(blocks / resident) + (lastRound > 0.0 ? 0.5 + 0.5 * lastRound : 0.0);
    const double cost = rounds * (planesPerBlock + overhead);
    if (pieces == 1 || cost < bestCost)
    {
      bestCost = cost;
      best = planesPerBlock;
    }
  }
  return best;
}

/** Launches a diffusion kernel over [zBegin, zEnd); fills in planesPerBlock. */
template <typename TShape>
void
LaunchDiffusion(void (*kernel)(DiffusionArguments),
                DiffusionArguments arguments,
                std::size_t        sharedBytes,
                int                overhead,
                int                multiprocessors,
                cudaStream_t       stream)
{
  if (sharedBytes > 48 * 1024)
  {
    AllowAllSharedMemory(kernel);
  }
  int residentPerMultiprocessor = 0;
  CUDANEURO_CUDA(
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&residentPerMultiprocessor, kernel, TShape::threads, sharedBytes));
  const std::int64_t resident = std::int64_t{ multiprocessors } * std::max(residentPerMultiprocessor, 1);
  const std::int64_t tiles = CountDiffusionTiles<TShape>(arguments.size);
  const int          planes = arguments.zEnd - arguments.zBegin;
  arguments.planesPerBlock = ChoosePlanesPerBlock(tiles, planes, overhead, resident);
  const std::int64_t blocksZ = DivideUp(planes, arguments.planesPerBlock);
  kernel<<<static_cast<unsigned int>(tiles * blocksZ), TShape::threads, sharedBytes, stream>>>(arguments);
  CUDANEURO_CUDA_LAUNCHED("anisotropic diffusion step");
}

} // namespace gpu
} // namespace cudaneuro

#endif
