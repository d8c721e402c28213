// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_GridBarrier_cuh
#define cudaneuro_cuda_GridBarrier_cuh

namespace cudaneuro
{

/** Lets all blocks of a cooperative launch wait for each other: writes of a block to memory before Arrive are visible
 * to all blocks after Wait. A block adds 1 to a counter and polls it, which takes about half the time of
 * cooperative_groups' barrier. Between the two calls a block can do work that does not depend on other blocks. */
class GridBarrier
{
public:
  /** \param counter must be 0 when the kernel starts. */
  __device__ explicit GridBarrier(unsigned int * counter)
    : m_Counter(counter)
  {}

  /** All threads of all blocks must call it. */
  __device__ void
  Arrive()
  {
    __syncthreads();
    m_Arrivals += gridDim.x;
    if (threadIdx.x == 0)
    {
      asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(m_Counter) : "memory");
    }
  }

  /** All threads of all blocks must call it. A warp that did not arrive polls, because arriving takes time, too. */
  __device__ void
  Wait()
  {
    if (threadIdx.x == blockDim.x - 1)
    {
      unsigned int arrived = 0;
      do
      {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(arrived) : "l"(m_Counter) : "memory");
      } while (arrived < m_Arrivals);
    }
    __syncthreads();
  }

private:
  unsigned int * m_Counter;
  unsigned int   m_Arrivals = 0;
};

} // namespace cudaneuro

#endif
