// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_WorkVolumes_h
#define cudaneuro_registration_step_WorkVolumes_h

#include "core/SoAField.h"

#include <utility>
#include <vector>

namespace cudaneuro
{

/** Uninitialized volumes of float for work, in memory of the context's device: first borrowed ones, then owned memory,
 * which is freed with this object. */
class WorkVolumes
{
public:
  /** \param borrowed volumes of at least \p numberOfVoxels, which no one else uses during this object's lifetime */
  WorkVolumes(Context & context, std::int64_t numberOfVoxels, std::vector<float *> borrowed)
    : m_Context(context)
    , m_Bytes(static_cast<std::size_t>(numberOfVoxels) * sizeof(float))
    , m_Borrowed(std::move(borrowed))
  {}

  /** \throws OutOfMemoryError */
  float *
  Take()
  {
    if (!m_Borrowed.empty())
    {
      float * const volume = m_Borrowed.back();
      m_Borrowed.pop_back();
      return volume;
    }
    m_Own.push_back(m_Context.Allocate(m_Bytes));
    return static_cast<float *>(m_Own.back().Data());
  }

  /** \throws OutOfMemoryError */
  SoAField
  TakeField()
  {
    SoAField field;
    field.x = this->Take();
    field.y = this->Take();
    field.z = this->Take();
    return field;
  }

private:
  Context &                 m_Context;
  std::size_t               m_Bytes;
  std::vector<float *>      m_Borrowed;
  std::vector<DeviceMemory> m_Own;
};

} // namespace cudaneuro

#endif
