// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_solvers_HelmholtzFft_h
#define cudaneuro_solvers_HelmholtzFft_h

#include "core/Dispatch.h"
#include "core/SoAField.h"
#include "cuda/DeviceGate.h"
#include "solvers/HelmholtzParameters.h"

#include <memory>

namespace cudaneuro
{

/** Solves (-alpha Laplacian - beta grad div + gamma) v = f directly: for beta = 0 by sine transforms, with v = 0
 * outside the grid; for other beta by Fourier transforms on the periodic grid (see SolvePeriodic). Plans and memory are
 * kept between calls. */
class HelmholtzFft
{
public:
  virtual ~HelmholtzFft() = default;

  /** Solves. On a GPU the work is only enqueued; the device must be current in all calls, and in the destructor.
   * \param velocity may be \p force.
   * \param scratch a distinct field, overwritten; used only on a GPU for beta other than 0.
   * \param gate for a GPU; if it is closed, transforms may run, but the velocity is not written. */
  virtual void
  Solve(const ConstSoAField & force,
        const SoAField &      velocity,
        const SoAField &      scratch = {},
        const DeviceGate &    gate = {}) = 0;
};

namespace cpu
{
/** \throws Error if FFTW cannot be opened or makes no plan, OutOfMemoryError */
std::unique_ptr<HelmholtzFft>
MakeHelmholtzFft(Context & context, const Extent & extent, const HelmholtzParameters & parameters);
} // namespace cpu

namespace gpu
{
/** The algorithm of the sine transforms for beta = 0. */
enum class SineTransform
{
  Cheapest, ///< Chosen by SineProductsAreCheaper.
  Fourier,  ///< cuFFT transforms of twice the length.
  Product   ///< Products with the matrices of the transforms.
};

/** \throws Error if cuFFT cannot be opened or makes no plan, OutOfMemoryError */
std::unique_ptr<HelmholtzFft>
MakeHelmholtzFft(Context &                   context,
                 const Extent &              extent,
                 const HelmholtzParameters & parameters,
                 SineTransform               transform = SineTransform::Cheapest);
} // namespace gpu

/** \throws Error if the library of Fourier transforms, FFTW or cuFFT, cannot be opened. */
CUDANEURO_ON_BOTH(void RequireFft());

} // namespace cudaneuro

#endif
