// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_SoAField_h
#define cudaneuro_core_SoAField_h

#include "cudaneuro/Context.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace cudaneuro
{

/** The number of voxels along each axis, in the type with which kernels compute. */
struct Extent
{
  int x = 1;
  int y = 1;
  int z = 1;
};

inline Extent
ExtentOf(const Grid & grid)
{
  return { static_cast<int>(grid.size[0]), static_cast<int>(grid.size[1]), static_cast<int>(grid.size[2]) };
}

inline std::int64_t
NumberOfVoxels(const Extent & extent)
{
  return std::int64_t{ extent.x } * extent.y * extent.z;
}

/** A vector field in the form that operations use: one volume of float per component, in voxels along the axes of the
 * grid, on the context's device. The third component exists for 2D grids, too, and is 0. */
struct SoAField
{
  float * x = nullptr;
  float * y = nullptr;
  float * z = nullptr;
};

struct ConstSoAField
{
  const float * x = nullptr;
  const float * y = nullptr;
  const float * z = nullptr;

  ConstSoAField() = default;
  ConstSoAField(const SoAField & field)
    : x(field.x)
    , y(field.y)
    , z(field.z)
  {}
};

/** Owns a SoAField. */
class SoAFieldMemory
{
public:
  SoAFieldMemory() = default;
  /** Allocates uninitialized memory.
   * \throws OutOfMemoryError */
  SoAFieldMemory(Context & context, std::int64_t numberOfVoxels)
  {
    for (DeviceMemory & component : m_Components)
    {
      component = context.Allocate(static_cast<std::size_t>(numberOfVoxels) * sizeof(float));
    }
  }

  SoAField
  View() const
  {
    return { static_cast<float *>(m_Components[0].Data()),
             static_cast<float *>(m_Components[1].Data()),
             static_cast<float *>(m_Components[2].Data()) };
  }

private:
  std::array<DeviceMemory, 3> m_Components;
};

} // namespace cudaneuro

#endif
