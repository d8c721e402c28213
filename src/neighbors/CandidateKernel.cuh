// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_neighbors_CandidateKernel_cuh
#define cudaneuro_neighbors_CandidateKernel_cuh

#include "neighbors/CandidateLists.cuh"
#include "neighbors/ProductTile.cuh"

namespace cudaneuro::gpu
{

/** Candidates that a warp collects in shared memory until each lane has one to append to the queries' lists, because
 * appending waits for counters in device memory. There is then room for those of 2 * columnTiles products per lane. */
template <typename TShape>
struct PendingCandidates
{
  static constexpr int capacity = 31 + 32 * 2 * TShape::columnTiles;

  Candidate candidates[capacity];
  /** Rows of the warp's candidates. */
  unsigned char rows[capacity];
};

template <typename TShape>
struct CandidateShared
{
  /** Minimum products; infinite for rows that do not exist, and for rows whose lists are full. */
  float                     leastProducts[TShape::rows];
  PendingCandidates<TShape> pending[TShape::warps];
};

/** Collects a warp's candidates and appends them to lists. All lanes call its functions. */
template <typename TShape>
class CandidateCollector
{
public:
  __device__
  CandidateCollector(const CandidateLists & lists, CandidateShared<TShape> & shared, int firstRow)
    : m_Lists(lists)
    , m_LeastProducts(shared.leastProducts + threadIdx.x / 32 * TShape::warpRows)
    , m_Pending(shared.pending[threadIdx.x / 32])
    , m_FirstRow(firstRow)
  {
    this->LoadLeastProducts();
  }

  /** The minimum product of a row for which the lane has products. */
  __device__ __forceinline__ float
  LeastProduct(int rowTile, int half) const
  {
    return m_Least[rowTile][half];
  }

  /** Stores a candidate from each lane that has one. */
  __device__ __forceinline__ void
  Add(bool isCandidate, int row, std::int32_t position, float product)
  {
    const unsigned int lanes = __ballot_sync(0xffffffffu, isCandidate);
    if (lanes != 0)
    {
      if (isCandidate)
      {
        const int at = m_Count + __popc(lanes & ((1u << threadIdx.x % 32) - 1));
        m_Pending.candidates[at] = { position, product };
        m_Pending.rows[at] = static_cast<unsigned char>(row);
      }
      m_Count += __popc(lanes);
    }
  }

  /** Appends candidates while each lane has one to append. */
  __device__ __forceinline__ void
  AppendFull()
  {
    if (m_Count >= 32)
    {
      __syncwarp();
      do
      {
        m_Count -= 32;
        this->Append(m_Count + threadIdx.x % 32);
      } while (m_Count >= 32);
      __syncwarp();
      this->LoadLeastProducts();
    }
  }

  /** Appends the remaining candidates. */
  __device__ __forceinline__ void
  AppendRest()
  {
    __syncwarp();
    if (static_cast<int>(threadIdx.x % 32) < m_Count)
    {
      this->Append(threadIdx.x % 32);
    }
  }

private:
  __device__ __forceinline__ void
  LoadLeastProducts()
  {
#pragma unroll
    for (int row = 0; row < TShape::rowTiles; ++row)
    {
#pragma unroll
      for (int half = 0; half < 2; ++half)
      {
        m_Least[row][half] = m_LeastProducts[row * 16 + half * 8 + threadIdx.x % 32 / 4];
      }
    }
  }

  __device__ __forceinline__ void
  Append(int pending)
  {
    const int          row = m_Pending.rows[pending];
    const std::int64_t query = m_FirstRow + row;
    const int          at = atomicAdd(m_Lists.counts + query, 1);
    if (at < candidateCapacity)
    {
      m_Lists.candidates[query * candidateCapacity + at] = m_Pending.candidates[pending];
    }
    else
    {
      m_LeastProducts[row] = INFINITY;
    }
  }

  const CandidateLists &      m_Lists;
  float *                     m_LeastProducts;
  PendingCandidates<TShape> & m_Pending;
  int                         m_FirstRow;
  int                         m_Count = 0;
  float                       m_Least[TShape::rowTiles][2];
};

/** Adds to the collector the candidates among a warp's products with the columns from \p column on. The largest product
 * of each row mostly shows that there are few or none. */
template <typename TShape>
__device__ __forceinline__ void
CollectCandidates(const float (&sums)[TShape::rowTiles][TShape::columnTiles][4],
                  int                          column,
                  CandidateCollector<TShape> & collector)
{
  bool found[TShape::rowTiles][2];
  bool anyFound = false;
#pragma unroll
  for (int row = 0; row < TShape::rowTiles; ++row)
  {
#pragma unroll
    for (int half = 0; half < 2; ++half)
    {
      float largest = sums[row][0][2 * half];
#pragma unroll
      for (int i = 1; i < 2 * TShape::columnTiles; ++i)
      {
        largest = fmaxf(largest, sums[row][i / 2][2 * half + i % 2]);
      }
      found[row][half] = largest >= collector.LeastProduct(row, half);
      anyFound = anyFound || found[row][half];
    }
  }
  if (!__any_sync(0xffffffffu, anyFound))
  {
    return;
  }
  const int first = column + static_cast<int>(threadIdx.x % 4 * 2);
#pragma unroll
  for (int row = 0; row < TShape::rowTiles; ++row)
  {
#pragma unroll
    for (int half = 0; half < 2; ++half)
    {
      if (__any_sync(0xffffffffu, found[row][half]))
      {
#pragma unroll
        for (int i = 0; i < 2 * TShape::columnTiles; ++i)
        {
          const float product = sums[row][i / 2][2 * half + i % 2];
          const int   position = first + i / 2 * 8 + i % 2;
          collector.Add(product >= collector.LeastProduct(row, half),
                        row * 16 + half * 8 + static_cast<int>(threadIdx.x % 32 / 4),
                        position,
                        product);
        }
        collector.AppendFull();
      }
    }
  }
}

/** Collects the points whose products with a query are at least the query's minimum product. Block (x, y) reads its
 * rows and the columns from y * columnsOfBlock on, and appends to lists.candidates, whose lengths are lists.counts. The
 * order of a list depends on timing; ranking sorts it. */
template <typename TShape>
__global__ void
__launch_bounds__(TShape::threads, TShape::residentBlocks)
  CandidateKernel(ProductOperands operands, CandidateLists lists)
{
  extern __shared__ int4 sharedTiles[];
  __shared__ CandidateShared<TShape> shared;
  const int                          blockRow = static_cast<int>(blockIdx.x * TShape::rows);
  for (int i = threadIdx.x; i < TShape::rows; i += TShape::threads)
  {
    const int  row = blockRow + i;
    const bool takesPart = row < operands.numberOfRows && lists.counts[row] <= candidateCapacity;
    shared.leastProducts[i] = takesPart ? lists.leastProducts[row] : INFINITY;
  }
  __syncthreads();

  const int                  firstRow = blockRow + static_cast<int>(threadIdx.x / 32) * TShape::warpRows;
  const WarpRows<TShape>     rows(operands, firstRow);
  CandidateCollector<TShape> collector(lists, shared, firstRow);
  const int                  begin = static_cast<int>(blockIdx.y) * operands.columnsOfBlock;
  const int                  end = min(begin + operands.columnsOfBlock, operands.numberOfPoints);
  MultiplyColumns<TShape>(operands, rows, sharedTiles, begin, end, [&](const auto & sums, int column) {
    CollectCandidates<TShape>(sums, column, collector);
  });
  collector.AppendRest();
}

} // namespace cudaneuro::gpu

#endif
