// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_FieldConversionGpu_h
#define cudaneuro_registration_FieldConversionGpu_h

#include "FieldConversionFormulas.h"

namespace cudaneuro::gpu
{

/** FieldToPlanes of RegistrationPrimitives.h; \p components is 2 or 3. */
void
FieldToPlanes(Context &            context,
              std::int64_t         numberOfVoxels,
              const VectorMatrix & matrix,
              const float *        from,
              unsigned int         components,
              const PlanarField &  to);

/** PlanesToField of RegistrationPrimitives.h; \p components is 2 or 3. */
void
PlanesToField(Context &                context,
              std::int64_t             numberOfVoxels,
              const VectorMatrix &     matrix,
              const ConstPlanarField & from,
              float *                  to,
              unsigned int             components);

} // namespace cudaneuro::gpu

#endif
