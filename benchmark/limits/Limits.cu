// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "limits/Limits.h"

#include "cuda/CudaCheck.h"

#include <algorithm>
#include <cstddef>

namespace cudaneuro::benchmark
{
namespace
{

constexpr int chainsPerThread = 8;
constexpr int threadsPerBlock = 256;
constexpr int blocksPerMultiprocessor = 8;

/** Eight independent chains of \p count FMAs in each thread. It reads nothing and writes one float a thread, which
 * keeps the compiler from dropping the work. */
__global__ void
FmaKernel(float * out, int count, float factor, float summand)
{
  float chains[chainsPerThread];
  for (int chain = 0; chain < chainsPerThread; ++chain)
  {
    chains[chain] = static_cast<float>(threadIdx.x + chain);
  }
#pragma unroll 8
  for (int i = 0; i < count; ++i)
  {
#pragma unroll
    for (int chain = 0; chain < chainsPerThread; ++chain)
    {
      chains[chain] = fmaf(chains[chain], factor, summand);
    }
  }
  float sum = 0.0f;
  for (int chain = 0; chain < chainsPerThread; ++chain)
  {
    sum += chains[chain];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/** Like FmaKernel, with the exponential of the special function unit in place of the FMA. */
__global__ void
Ex2Kernel(float * out, int count)
{
  float chains[chainsPerThread];
  for (int chain = 0; chain < chainsPerThread; ++chain)
  {
    chains[chain] = -static_cast<float>(threadIdx.x + chain) * 0.001f;
  }
#pragma unroll 8
  for (int i = 0; i < count; ++i)
  {
#pragma unroll
    for (int chain = 0; chain < chainsPerThread; ++chain)
    {
      asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(chains[chain]));
    }
  }
  float sum = 0.0f;
  for (int chain = 0; chain < chainsPerThread; ++chain)
  {
    sum += chains[chain];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/** Reads \p from and writes \p to, each of \p count float4, once; threads stride over the elements, for any grid. */
__global__ void
CopyKernel(const float4 * __restrict__ from, float4 * __restrict__ to, std::size_t count)
{
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < count; i += stride)
  {
    to[i] = from[i];
  }
}

/** Memory of the device, or page-locked memory of the host, freed when destroyed. */
class Buffer
{
public:
  Buffer(std::size_t bytes, bool onHost)
    : m_OnHost(onHost)
  {
    if (onHost)
    {
      CUDANEURO_CUDA(cudaMallocHost(&m_Data, bytes));
    }
    else
    {
      CUDANEURO_CUDA(cudaMalloc(&m_Data, bytes));
      CUDANEURO_CUDA(cudaMemset(m_Data, 0, bytes));
    }
  }
  ~Buffer() { m_OnHost ? cudaFreeHost(m_Data) : cudaFree(m_Data); }
  Buffer(const Buffer &) = delete;
  Buffer &
  operator=(const Buffer &) = delete;

  template <typename T>
  T *
  As() const
  {
    return static_cast<T *>(m_Data);
  }

private:
  bool   m_OnHost;
  void * m_Data = nullptr;
};

/** A stream and two events, destroyed with it. */
class Stopwatch
{
public:
  Stopwatch()
  {
    CUDANEURO_CUDA(cudaStreamCreateWithFlags(&m_Stream, cudaStreamNonBlocking));
    CUDANEURO_CUDA(cudaEventCreate(&m_Begin));
    CUDANEURO_CUDA(cudaEventCreate(&m_End));
  }
  ~Stopwatch()
  {
    cudaEventDestroy(m_End);
    cudaEventDestroy(m_Begin);
    cudaStreamDestroy(m_Stream);
  }
  Stopwatch(const Stopwatch &) = delete;
  Stopwatch &
  operator=(const Stopwatch &) = delete;

  /** Returns the shortest time of several runs of work(stream), in seconds. */
  template <typename TWork>
  double
  ShortestSeconds(TWork && work, int repetitions = 10)
  {
    work(m_Stream);
    float shortest = 0.0f;
    for (int repetition = 0; repetition < repetitions; ++repetition)
    {
      float milliseconds = 0.0f;
      CUDANEURO_CUDA(cudaEventRecord(m_Begin, m_Stream));
      work(m_Stream);
      CUDANEURO_CUDA(cudaEventRecord(m_End, m_Stream));
      CUDANEURO_CUDA(cudaEventSynchronize(m_End));
      CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, m_Begin, m_End));
      shortest = repetition == 0 ? milliseconds : std::min(shortest, milliseconds);
    }
    return 1.0e-3 * shortest;
  }

private:
  cudaStream_t m_Stream = nullptr;
  cudaEvent_t  m_Begin = nullptr;
  cudaEvent_t  m_End = nullptr;
};

void
MeasureArithmetic(Stopwatch & stopwatch, int multiprocessors, Limits & limits)
{
  const int    blocks = multiprocessors * blocksPerMultiprocessor;
  const double threads = static_cast<double>(blocks) * threadsPerBlock;
  const Buffer out(static_cast<std::size_t>(threads) * sizeof(float), false);
  const int    fmas = 8192;
  const int    exponentials = 2048;

  limits.fma = threads * chainsPerThread * fmas / stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    FmaKernel<<<blocks, threadsPerBlock, 0, stream>>>(out.As<float>(), fmas, 0.999f, 0.001f);
    CUDANEURO_CUDA_LAUNCHED("FmaKernel");
  });
  limits.ex2 = threads * chainsPerThread * exponentials / stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    Ex2Kernel<<<blocks, threadsPerBlock, 0, stream>>>(out.As<float>(), exponentials);
    CUDANEURO_CUDA_LAUNCHED("Ex2Kernel");
  });
}

