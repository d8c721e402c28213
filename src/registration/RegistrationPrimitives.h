// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_RegistrationPrimitives_h
#define cudaneuro_registration_RegistrationPrimitives_h

#include "PlanarField.h"
#include "cudaneuroDisplacementField.h"
#include "cudaneuroGeometry.h"
#include "cudaneuroImageOperations.h"

/** The steps that registration is made of, on volumes of float in the memory of the context's device. On a GPU they are
 * only enqueued on the compute stream, unless they return a value; the device must be current. None reports progress. */
namespace cudaneuro
{

/** to = matrix * from at every voxel, from vectors side by side to planes and back; the matrix (by rows) turns mm along
 * the axes of space to voxels along the axes of the grid, or back. Missing third components are 0. */
void
FieldToPlanes(Context &                     context,
              std::int64_t                  numberOfVoxels,
              const std::array<double, 9> & matrix,
              const float *                 from,
              unsigned int                  components,
              const PlanarField &           to);
void
PlanesToField(Context &                     context,
              std::int64_t                  numberOfVoxels,
              const std::array<double, 9> & matrix,
              const ConstPlanarField &      from,
              float *                       to,
              unsigned int                  components);

/** Where a map takes the voxels of a grid: index -> indexMap(index + sign * field(index)). A field of null pointers is 0. */
struct IndexMapping
{
  AffineMap        indexMap;
  ConstPlanarField field;
  float            sign = 1.0f;
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
              const ConstPlanarField &      input,
              const AffineMap &             indexMap,
              const std::array<double, 3> & scale,
              const Extent &                outputExtent,
              const PlanarField &           output);

/** output = first + second(i + first(i)), both on the same grid; output is neither. */
void
ComposeFields(Context &                context,
              const Extent &           extent,
              const ConstPlanarField & first,
              const ConstPlanarField & second,
              const PlanarField &      output);

/** inverse(i) with inverse(i) + sign * field(i + inverse(i)) = 0, in voxels; inverse is not the field. */
InversionResult
InvertField(Context &                   context,
            const InversionParameters & parameters,
            const Extent &              extent,
            const ConstPlanarField &    field,
            float                       sign,
            const PlanarField &         inverse);

/** det(I + sign * d field / d index); \p output may be null. */
JacobianResult
JacobianDeterminant(
  Context & context, const Extent & extent, const ConstPlanarField & field, float sign, float * output);

/** Convolution of volumes with a Gaussian of sigma voxels along each axis; input and output may be the same. \p scratch
 * is a volume of its own. */
void
SmoothVolume(Context &                     context,
             const Extent &                extent,
             const std::array<double, 3> & sigma,
             Boundary                      boundary,
             const float *                 input,
             float *                       output,
             float *                       scratch);

/** Statistics of volumes of float; \p mask may be null. */
ImageStatistics
VolumeStatistics(Context & context, std::int64_t numberOfVoxels, const float * input, const unsigned char * mask);

} // namespace cudaneuro

#endif
