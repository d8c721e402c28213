// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_points_PointRecords_cuh
#define cudaneuro_points_PointRecords_cuh

#include "points/PointOrder.h"
#include "points/GaussianPairFormulas.h"

#include <cstring>

/** The layout of points in device memory: a record for each point with two vectors, which are position and momentum (x,
 * u), or their adjoints (a, b). */
namespace cudaneuro
{

/** Numbers in a record: the coordinates of two vectors, padded to whole pieces of 16 bytes. */
template <int VDimension>
constexpr int recordWidth = VDimension == 2 ? 4 : 8;

/** Numbers in the record of a box: the lowest coordinates, then the highest from index boxHighest on. */
constexpr int boxWidth = 8;
constexpr int boxHighest = 4;

/** Loads memory that other multiprocessors have written during this kernel. */
struct ReadThroughL2
{
  template <typename TPiece>
  static __device__ TPiece
  Read(const TPiece * from)
  {
    return __ldcg(from);
  }
};

/** Loads shared memory, or global memory through the L1 cache. */
struct ReadPlainly
{
  template <typename TPiece>
  static __device__ TPiece
  Read(const TPiece * from)
  {
    return *from;
  }
};

/** Loads the two vectors of a record, in the largest possible pieces. */
template <typename TRead, int VDimension, typename T>
__device__ __forceinline__ void
ReadRecord(const T * record, T (&first)[VDimension], T (&second)[VDimension])
{
  constexpr int numbers = 2 * VDimension;
  constexpr int perPiece = 16 / static_cast<int>(sizeof(T));
  T             values[recordWidth<VDimension>];
  for (int piece = 0; piece < numbers / perPiece; ++piece)
  {
    const int4 bits = TRead::Read(reinterpret_cast<const int4 *>(record) + piece);
    memcpy(values + piece * perPiece, &bits, sizeof(bits));
  }
  if constexpr (numbers % perPiece != 0)
  {
    constexpr int done = numbers / perPiece * perPiece;
    const int2    bits = TRead::Read(reinterpret_cast<const int2 *>(record + done));
    memcpy(values + done, &bits, sizeof(bits));
  }
  for (int d = 0; d < VDimension; ++d)
  {
    first[d] = values[d];
    second[d] = values[VDimension + d];
  }
}

/** Loads the first vector of a record. */
template <typename TRead, int VDimension, typename T>
__device__ __forceinline__ void
ReadPosition(const T * record, T (&position)[VDimension])
{
  constexpr int bytes = VDimension * static_cast<int>(sizeof(T));
  constexpr int pieces = (bytes + 15) / 16;
  T             values[recordWidth<VDimension>];
  for (int piece = 0; piece < pieces; ++piece)
  {
    const int4 bits = TRead::Read(reinterpret_cast<const int4 *>(record) + piece);
    memcpy(values + piece * 16 / static_cast<int>(sizeof(T)), &bits, sizeof(bits));
  }
  for (int d = 0; d < VDimension; ++d)
  {
    position[d] = values[d];
  }
}

/** Sums over pairs at a point, named by the vector of the record to which they belong. */
template <typename T, int VDimension>
struct RecordSums
{
  T first[VDimension] = {};
  T second[VDimension] = {};
};

/** The slopes: first is the velocity, second the force. */
template <typename T, int VDimension>
struct SlopePoint
{
  /** Number of arrays of records that are read. */
  static constexpr int arrays = 1;

  T x[VDimension];
  T u[VDimension];

  template <typename TRead>
  __device__ __forceinline__ void
  Load(const T * state, const T *)
  {
    ReadRecord<TRead>(state, x, u);
  }

  __device__ __forceinline__ void
  Add(const SlopePoint & other, RecordSums<T, VDimension> & sums) const
  {
    AddSlopes(x, u, other.x, other.u, sums.first, sums.second);
  }
};

/** The transposed derivative of the slopes: first is byPosition, second is byMomentum. */
template <typename T, int VDimension>
struct AdjointPoint
{
  static constexpr int arrays = 2;

  T x[VDimension];
  T u[VDimension];
  T a[VDimension];
  T b[VDimension];

  template <typename TRead>
  __device__ __forceinline__ void
  Load(const T * state, const T * adjoint)
  {
    ReadRecord<TRead>(state, x, u);
    ReadRecord<TRead>(adjoint, a, b);
  }

  __device__ __forceinline__ void
  Add(const AdjointPoint & other, RecordSums<T, VDimension> & sums) const
  {
    AddAdjoint(x, u, a, b, other.x, other.u, other.a, other.b, sums.second, sums.first);
  }
};

} // namespace cudaneuro

#endif
