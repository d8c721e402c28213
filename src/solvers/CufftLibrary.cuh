// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_CufftLibrary_cuh
#define cudaneuro_solvers_CufftLibrary_cuh

#include "core/SharedLibrary.h"

#include <cufft.h>

#include <cstddef>

/** cuFFT, opened at its first use: a build needs its header but not the library. */
namespace cudaneuro::cufft
{

class Library
{
public:
  /** Returns the shared instance, which the first call opens.
   * \throws Error if it cannot be opened. */
  static const Library &
  Get();

  decltype(&cufftCreate)            create = nullptr;
  decltype(&cufftDestroy)           destroy = nullptr;
  decltype(&cufftSetAutoAllocation) setAutoAllocation = nullptr;
  decltype(&cufftMakePlanMany64)    makePlan = nullptr;
  decltype(&cufftSetWorkArea)       setWorkArea = nullptr;
  decltype(&cufftSetStream)         setStream = nullptr;
  decltype(&cufftExecR2C)           executeRealToComplex = nullptr;
  decltype(&cufftExecC2R)           executeComplexToReal = nullptr;

  /** \throws Error with the call and cuFFT's result, unless that is success. */
  void
  Check(cufftResult result, const char * call) const;

private:
  Library();

  SharedLibrary m_Library;
};

/** Owns a plan for transforms of consecutive contiguous arrays. The caller provides the work area. */
class Plan
{
public:
  Plan() = default;
  /** \throws Error */
  Plan(const Library & library, std::vector<long long> lengths, cufftType type, long long batch, cudaStream_t stream);
  ~Plan();
  Plan(Plan && other) noexcept;
  Plan &
  operator=(Plan && other) noexcept;

  std::size_t
  GetWorkBytes() const
  {
    return m_WorkBytes;
  }
  void
  SetWorkArea(void * memory) const;
  void
  Execute(float * from, cufftComplex * to) const;
  void
  Execute(cufftComplex * from, float * to) const;

private:
  const Library * m_Library = nullptr;
  cufftHandle     m_Plan = 0;
  std::size_t     m_WorkBytes = 0;
};

} // namespace cudaneuro::cufft

#endif
