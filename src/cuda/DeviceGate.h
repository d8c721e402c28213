// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DeviceGate_h
#define cudaneuro_cuda_DeviceGate_h

#include "core/HostDevice.h"

namespace cudaneuro
{

/** Steers kernels that compute a field from the device, for loops that the host enqueues ahead of their decisions. Both
 * words lie in device memory and may be null. */
struct DeviceGate
{
  /** Nothing is written while it is 0; null is always open. */
  const int * isOpen = nullptr;
  /** Raised to the bits of the largest squared length of the resulting vectors; the caller sets it to 0 before. Floats
   * >= 0 order as their bits do, and the bits of NaN are larger than all. */
  unsigned int * largestSquaredLength = nullptr;

  /** For kernels. */
  CUDANEURO_HOST_DEVICE bool
  IsClosed() const
  {
    return isOpen && *isOpen == 0;
  }
};

} // namespace cudaneuro

#endif
