// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_FftwLibrary_h
#define cudaneuro_solvers_FftwLibrary_h

#include "core/SharedLibrary.h"

#include <memory>
#include <mutex>

/** FFTW in single precision, version 3, opened at its first use: a build needs neither its header nor the library.
 * The declarations follow FFTW's manual, section 4. */
namespace cudaneuro::fftw
{

using Complex = float[2];
using Plan = struct PlanTag *;

constexpr int          forward = -1;
constexpr int          backward = 1;
constexpr int          rodft00 = 7; // the sine transform DST-I
constexpr unsigned int unaligned = 1u << 1;
constexpr unsigned int estimate = 1u << 6;

class Library
{
public:
  static const std::vector<std::string> &
  DefaultNames();

  /** \throws Error if none of \p names can be opened. */
  explicit Library(const std::vector<std::string> & names);

  /** Returns the shared instance, which the first call opens.
   * \throws Error if it cannot be opened. */
  static const Library &
  Get();

  // Arguments: rank, lengths, number of transforms; for input and output each: pointer, embedding, stride, distance.
  Plan (*planRealToReal)(
    int, const int *, int, float *, const int *, int, int, float *, const int *, int, int, const int *, unsigned int) =
    nullptr;
  Plan (*planRealToComplex)(
    int, const int *, int, float *, const int *, int, int, Complex *, const int *, int, int, unsigned int) = nullptr;
  Plan (*planComplexToReal)(
    int, const int *, int, Complex *, const int *, int, int, float *, const int *, int, int, unsigned int) = nullptr;
  Plan (*planComplex)(
    int, const int *, int, Complex *, const int *, int, int, Complex *, const int *, int, int, int, unsigned int) =
    nullptr;
  void (*executeRealToReal)(Plan, float *, float *) = nullptr;
  void (*executeRealToComplex)(Plan, float *, Complex *) = nullptr;
  void (*executeComplexToReal)(Plan, Complex *, float *) = nullptr;
  void (*executeComplex)(Plan, Complex *, Complex *) = nullptr;
  void (*destroyPlan)(Plan) = nullptr;

  /** Returns the mutex to be locked while plans are made or destroyed; executing plans needs no lock. */
  static std::mutex &
  PlannerMutex();

private:
  SharedLibrary m_Library;
};

/** Owns a plan, and destroys it under the planner's lock. */
class PlanHolder
{
public:
  PlanHolder() = default;
  /** Calls \p make() under the planner's lock.
   * \throws Error if FFTW makes no plan. */
  template <typename TMake>
  PlanHolder(const Library & library, const TMake & make)
  {
    const std::lock_guard<std::mutex> lock(Library::PlannerMutex());
    PlanTag * const                   plan = make();
    RequirePlan(plan);
    m_Plan = std::shared_ptr<PlanTag>(plan, [destroy = library.destroyPlan](Plan toDestroy) {
      const std::lock_guard<std::mutex> lockToDestroy(Library::PlannerMutex());
      destroy(toDestroy);
    });
  }

  Plan
  Get() const
  {
    return m_Plan.get();
  }

private:
  static void
  RequirePlan(Plan plan);

  std::shared_ptr<PlanTag> m_Plan;
};

} // namespace cudaneuro::fftw

#endif
