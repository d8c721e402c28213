// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_cuda_DeviceGate_h
#define cudaneuro_cuda_DeviceGate_h

#include "core/HostDevice.h"

namespace cudaneuro
{

/** Controls kernels that compute a field from the device, for loops that the host enqueues before their decisions are
 * made. Both words are in device memory and may be null. */
struct DeviceGate
{
  /** While it is 0, nothing is written; a null pointer means always open. */
  const int * isOpen = nullptr;
  /** Kernels raise it to the bits of the largest squared length of the resulting vectors; the caller resets it to 0.
   * Floats >= 0 are ordered like their bits, and the bits of NaN are larger than all. */
  unsigned int * largestSquaredLength = nullptr;

  /** Returns whether it is closed; for kernels. */
  CUDANEURO_HOST_DEVICE bool
  IsClosed() const
  {
    return isOpen && *isOpen == 0;
  }
};

} // namespace cudaneuro

#endif
