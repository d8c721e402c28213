// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_GridBarrier_cuh
#define cudaneuro_cuda_GridBarrier_cuh

namespace cudaneuro
{

/** Lets all blocks of a cooperative launch wait for each other: what a block wrote to memory before Arrive is seen
 * by all blocks after Wait. A block adds 1 to a counter and watches it, which takes about half the time of
 * cooperative_groups' barrier. Between the two calls a block can do what does not depend on other blocks. */
class GridBarrier
{
public:
  /** \param counter is 0 when the kernel starts. */
  __device__ explicit GridBarrier(unsigned int * counter)
    : m_Counter(counter)
  {}

  /** All threads of all blocks call it. */
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

  /** As Arrive. A warp that did not arrive watches, because arriving takes time, too. */
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
