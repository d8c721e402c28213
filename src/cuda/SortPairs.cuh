// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_SortPairs_cuh
#define cudaneuro_cuda_SortPairs_cuh

#include "cuda/GpuContext.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

namespace cudaneuro::gpu
{

/** The keys and values after a sort. */
template <typename TKey>
struct SortedView
{
  const TKey *         keys;
  const std::int32_t * values;
};

/** Keys with values, up to 2^31 - 1 pairs, that CUB's radix sort orders on the device. */
template <typename TKey>
class SortedPairs
{
public:
  SortedPairs(const GpuContext & gpu, std::int64_t count)
    : m_Gpu(gpu)
    , m_Count(count)
    , m_Keys{ gpu.AllocateArray<TKey>(static_cast<std::size_t>(count)),
              gpu.AllocateArray<TKey>(static_cast<std::size_t>(count)) }
    , m_Values{ gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(count)),
                gpu.AllocateArray<std::int32_t>(static_cast<std::size_t>(count)) }
  {}

  TKey *
  Keys() const
  {
    return m_Keys[0].Data();
  }
  std::int32_t *
  Values() const
  {
    return m_Values[0].Data();
  }

  /** Sorts by the lower bits of the keys; values of equal keys keep their order. */
  SortedView<TKey>
  Sort(int bits = 8 * sizeof(TKey))
  {
    cub::DoubleBuffer<TKey>         keys(m_Keys[0].Data(), m_Keys[1].Data());
    cub::DoubleBuffer<std::int32_t> values(m_Values[0].Data(), m_Values[1].Data());
    const cudaStream_t              stream = m_Gpu.ComputeStream();
    const int                       items = static_cast<int>(m_Count);
    std::size_t                     bytes = 0;
    CUDANEURO_CUDA(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, items, 0, bits, stream));
    const DeviceBuffer<char> space = m_Gpu.AllocateArray<char>(bytes);
    CUDANEURO_CUDA(cub::DeviceRadixSort::SortPairs(space.Data(), bytes, keys, values, items, 0, bits, stream));
    return { keys.Current(), values.Current() };
  }

private:
  const GpuContext &         m_Gpu;
  std::int64_t               m_Count;
  DeviceBuffer<TKey>         m_Keys[2];
  DeviceBuffer<std::int32_t> m_Values[2];
};

/** Returns the number of bits of the integers below \p count. */
inline int
BitsBelow(std::int64_t count)
{
  int bits = 1;
  while ((count - 1) >> bits > 0)
  {
    ++bits;
  }
  return bits;
}

/** Enqueues an exclusive sum: writes the sum of the counts before each of \p elements counts. */
template <typename TSum>
void
EnqueueSumsBefore(const GpuContext & gpu, const int * counts, TSum * sums, std::int64_t elements)
{
  const auto  add = ::cuda::std::plus<>();
  std::size_t bytes = 0;
  CUDANEURO_CUDA(
    cub::DeviceScan::ExclusiveScan(nullptr, bytes, counts, sums, add, TSum{}, elements, gpu.ComputeStream()));
  const DeviceBuffer<char> space = gpu.AllocateArray<char>(bytes);
  CUDANEURO_CUDA(
    cub::DeviceScan::ExclusiveScan(space.Data(), bytes, counts, sums, add, TSum{}, elements, gpu.ComputeStream()));
}

} // namespace cudaneuro::gpu

#endif
