// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/FftwLibrary.h"

#include "cudaneuro/Error.h"
#include "system/OpenedLibrary.h"

namespace cudaneuro::fftw
{

const std::vector<std::string> &
Library::DefaultNames()
{
  static const system::LibraryNames names{ { "libfftw3f.so.3", "libfftw3f.so" },
                                           { "libfftw3f.3.dylib", "libfftw3f.dylib" },
                                           { "libfftw3f-3.dll", "fftw3f.dll" } };
  return system::NamesHere(names);
}

Library::Library(const std::vector<std::string> & names)
  : m_Library("Fourier transform on the CPU", names)
{
  m_Library.Find("fftwf_plan_many_r2r", planRealToReal);
  m_Library.Find("fftwf_plan_many_dft_r2c", planRealToComplex);
  m_Library.Find("fftwf_plan_many_dft_c2r", planComplexToReal);
  m_Library.Find("fftwf_plan_many_dft", planComplex);
  m_Library.Find("fftwf_execute_r2r", executeRealToReal);
  m_Library.Find("fftwf_execute_dft_r2c", executeRealToComplex);
  m_Library.Find("fftwf_execute_dft_c2r", executeComplexToReal);
  m_Library.Find("fftwf_execute_dft", executeComplex);
  m_Library.Find("fftwf_destroy_plan", destroyPlan);
}

const Library &
Library::Get()
{
  static const Library library(DefaultNames());
  return library;
}

std::mutex &
Library::PlannerMutex()
{
  // Never destroyed, because plans may be destroyed at the end of the process.
  static std::mutex & mutex = *new std::mutex;
  return mutex;
}

void
PlanHolder::RequirePlan(Plan plan)
{
  if (!plan)
  {
    throw Error("Fourier transform on the CPU", "FFTW made no plan");
  }
}

} // namespace cudaneuro::fftw
