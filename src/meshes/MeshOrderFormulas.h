// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_meshes_MeshOrderFormulas_h
#define cudaneuro_meshes_MeshOrderFormulas_h

#include "core/CounterRandom.h"
#include "core/HostDevice.h"
#include "meshes/MeshDenoisingScales.h"

#include <cstdint>
#include <cstring>

/** Keys for sorting vertices, for both compilers. */
namespace cudaneuro
{

/** Number of bits of MortonCode. */
constexpr int mortonBits = 30;

/** Inserts two zeros between each two of the lower 10 bits. */
CUDANEURO_HOST_DEVICE std::uint32_t
                      SpreadBits(std::uint32_t x)
{
  x &= 0x3ffu;
  x = (x | (x << 16)) & 0x030000ffu;
  x = (x | (x << 8)) & 0x0300f00fu;
  x = (x | (x << 4)) & 0x030c30c3u;
  return (x | (x << 2)) & 0x09249249u;
}

/** The position and scale of a mesh in space. */
struct MeshFrame
{
  double low[3];
  double center[3];
  double extent;
  double edgeLength;

  /** The place along Morton's curve in a cube of 1024 cells along each side, by which neighbors in space are close. */
  CUDANEURO_HOST_DEVICE std::uint32_t
                        MortonCode(const double * point) const
  {
    std::uint32_t code = 0;
    for (int axis = 0; axis < 3; ++axis)
    {
      code |= SpreadBits(static_cast<std::uint32_t>((point[axis] - low[axis]) / extent * 1023.0)) << axis;
    }
    return code;
  }

  /** A key that orders points by their distance from the center: the bits of its square. */
  CUDANEURO_HOST_DEVICE std::uint64_t
                        DistanceKey(const double * point) const
  {
    const double x = point[0] - center[0];
    const double y = point[1] - center[1];
    const double z = point[2] - center[2];
#if defined(__CUDA_ARCH__)
    // Rounding operation by operation gives the bits of the CPU.
    const double squared = __dadd_rn(__dadd_rn(__dmul_rn(x, x), __dmul_rn(y, y)), __dmul_rn(z, z));
#else
    const double squared = x * x + y * y + z * z;
#endif
    std::uint64_t bits = 0;
    std::memcpy(&bits, &squared, sizeof(bits));
    return bits;
  }

  /** The coordinate relative to the center, in edge lengths. */
  CUDANEURO_HOST_DEVICE float
  Coordinate(const double * point, int axis) const
  {
    return static_cast<float>((point[axis] - center[axis]) / edgeLength);
  }
};

/** The signs of the probes at a vertex, one bit each. They depend only on \p rank, the vertex's rank by distance from
 * the center, which does not change if a mesh is rotated, translated, scaled, or renumbered. */
CUDANEURO_HOST_DEVICE std::uint8_t
                      SignsOfProbes(std::int32_t rank)
{
  constexpr std::uint64_t seed = 1;
  return static_cast<std::uint8_t>(RandomBits(seed, static_cast<std::uint64_t>(rank)) & ((1u << numberOfProbes) - 1));
}

} // namespace cudaneuro

#endif
