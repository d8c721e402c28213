// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_DisplacementRing_cuh
#define cudaneuro_registration_step_DisplacementRing_cuh

#include "core/SoAField.h"

#include <cuda_pipeline.h>

/** The ring of displacement planes that the force kernel with the unbiased term keeps in shared memory. */
namespace cudaneuro
{
namespace
{

/** Shape of a block: a thread per voxel of the tile's plane and of a margin of one voxel, where only the stresses that
 * the tile needs are computed. A warp is a row. */
constexpr int forceThreadsX = 32;
constexpr int forceThreadsY = 12;
constexpr int forceThreads = forceThreadsX * forceThreadsY;

/** The displacements of a plane around the tile, with a margin of two voxels. */
struct alignas(16) DisplacementPlane
{
  static constexpr int pitch = forceThreadsX + 2;
  static constexpr int count = pitch * (forceThreadsY + 2);

  float values[3][count];
};

/** Planes in shared memory: the current one, the one above it, and the ones that are being loaded. */
constexpr int displacementPlanes = 4;
constexpr int planesOnTheirWay = displacementPlanes - 2;

/** A field, and the position in its planes of the values around a tile. */
struct DisplacementWindow
{
  SoAField field;
  Extent   extent;
  int      firstX; // position of the first value; may lie outside the grid
  int      firstY;
};

/** Copies planes to shared memory asynchronously. Outside the grid, values are those of the edge along y and z, and
 * arbitrary along x. Each thread copies one or two values per component. */
template <bool VInPairs>
class PlaneLoader
{
public:
  __device__ __forceinline__
  PlaneLoader(const DisplacementWindow & window, int thread)
    : m_Field(window.field)
    , m_Thread(thread)
    , m_First(OffsetOf(window, thread))
    , m_Second(OffsetOf(window, min(thread + forceThreads, DisplacementPlane::count - 1)))
  {}

  /** \param plane offset of the first voxel of the plane */
  __device__ __forceinline__ void
  Load(int plane, DisplacementPlane & to) const
  {
    float * values = to.values[0] + m_Thread;
    this->Copy(plane + m_First, values);
    if (m_Thread < DisplacementPlane::count - forceThreads)
    {
      this->Copy(plane + m_Second, values + forceThreads);
    }
  }

private:
  __device__ __forceinline__ static int
  OffsetOf(const DisplacementWindow & window, int i)
  {
    const int x = min(max(window.firstX + i % DisplacementPlane::pitch, 0), window.extent.x - 1);
    const int y = min(max(window.firstY + i / DisplacementPlane::pitch, 0), window.extent.y - 1);
    return y * window.extent.x + x;
  }

  __device__ __forceinline__ void
  Copy(int from, float * to) const
  {
    __pipeline_memcpy_async(to, m_Field.x + from, sizeof(float));
    __pipeline_memcpy_async(to + DisplacementPlane::count, m_Field.y + from, sizeof(float));
    __pipeline_memcpy_async(to + 2 * DisplacementPlane::count, m_Field.z + from, sizeof(float));
  }

  SoAField m_Field;
  int      m_Thread;
  int      m_First;
  int      m_Second;
};

/** Copies two values at a time, which takes half the instructions. Rows must have even length, and firstX must be
 * even. */
template <>
class PlaneLoader<true>
{
public:
  __device__ __forceinline__
  PlaneLoader(const DisplacementWindow & window, int thread)
    : m_First(window, thread)
    , m_Second(window, min(thread + forceThreads, pairs - 1))
  {}

  __device__ __forceinline__ void
  Load(int plane, DisplacementPlane & to) const
  {
    m_First.Copy(plane, to);
    // Two threads never write the same pair, even with equal values, which race checkers would report.
    if (m_First.to < 2 * (pairs - forceThreads))
    {
      m_Second.Copy(plane, to);
    }
  }

private:
  static constexpr int pairs = 3 * DisplacementPlane::count / 2;
  static_assert(DisplacementPlane::pitch % 2 == 0 && pairs > forceThreads && pairs <= 2 * forceThreads,
                "a thread copies one pair or two");

  struct Pair
  {
    const float * component;
    int           from;
    int           to;

    __device__ __forceinline__
    Pair(const DisplacementWindow & window, int pair)
      : to(2 * pair)
    {
      const int i = to % DisplacementPlane::count;
      const int x = min(max(window.firstX + i % DisplacementPlane::pitch, 0), window.extent.x - 2);
      const int y = min(max(window.firstY + i / DisplacementPlane::pitch, 0), window.extent.y - 1);
      component = to < DisplacementPlane::count       ? window.field.x
                  : to < 2 * DisplacementPlane::count ? window.field.y
                                                      : window.field.z;
      from = y * window.extent.x + x;
    }

    __device__ __forceinline__ void
    Copy(int plane, DisplacementPlane & into) const
    {
      __pipeline_memcpy_async(into.values[0] + to, component + (from + plane), 2 * sizeof(float));
    }
  };

  Pair m_First;
  Pair m_Second;
};

} // namespace
} // namespace cudaneuro

#endif
