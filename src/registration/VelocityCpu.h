// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_VelocityCpu_h
#define cudaneuro_registration_VelocityCpu_h

#include "core/SoAField.h"
#include "cudaneuro/Registration.h"

#include <memory>

namespace cudaneuro::cpu
{

/** Makes velocities of forces. */
class VelocityMaker
{
public:
  virtual ~VelocityMaker() = default;

  /** \p scratch is overwritten, and so may the force be. The velocity is that of the call before. */
  virtual void
  Make(const SoAField & force, const SoAField & velocity, const SoAField & scratch, bool isFirst) = 0;
};

std::unique_ptr<VelocityMaker>
MakeVelocityMaker(Context & context, const RegistrationParameters & parameters, const Extent & extent);

/** Smooths a displacement field as the parameters say, in place. */
void
SmoothDisplacement(Context &                      context,
                   const RegistrationParameters & parameters,
                   const Extent &                 extent,
                   const SoAField &               field,
                   const SoAField &               scratch);

} // namespace cudaneuro::cpu

#endif
