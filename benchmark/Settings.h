// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef Settings_h
#define Settings_h

#include "Table.h"
#include "Timing.h"
#include "cudaneuro/Device.h"

#include <vector>

namespace cudaneuro::benchmark
{

/** Which rows are measured, on what, and how often. */
struct Settings
{
  Device device;
  /** Sizes of the volumes for denoising. */
  std::vector<Size> sizes;
  /** Sizes of the volumes for registrations. */
  std::vector<Size> unbiasedSizes;
  std::vector<Size> greedySizes;
  std::vector<Size> linearSizes;
  /** Number of iterations of each level of a whole registration. */
  int        iterations = 100;
  Repetition repetition;
  /** Small volumes and few iterations. */
  bool isQuick = false;
};

/** Adds a row of peak device memory, on CUDA devices. */
inline void
AddMemoryRow(Table &                 table,
             const Settings &        settings,
             const std::string &     name,
             const Size &            size,
             std::function<double()> bytes,
             std::function<Size()>   sizeOfData = nullptr)
{
  if (settings.device.IsCuda())
  {
    table.push_back({ name, size, nullptr, std::move(bytes), true, std::move(sizeOfData), nullptr });
  }
}

} // namespace cudaneuro::benchmark

#endif
