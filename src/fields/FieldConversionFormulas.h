// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_fields_FieldConversionFormulas_h
#define cudaneuro_fields_FieldConversionFormulas_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

/** Conversion of one vector, for both compilers. */
namespace cudaneuro
{

struct VectorMatrix
{
  float m[9]; // by rows
};

/** A caller's field with interleaved vectors, which is read in place. */
struct FieldVectors
{
  const float * data = nullptr; // null if there is no field
  /** Turns vectors in mm into voxels of the grid to which they map. */
  VectorMatrix matrix{};
  unsigned int components = 3; // 2 or 3
};

inline VectorMatrix
MakeVectorMatrix(const std::array<double, 9> & matrix)
{
  VectorMatrix result{};
  for (int i = 0; i < 9; ++i)
  {
    result.m[i] = static_cast<float>(matrix[i]);
  }
  return result;
}

CUDANEURO_HOST_DEVICE float
RowTimes(const float * row, float x, float y, float z)
{
  return row[0] * x + (row[1] * y + row[2] * z);
}

template <int VComponents>
CUDANEURO_HOST_DEVICE void
VectorToPlanes(const VectorMatrix & matrix, const float * from, const SoAField & to, std::int64_t i)
{
  const float * const vector = from + i * VComponents;
  const float         x = vector[0];
  const float         y = vector[1];
  const float         z = VComponents == 3 ? vector[VComponents - 1] : 0.0f;
  to.x[i] = RowTimes(matrix.m, x, y, z);
  to.y[i] = RowTimes(matrix.m + 3, x, y, z);
  to.z[i] = RowTimes(matrix.m + 6, x, y, z);
}

template <int VComponents>
CUDANEURO_HOST_DEVICE void
PlanesToVector(const VectorMatrix & matrix, const ConstSoAField & from, float * to, std::int64_t i)
{
  const float   x = from.x[i];
  const float   y = from.y[i];
  const float   z = from.z[i];
  float * const vector = to + i * VComponents;
  vector[0] = RowTimes(matrix.m, x, y, z);
  vector[1] = RowTimes(matrix.m + 3, x, y, z);
  if constexpr (VComponents == 3)
  {
    vector[2] = RowTimes(matrix.m + 6, x, y, z);
  }
}

} // namespace cudaneuro

#endif
