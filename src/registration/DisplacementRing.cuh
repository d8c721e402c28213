// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_DisplacementRing_cuh
#define cudaneuro_registration_DisplacementRing_cuh

#include "core/SoAField.h"

#include <cuda_pipeline.h>

/** How the force kernel has the displacements around its tile in shared memory, plane by plane. */
namespace cudaneuro
{
namespace
{

/** Threads of a block: one a voxel of a plane of its tile and of a margin of one voxel around it, where only stresses are
 * computed, for the tile's own. A warp is a row. */
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

/** Planes in shared memory: one whose neighbors are read, the one above it, and others on their way. */
constexpr int displacementPlanes = 4;
constexpr int planesOnTheirWay = displacementPlanes - 2;

/** A field and where in its planes the values around a tile are. */
struct DisplacementWindow
{
  SoAField field;
  Extent   extent;
  int      firstX; // of the first value; may be beyond the border
  int      firstY;
};

/** Starts to copy planes to shared memory. Values beyond the border are those of the edge in y and z, and any in x. Each
 * thread copies one value a component, or two. */
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

  /** \p plane: offset of its first voxel. */
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

/** The same two values at a time, for half the instructions: where rows are of even length, and firstX is even. */
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
    // No pair is written by two threads, not even with the same values: tools that look for races would report it.
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
