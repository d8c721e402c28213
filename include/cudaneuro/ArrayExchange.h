// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_ArrayExchange_h
#define cudaneuro_ArrayExchange_h

#include "cudaneuro/Context.h"

#include <cstdint>
#include <vector>

/** The struct of DLPack's dlpack.h, version 0 (unversioned). */
struct DLManagedTensor;

/** Exchange of arrays with other libraries, such as CuPy and PyTorch, in both directions and without a copy. */
namespace cudaneuro
{

/** A dense (C-contiguous) array in the memory of a device. */
struct DeviceArray
{
  Device    device;
  PixelType type = PixelType::Float;
  /** Number of elements along each axis, the slowest axis first. */
  std::vector<std::int64_t> shape;
  DeviceMemory              memory;
  /** Whether the elements are signed integers of 32 bits, which have no pixel type; \c type then has no meaning. */
  bool isInteger = false;
};

/** Returns the array as a DLPack tensor that shares its memory and keeps it alive. All enqueued work is complete then:
 * the consumer need not wait on any stream. Any thread may call the tensor's deleter. It waits until the device has
 * done all its work, because the consumer may have used the tensor on streams that this library does not know. */
CudaNeuro_EXPORT DLManagedTensor *
ExportDLPack(const DeviceArray & array);

/** Calls a tensor's deleter. */
CudaNeuro_EXPORT void
DeleteDLPack(DLManagedTensor * tensor);

/** Returns a DLPack tensor with elements of \p type as an array. Its deleter is called with the last copy of the
 * memory. The caller must first wait for what the producer has enqueued (SynchronizeStream).
 * \throws InvalidParameterError for a tensor of another type (bool passes for UnsignedChar), that is empty or not
 * contiguous, on a device of another kind, or whose memory is not there; the caller then still owns the tensor. */
CudaNeuro_EXPORT DeviceArray
ImportDLPack(DLManagedTensor * tensor, PixelType type);

/** Returns the CUDA device that owns the memory at \p address.
 * \throws InvalidParameterError when it is not device memory. */
CudaNeuro_EXPORT Device
DeviceOfAddress(const void * address);

/** Waits for what has been enqueued on a CUDA stream: a stream's handle, or 1 for the default stream, or 2 for this
 * thread's default stream, as DLPack and the CUDA array interface number them. Does nothing on the CPU. */
CudaNeuro_EXPORT void
SynchronizeStream(const Device & device, std::uintptr_t stream);

} // namespace cudaneuro

#endif
