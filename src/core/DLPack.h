// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_core_DLPack_h
#define cudaneuro_core_DLPack_h

#include <cstdint>

/** The part of DLPack's binary interface (dmlc/dlpack, dlpack.h) that this library uses; names are those of DLPack. */
extern "C" {
enum DLDeviceType : std::int32_t
{
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLCUDAManaged = 13
};

struct DLDevice
{
  DLDeviceType device_type;
  std::int32_t device_id;
};

enum DLDataTypeCode : std::uint8_t
{
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLBool = 6
};

struct DLDataType
{
  std::uint8_t  code;
  std::uint8_t  bits;
  std::uint16_t lanes;
};

struct DLTensor
{
  void *         data;
  DLDevice       device;
  std::int32_t   ndim;
  DLDataType     dtype;
  std::int64_t * shape;
  /** The strides in elements; null means C order. */
  std::int64_t * strides;
  std::uint64_t  byte_offset;
};

struct DLManagedTensor
{
  DLTensor dl_tensor;
  void *   manager_ctx;
  void (*deleter)(DLManagedTensor * self);
};
}

#endif
