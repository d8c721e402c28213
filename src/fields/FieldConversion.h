// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldConversion_h
#define cudaneuro_fields_FieldConversion_h

#include "core/Dispatch.h"
#include "fields/FieldConversionFormulas.h"

namespace cudaneuro
{

/** Conversion between interleaved vectors and one volume per component, with a matrix that turns mm along the axes of
 * space into voxels along the axes of the grid, or back. Volumes are in memory of the context's device. */
struct FieldConversion
{
  std::int64_t numberOfVoxels;
  VectorMatrix matrix;
  /** The number of components of a vector, 2 or 3. A missing third component is 0. */
  unsigned int components;
};

CUDANEURO_ON_BOTH(
  void ToSoA(Context & context, const FieldConversion & conversion, const float * from, const SoAField & to));

CUDANEURO_ON_BOTH(
  void FromSoA(Context & context, const FieldConversion & conversion, const ConstSoAField & from, float * to));

} // namespace cudaneuro

#endif
