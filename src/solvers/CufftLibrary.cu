// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/CufftLibrary.cuh"

#include "cudaneuro/Error.h"
#include "system/OpenedLibrary.h"

#include <utility>

namespace cudaneuro::cufft
{

namespace
{

/** Returns the names of the library. There are none for macOS. */
const std::vector<std::string> &
LibraryNames()
{
  static const system::LibraryNames names{ { "libcufft.so.12", "libcufft.so.11", "libcufft.so" },
                                           {},
                                           { "cufft64_12.dll", "cufft64_11.dll" } };
  return system::NamesHere(names);
}

} // namespace

Library::Library()
  : m_Library("Fourier transform on the GPU", LibraryNames())
{
  m_Library.Find("cufftCreate", create);
  m_Library.Find("cufftDestroy", destroy);
  m_Library.Find("cufftSetAutoAllocation", setAutoAllocation);
  m_Library.Find("cufftMakePlanMany64", makePlan);
  m_Library.Find("cufftSetWorkArea", setWorkArea);
  m_Library.Find("cufftSetStream", setStream);
  m_Library.Find("cufftExecR2C", executeRealToComplex);
  m_Library.Find("cufftExecC2R", executeComplexToReal);
}

const Library &
Library::Get()
{
  static const Library library;
  return library;
}

void
Library::Check(cufftResult result, const char * call) const
{
  if (result != CUFFT_SUCCESS)
  {
    throw Error(call, m_Library.GetName() + " returned " + std::to_string(result));
  }
}

Plan::Plan(
  const Library & library, std::vector<long long> lengths, cufftType type, long long batch, cudaStream_t stream)
  : m_Library(&library)
{
  library.Check(library.create(&m_Plan), "cufftCreate");
  try
  {
    library.Check(library.setAutoAllocation(m_Plan, 0), "cufftSetAutoAllocation");
    // Without embeddings cuFFT assumes contiguous arrays and ignores strides and distances.
    long long * const embedding = nullptr;
    const auto        rank = static_cast<int>(lengths.size());
    library.Check(
      library.makePlan(m_Plan, rank, lengths.data(), embedding, 1, 0, embedding, 1, 0, type, batch, &m_WorkBytes),
      "cufftMakePlanMany64");
    library.Check(library.setStream(m_Plan, stream), "cufftSetStream");
  }
  catch (...)
  {
    library.destroy(m_Plan);
    throw;
  }
}

Plan::~Plan()
{
  if (m_Library)
  {
    m_Library->destroy(m_Plan);
  }
}

Plan::Plan(Plan && other) noexcept
  : m_Library(std::exchange(other.m_Library, nullptr))
  , m_Plan(other.m_Plan)
  , m_WorkBytes(other.m_WorkBytes)
{}

Plan &
Plan::operator=(Plan && other) noexcept
{
  std::swap(m_Library, other.m_Library);
  std::swap(m_Plan, other.m_Plan);
  std::swap(m_WorkBytes, other.m_WorkBytes);
  return *this;
}

void
Plan::SetWorkArea(void * memory) const
{
  m_Library->Check(m_Library->setWorkArea(m_Plan, memory), "cufftSetWorkArea");
}

void
Plan::Execute(float * from, cufftComplex * to) const
{
  m_Library->Check(m_Library->executeRealToComplex(m_Plan, from, to), "cufftExecR2C");
}

void
Plan::Execute(cufftComplex * from, float * to) const
{
  m_Library->Check(m_Library->executeComplexToReal(m_Plan, from, to), "cufftExecC2R");
}

} // namespace cudaneuro::cufft
