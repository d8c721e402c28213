// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldConversionGpu_h
#define cudaneuro_fields_FieldConversionGpu_h

#include "fields/FieldConversionFormulas.h"

namespace cudaneuro::gpu
{

/** ToSoA of fields/FieldPrimitives.h; \p components is 2 or 3. */
void
ToSoA(Context &            context,
      std::int64_t         numberOfVoxels,
      const VectorMatrix & matrix,
      const float *        from,
      unsigned int         components,
      const SoAField &     to);

/** FromSoA of fields/FieldPrimitives.h; \p components is 2 or 3. */
void
FromSoA(Context &             context,
        std::int64_t          numberOfVoxels,
        const VectorMatrix &  matrix,
        const ConstSoAField & from,
        float *               to,
        unsigned int          components);

} // namespace cudaneuro::gpu

#endif
