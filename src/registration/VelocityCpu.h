// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_VelocityCpu_h
#define cudaneuro_registration_VelocityCpu_h

#include "PlanarField.h"
#include "cudaneuroRegistration.h"

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
  Make(const PlanarField & force, const PlanarField & velocity, const PlanarField & scratch, bool isFirst) = 0;
};

std::unique_ptr<VelocityMaker>
MakeVelocityMaker(Context & context, const RegistrationParameters & parameters, const Extent & extent);

/** Smooths a displacement field as the parameters say, in place. */
void
SmoothDisplacement(Context &                      context,
                   const RegistrationParameters & parameters,
                   const Extent &                 extent,
                   const PlanarField &            field,
                   const PlanarField &            scratch);

} // namespace cudaneuro::cpu

#endif
