// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/ArrayExchange.h"

#include "core/CudaRuntime.h"
#include "core/DLPack.h"
#include "core/Dispatch.h"
#include "cudaneuro/Error.h"

#include <sstream>

namespace cudaneuro
{

namespace
{

DLDataType
ToDataType(PixelType type)
{
  const auto bits = static_cast<std::uint8_t>(8 * PixelSize(type));
  switch (type)
  {
    case PixelType::UnsignedChar:
    case PixelType::UnsignedShort:
      return { kDLUInt, bits, 1 };
    case PixelType::Short:
      return { kDLInt, bits, 1 };
    case PixelType::Float:
    case PixelType::Double:
      break;
  }
  return { kDLFloat, bits, 1 };
}

std::string
NameOf(const DLDataType & type)
{
  const char * kind = "(another kind of) ";
  switch (type.code)
  {
    case kDLInt:
      kind = "int";
      break;
    case kDLUInt:
      kind = "uint";
      break;
    case kDLFloat:
      kind = "float";
      break;
    case kDLBool:
      return "bool";
    default:
      break;
  }
  return kind + std::to_string(type.bits) + (type.lanes == 1 ? "" : " x " + std::to_string(type.lanes));
}

/** Requires a type of elements. A bool is accepted as a mask: it is a byte of 0 or 1. */
void
RequireType(const DLDataType & given, PixelType type)
{
  const DLDataType accepted = ToDataType(type);
  const bool       same = given.code == accepted.code && given.bits == accepted.bits;
  const bool       mask = type == PixelType::UnsignedChar && given.code == kDLBool && given.bits == 8;
  if (!(same || mask) || given.lanes != 1)
  {
    throw InvalidParameterError("The array's elements are of type " + NameOf(given) + "; accepted is " +
                                PixelTypeName(type) + (type == PixelType::UnsignedChar ? " or bool" : ""));
  }
}

Device
ToDevice(const DLDevice & device)
{
  switch (device.device_type)
  {
    case kDLCPU:
    case kDLCUDAHost:
      return Device();
    case kDLCUDA:
    case kDLCUDAManaged:
      return Device{ device.device_id };
  }
  throw InvalidParameterError("The array is on a device of DLPack's type " + std::to_string(device.device_type) +
                              "; accepted are CPU (1) and CUDA (2)");
}

/** Returns whether a tensor is in C order, without gaps. Axes of size 1 may have any stride. */
bool
IsContiguous(const DLTensor & tensor)
{
  std::int64_t expected = 1;
  for (int axis = tensor.ndim - 1; tensor.strides != nullptr && axis >= 0; --axis)
  {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected)
    {
      return false;
    }
    expected *= tensor.shape[axis];
  }
  return true;
}

std::string
ListOf(const std::int64_t * values, int count)
{
  std::ostringstream list;
  list << '(';
  for (int i = 0; i < count; ++i)
  {
    list << (i == 0 ? "" : ", ") << values[i];
  }
  list << ')';
  return list.str();
}

/** \throws InvalidParameterError unless the address is memory of that device. */
void
RequireMemory(const Device & device, const void * address)
{
  if (address == nullptr)
  {
    throw InvalidParameterError("The array has no memory: its address is null; its owner may have freed it");
  }
  if (device.IsCuda() && DeviceOfAddress(address) != device)
  {
    throw InvalidParameterError("The array claims to be on cuda:" + std::to_string(device.cudaIndex) +
                                ", but its address is of cuda:" + std::to_string(DeviceOfAddress(address).cudaIndex));
  }
}

/** A tensor, together with the owner of its memory. */
struct ExportedTensor
{
  DLManagedTensor           tensor{};
  DeviceArray               array;
  std::vector<std::int64_t> strides;
};

void
DeleteExportedTensor(DLManagedTensor * tensor)
{
  auto * const exported = static_cast<ExportedTensor *>(tensor->manager_ctx);
  if constexpr (builtWithCuda)
  {
    if (exported->array.device.IsCuda())
    {
      gpu::WaitForDevice(exported->array.device.cudaIndex);
    }
  }
  delete exported;
}

} // namespace

DLManagedTensor *
ExportDLPack(const DeviceArray & array)
{
  auto exported = std::make_unique<ExportedTensor>();
  exported->array = array;
  exported->strides.assign(array.shape.size(), 1);
  for (std::size_t axis = array.shape.size(); axis-- > 1;)
  {
    exported->strides[axis - 1] = exported->strides[axis] * array.shape[axis];
  }
  DLManagedTensor & managed = exported->tensor;
  managed.dl_tensor.data = array.memory.Data();
  managed.dl_tensor.device =
    array.device.IsCuda() ? DLDevice{ kDLCUDA, array.device.cudaIndex } : DLDevice{ kDLCPU, 0 };
  managed.dl_tensor.ndim = static_cast<std::int32_t>(array.shape.size());
  managed.dl_tensor.dtype = array.isInteger ? DLDataType{ kDLInt, 32, 1 } : ToDataType(array.type);
  managed.dl_tensor.shape = exported->array.shape.data();
  managed.dl_tensor.strides = exported->strides.data();
  managed.manager_ctx = exported.get();
  managed.deleter = DeleteExportedTensor;
  return &exported.release()->tensor;
}

void
DeleteDLPack(DLManagedTensor * tensor)
{
  if (tensor->deleter != nullptr)
  {
    tensor->deleter(tensor);
  }
}

DeviceArray
ImportDLPack(DLManagedTensor * managed, PixelType type)
{
  const DLTensor & tensor = managed->dl_tensor;
  DeviceArray      array;
  array.device = ToDevice(tensor.device);
  array.type = type;
  RequireType(tensor.dtype, type);
  array.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
  array.memory.bytes = PixelSize(array.type);
  for (const std::int64_t size : array.shape)
  {
    array.memory.bytes *= static_cast<std::size_t>(size);
  }
  if (array.memory.bytes == 0)
  {
    throw InvalidParameterError("The array is empty: its shape is " + ListOf(tensor.shape, tensor.ndim));
  }
  if (!IsContiguous(tensor))
  {
    throw InvalidParameterError("The array is not contiguous: shape " + ListOf(tensor.shape, tensor.ndim) +
                                " with strides " + ListOf(tensor.strides, tensor.ndim) +
                                " (in elements); accepted is C order without gaps");
  }
  void * const data = static_cast<char *>(tensor.data) + (tensor.data != nullptr ? tensor.byte_offset : 0);
  RequireMemory(array.device, data);
  array.memory.owner = std::shared_ptr<void>(data, [managed](void *) { DeleteDLPack(managed); });
  return array;
}

Device
DeviceOfAddress(const void * address)
{
  if constexpr (builtWithCuda)
  {
    return gpu::DeviceOfAddress(address);
  }
  throw InvalidParameterError("The array is on a CUDA device: " + GetReasonForNoCudaDevice());
}

void
SynchronizeStream(const Device & device, std::uintptr_t stream)
{
  if constexpr (builtWithCuda)
  {
    if (device.IsCuda())
    {
      gpu::SynchronizeStream(device.cudaIndex, stream);
    }
  }
}

} // namespace cudaneuro
