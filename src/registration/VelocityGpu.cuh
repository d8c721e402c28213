// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_VelocityGpu_cuh
#define cudaneuro_registration_VelocityGpu_cuh

#include "core/SoAField.h"
#include "cudaneuro/Registration.h"

#include <memory>

namespace cudaneuro::gpu
{

/** Makes velocities of forces, on the compute stream. */
class VelocityEnqueuer
{
public:
  virtual ~VelocityEnqueuer() = default;

  /** Whether Enqueue must be given scratch; otherwise it may be the velocity. */
  virtual bool
  NeedsScratch() const = 0;

  /** Does nothing while *gate is 0; leaves the bits of the largest squared length of the velocity in \p largestSquare,
   * which the caller has set to 0. \p scratch is overwritten, and so may the force be. */
  virtual void
  Enqueue(const SoAField & force,
          const SoAField & velocity,
          const SoAField & scratch,
          bool             isFirst,
          const int *      gate,
          unsigned int *   largestSquare) = 0;
};

std::unique_ptr<VelocityEnqueuer>
MakeVelocityEnqueuer(Context & context, const RegistrationParameters & parameters, const Extent & extent);

} // namespace cudaneuro::gpu

#endif