/** Measures the rate of the faster of CUDA's copy and a kernel, on more bytes than any cache holds. */
void
MeasureCopy(Stopwatch & stopwatch, int multiprocessors, Limits & limits)
{
  const std::size_t bytes = std::size_t{ 512 } << 20;
  const Buffer      from(bytes, false);
  const Buffer      to(bytes, false);
  const double      ofCuda = stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    CUDANEURO_CUDA(cudaMemcpyAsync(to.As<void>(), from.As<void>(), bytes, cudaMemcpyDeviceToDevice, stream));
  });
  const double      ofKernel = stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    CopyKernel<<<multiprocessors * 16, 512, 0, stream>>>(from.As<float4>(), to.As<float4>(), bytes / sizeof(float4));
    CUDANEURO_CUDA_LAUNCHED("CopyKernel");
  });
  limits.copyBytes = 2.0 * static_cast<double>(bytes) / std::min(ofCuda, ofKernel);
}

void
MeasurePcie(Stopwatch & stopwatch, Limits & limits)
{
  const std::size_t bytes = std::size_t{ 256 } << 20;
  const Buffer      host(bytes, true);
  const Buffer      device(bytes, false);
  limits.hostToDeviceBytes = static_cast<double>(bytes) / stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    CUDANEURO_CUDA(cudaMemcpyAsync(device.As<void>(), host.As<void>(), bytes, cudaMemcpyHostToDevice, stream));
  });
  limits.deviceToHostBytes = static_cast<double>(bytes) / stopwatch.ShortestSeconds([&](cudaStream_t stream) {
    CUDANEURO_CUDA(cudaMemcpyAsync(host.As<void>(), device.As<void>(), bytes, cudaMemcpyDeviceToHost, stream));
  });
}

} // namespace

Limits
MeasureCudaLimits(const Device & device)
{
  const DeviceScope scope(device.cudaIndex);
  int               multiprocessors = 0;
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.cudaIndex));
  Stopwatch stopwatch;
  Limits    limits;
  MeasureArithmetic(stopwatch, multiprocessors, limits);
  MeasureCopy(stopwatch, multiprocessors, limits);
  MeasurePcie(stopwatch, limits);
  return limits;
}

} // namespace cudaneuro::benchmark
