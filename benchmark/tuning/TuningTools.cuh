// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef TuningTools_cuh
#define TuningTools_cuh

#include "Tuning.h"
#include "core/IntegerMath.h"
#include "cuda/CudaCheck.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cudaneuro::tuning
{

/** A float volume in device memory, freed when destroyed. */
class DeviceFloats
{
public:
  explicit DeviceFloats(const Size & size)
    : m_Count(size[0] * size[1] * size[2])
  {
    CUDANEURO_CUDA(cudaMalloc(&m_Data, m_Count * sizeof(float)));
  }
  ~DeviceFloats() { cudaFree(m_Data); }
  DeviceFloats(const DeviceFloats &) = delete;
  DeviceFloats &
  operator=(const DeviceFloats &) = delete;

  float *
  Data() const
  {
    return m_Data;
  }
  std::int64_t
  Count() const
  {
    return m_Count;
  }

private:
  std::int64_t m_Count;
  float *      m_Data = nullptr;
};

/** Fills \p data with nested ellipsoidal shells of intensity 0 to 1000 and noise of standard deviation \p noise.
 * Volumes with different \p seed differ only in their noise. */
static __global__ void
FillNoisyVolumeKernel(float * data, int nx, int ny, std::int64_t count, float noise, unsigned int seed)
{
  const std::int64_t i = blockIdx.x * std::int64_t{ blockDim.x } + threadIdx.x;
  if (i >= count)
  {
    return;
  }
  const std::int64_t nz = count / (std::int64_t{ nx } * ny);
  const float        x = 2.0f * static_cast<float>(i % nx) / static_cast<float>(nx) - 1.0f;
  const float        y = 2.0f * static_cast<float>(i / nx % ny) / static_cast<float>(ny) - 1.0f;
  const float        z = 2.0f * static_cast<float>(i / nx / ny) / static_cast<float>(nz) - 1.0f;
  const float        radius = sqrtf(x * x + y * y + 0.8f * z * z);
  const float        signal = radius > 0.9f ? 0.0f : 500.0f + 300.0f * sinf(23.0f * radius + 3.0f * x);
  // The sum of four uniform numbers from an integer hash is nearly a Gaussian of variance 1/3.
  unsigned int state = static_cast<unsigned int>(i) * 747796405u + seed * 2891336453u;
  float        sum = -2.0f;
  for (int draw = 0; draw < 4; ++draw)
  {
    state = state * 747796405u + 2891336453u;
    unsigned int word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
    word = (word >> 22) ^ word;
    sum += static_cast<float>(word >> 8) * (1.0f / 16777216.0f);
  }
  data[i] = fabsf(signal + 1.7320508f * noise * sum);
}

inline void
FillNoisyVolume(const DeviceFloats & volume, const Size & size, float noise = 30.0f, unsigned int seed = 1)
{
  constexpr int threads = 256;
  const auto    blocks = static_cast<unsigned int>(DivideUp(volume.Count(), threads));
  FillNoisyVolumeKernel<<<blocks, threads>>>(
    volume.Data(), static_cast<int>(size[0]), static_cast<int>(size[1]), volume.Count(), noise, seed);
  CUDANEURO_CUDA_LAUNCHED("FillNoisyVolumeKernel");
  CUDANEURO_CUDA(cudaDeviceSynchronize());
}

/** Returns the number of multiprocessors of the current device. */
inline int
NumberOfMultiprocessors()
{
  int device = 0;
  int count = 0;
  CUDANEURO_CUDA(cudaGetDevice(&device));
  CUDANEURO_CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

/** Returns the median time of \p launch(cudaStream_t) in milliseconds, after a warm-up. */
template <typename TLaunch>
double
TimeLaunch(TLaunch && launch, int repetitions = 7)
{
  const cudaStream_t stream = cudaStreamPerThread;
  cudaEvent_t        begin;
  cudaEvent_t        end;
  CUDANEURO_CUDA(cudaEventCreate(&begin));
  CUDANEURO_CUDA(cudaEventCreate(&end));
  launch(stream);
  std::vector<float> times(repetitions);
  for (float & time : times)
  {
    CUDANEURO_CUDA(cudaEventRecord(begin, stream));
    launch(stream);
    CUDANEURO_CUDA(cudaEventRecord(end, stream));
    CUDANEURO_CUDA(cudaEventSynchronize(end));
    CUDANEURO_CUDA(cudaEventElapsedTime(&time, begin, end));
  }
  CUDANEURO_CUDA(cudaEventDestroy(begin));
  CUDANEURO_CUDA(cudaEventDestroy(end));
  std::nth_element(times.begin(), times.begin() + repetitions / 2, times.end());
  return times[repetitions / 2];
}

} // namespace cudaneuro::tuning

#endif
