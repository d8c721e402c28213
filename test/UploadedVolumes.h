// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef UploadedVolumes_h
#define UploadedVolumes_h

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "cudaneuro/Context.h"

#include <vector>

/** Copies of arrays in memory of a context's device, which live as long as this. */
class UploadedVolumes
{
public:
  explicit UploadedVolumes(cudaneuro::Context & context)
    : m_Context(context)
  {}

  /** Null for an empty array. Inside RunDeviceJob. */
  template <typename TPixel>
  const TPixel *
  Upload(const std::vector<TPixel> & values)
  {
    if (values.empty())
    {
      return nullptr;
    }
    const auto voxels = static_cast<std::int64_t>(values.size());
    const auto space = m_Context.GetDevice().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
    m_Memory.push_back(m_Context.Allocate(values.size() * sizeof(TPixel)));
    cudaneuro::CopyVolume(m_Context,
                          testvolumes::MakeGrid({ voxels, 1, 1 }),
                          ConstView(values),
                          { m_Memory.back().Data(), cudaneuro::PixelTypeOf<TPixel>::value, space });
    return static_cast<const TPixel *>(m_Memory.back().Data());
  }

private:
  cudaneuro::Context &                 m_Context;
  std::vector<cudaneuro::DeviceMemory> m_Memory;
};

#endif
