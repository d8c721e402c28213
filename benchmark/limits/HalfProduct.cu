// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "limits/HalfProduct.h"

#include "core/CounterRandom.h"
#include "core/SharedLibrary.h"
#include "cuda/GpuContext.h"

#include <iostream>
#include <memory>
#include <string>
#include <vector>

namespace cudaneuro::benchmark
{
namespace
{

/** The functions of cuBLAS that are used, opened when needed. Its types and values are written out, because its header
 * is not a requirement. */
class CublasLibrary
{
public:
  CublasLibrary()
    : m_Library("Product of matrices",
                { "libcublas.so.13", "libcublas.so.12", "libcublas.so", "cublas64_13.dll", "cublas64_12.dll" })
  {
    m_Library.Find("cublasCreate_v2", m_Create);
    m_Library.Find("cublasDestroy_v2", m_Destroy);
    m_Library.Find("cublasSetStream_v2", m_SetStream);
    m_Library.Find("cublasGemmEx", m_Multiply);
    Check(m_Create(&m_Handle), "cublasCreate");
  }
  ~CublasLibrary() { m_Destroy(m_Handle); }
  CublasLibrary(const CublasLibrary &) = delete;
  CublasLibrary &
  operator=(const CublasLibrary &) = delete;

  /** Computes product = matrix * matrix^T of square matrices of half-precision numbers. */
  void
  Multiply(int size, const void * matrix, void * product, cudaStream_t stream)
  {
    constexpr int transposed = 1;
    constexpr int asIs = 0;
    constexpr int sumsInFloat = 68;  // CUBLAS_COMPUTE_32F
    constexpr int anyAlgorithm = -1; // CUBLAS_GEMM_DEFAULT
    const float   one = 1.0f;
    const float   zero = 0.0f;
    const auto    half = static_cast<int>(CUDA_R_16F);
    Check(m_SetStream(m_Handle, stream), "cublasSetStream");
    Check(m_Multiply(m_Handle,
                     transposed,
                     asIs,
                     size,
                     size,
                     size,
                     &one,
                     matrix,
                     half,
                     size,
                     matrix,
                     half,
                     size,
                     &zero,
                     product,
                     half,
                     size,
                     sumsInFloat,
                     anyAlgorithm),
          "cublasGemmEx");
  }

private:
  using Handle = void *;

  static void
  Check(int status, const char * call)
  {
    if (status != 0)
    {
      throw Error(call, "cuBLAS returned " + std::to_string(status));
    }
  }

  SharedLibrary m_Library;
  int (*m_Create)(Handle *) = nullptr;
  int (*m_Destroy)(Handle) = nullptr;
  int (*m_SetStream)(Handle, cudaStream_t) = nullptr;
  int (*m_Multiply)(Handle,
                    int,
                    int,
                    int,
                    int,
                    int,
                    const void *,
                    const void *,
                    int,
                    int,
                    const void *,
                    int,
                    int,
                    const void *,
                    void *,
                    int,
                    int,
                    int,
                    int) = nullptr;
  Handle m_Handle = nullptr;
};

std::unique_ptr<CublasLibrary>
OpenCublas()
{
  try
  {
    return std::make_unique<CublasLibrary>();
  }
  catch (const Error & error)
  {
    std::cerr << "No limit for products of matrices: " << error.what() << std::endl;
    return nullptr;
  }
}

/** Returns random numbers from 0.5 to 1 in magnitude, as the bits of half precision: a device whose power is limited
 * multiplies equal ones faster. */
std::vector<std::uint16_t>
MakeHalves(std::size_t count)
{
  std::vector<std::uint16_t> halves(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    halves[i] = static_cast<std::uint16_t>((RandomBits(7, i) & 0x83ff) | 0x3800);
  }
  return halves;
}

} // namespace

double
MeasureHalfProductRate(const Device & device)
{
  const DeviceScope                    scope(device.cudaIndex);
  const std::unique_ptr<CublasLibrary> cublas = OpenCublas();
  if (!cublas)
  {
    return 0.0;
  }
  constexpr int      size = 8192;
  constexpr int      products = 10;
  constexpr double   fusedMultiplyAdds = static_cast<double>(size) * size * size * products;
  const std::size_t  numbers = std::size_t{ size } * size;
  Context            context(device);
  const GpuContext & gpu = GpuOf(context);
  const cudaStream_t stream = gpu.ComputeStream();
  const auto         matrix = gpu.CopyToDevice(MakeHalves(numbers));
  const auto         product = gpu.AllocateArray<std::uint16_t>(numbers);
  cublas->Multiply(size, matrix.Data(), product.Data(), stream);
  StreamTimer timer(stream);
  for (int i = 0; i < products; ++i)
  {
    cublas->Multiply(size, matrix.Data(), product.Data(), stream);
  }
  timer.Stop();
  return 1000.0 * fusedMultiplyAdds / timer.GetMilliseconds();
}

} // namespace cudaneuro::benchmark
