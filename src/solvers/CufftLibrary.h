// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_CufftLibrary_h
#define cudaneuro_solvers_CufftLibrary_h

#include "core/SharedLibrary.h"

#include <cstddef>

struct CUstream_st;

/** cuFFT, opened when first needed: neither its header nor the library is needed to build. The declarations follow
 * cuFFT's manual; its handles and results are int. */
namespace cudaneuro::cufft
{

constexpr int realToComplex = 0x2a;
constexpr int complexToReal = 0x2c;

struct Complex
{
  float real;
  float imaginary;
};

class Library
{
public:
  static const std::vector<std::string> &
  DefaultNames();

  /** \throws Error when none can be opened. */
  explicit Library(const std::vector<std::string> & names);

  /** The one that is shared, opened by the first call that finds it.
   * \throws Error */
  static const Library &
  Get();

  int (*create)(int *) = nullptr;
  int (*destroy)(int) = nullptr;
  int (*setAutoAllocation)(int, int) = nullptr;
  // Plan, rank, lengths, of input and output each: embedding, stride, distance; type, how many, bytes of work area.
  int (*makePlan)(int,
                  int,
                  long long *,
                  long long *,
                  long long,
                  long long,
                  long long *,
                  long long,
                  long long,
                  int,
                  long long,
                  std::size_t *) = nullptr;
  int (*setWorkArea)(int, void *) = nullptr;
  int (*setStream)(int, CUstream_st *) = nullptr;
  int (*executeRealToComplex)(int, float *, Complex *) = nullptr;
  int (*executeComplexToReal)(int, Complex *, float *) = nullptr;

  /** \throws Error naming the call and cuFFT's result, unless that is success. */
  void
  Check(int result, const char * call) const;

private:
  SharedLibrary m_Library;
};

/** Owns a plan, of transforms of contiguous arrays one after another, that takes its work area from the caller. */
class Plan
{
public:
  Plan() = default;
  /** \throws Error */
  Plan(const Library & library, std::vector<long long> lengths, int type, long long batch, CUstream_st * stream);
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
  Execute(float * from, Complex * to) const;
  void
  Execute(Complex * from, float * to) const;

private:
  const Library * m_Library = nullptr;
  int             m_Plan = 0;
  std::size_t     m_WorkBytes = 0;
};

} // namespace cudaneuro::cufft

#endif
