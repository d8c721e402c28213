// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldPrimitives_h
#define cudaneuro_fields_FieldPrimitives_h

#include "core/SoAField.h"
#include "cudaneuro/DisplacementField.h"
#include "cudaneuro/Geometry.h"

/** Operations on volumes of float in the memory of the context's device. On a GPU they are
 * only enqueued on the compute stream, unless they return a value; the device must be current. None reports progress. */
namespace cudaneuro
{

/** to = matrix * from at every voxel, from vectors side by side to planes and back; the matrix (by rows) turns mm along
 * the axes of space to voxels along the axes of the grid, or back. Missing third components are 0. */
void
ToSoA(Context &                     context,
      std::int64_t                  numberOfVoxels,
      const std::array<double, 9> & matrix,
      const float *                 from,
      unsigned int                  components,
      const SoAField &              to);
void
FromSoA(Context &                     context,
        std::int64_t                  numberOfVoxels,
        const std::array<double, 9> & matrix,
        const ConstSoAField &         from,
        float *                       to,
        unsigned int                  components);

/** Where a map takes the voxels of a grid: index -> indexMap(index + sign * field(index)). A field of null pointers is 0. */
struct IndexMapping
{
  AffineMap     indexMap;
  ConstSoAField field;
  float         sign = 1.0f;
};

/** output(i) = input(mapping(i)), as WarpImage; \p inputMask may be null. Where \p validity is not null, it becomes 1
 * where the input has a value and 0 elsewhere. */
void
WarpVolume(Context &             context,
           Interpolation         interpolation,
           float                 defaultValue,
           const Extent &        inputExtent,
           const float *         input,
           const unsigned char * inputMask,
           const Extent &        outputExtent,
           const IndexMapping &  mapping,
           float *               output,
           unsigned char *       validity);

/** output(i) = scale * field(indexMap(i)) per axis, linear, repeated beyond the edge: a field on another grid. */
void
ResampleField(Context &                     context,
              const Extent &                inputExtent,
              const ConstSoAField &         input,
              const AffineMap &             indexMap,
              const std::array<double, 3> & scale,
              const Extent &                outputExtent,
              const SoAField &              output);

/** output = first + second(i + first(i)), both on the same grid; output is neither. */
void
ComposeFields(Context &             context,
              const Extent &        extent,
              const ConstSoAField & first,
              const ConstSoAField & second,
              const SoAField &      output);

/** inverse(i) with inverse(i) + sign * field(i + inverse(i)) = 0, in voxels; inverse is not the field. */
InversionResult
InvertField(Context &                   context,
            const InversionParameters & parameters,
            const Extent &              extent,
            const ConstSoAField &       field,
            float                       sign,
            const SoAField &            inverse);

/** det(I + sign * d field / d index); \p output may be null. */
JacobianResult
JacobianDeterminant(Context & context, const Extent & extent, const ConstSoAField & field, float sign, float * output);

} // namespace cudaneuro

#endif
