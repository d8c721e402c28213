// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "DeviceTest.h"
#include "core/DLPack.h"
#include "cudaneuro/ArrayExchange.h"

namespace
{

/** A tensor of a producer, which counts how often it is deleted. */
struct ProducedTensor
{
  std::vector<float>        values = std::vector<float>(24, 1.5F);
  std::vector<std::int64_t> shape{ 2, 3, 4 };
  std::vector<std::int64_t> strides{ 12, 4, 1 };
  int                       numberOfDeletions = 0;
  DLManagedTensor           managed{};

  ProducedTensor()
  {
    managed.dl_tensor = { values.data(), { kDLCPU, 0 }, 3, { kDLFloat, 32, 1 }, shape.data(), strides.data(), 0 };
    managed.manager_ctx = this;
    managed.deleter = [](DLManagedTensor * self) {
      ++static_cast<ProducedTensor *>(self->manager_ctx)->numberOfDeletions;
    };
  }
};

/** Imports as float, and returns the error's message. */
std::string
MessageOfImport(ProducedTensor & produced)
{
  return RefusalOf([&] { cudaneuro::ImportDLPack(&produced.managed, cudaneuro::PixelType::Float); });
}

#define EXPECT_CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

} // namespace

class ArrayExchange : public DeviceTest
{};

/** Out and in again: the same memory, which lives as long as any of the two. */
TEST_P(ArrayExchange, SharesMemoryBothWays)
{
  cudaneuro::DeviceArray array;
  array.device = GetParam();
  array.shape = { 3, 4, 5 };
  array.memory = GetContext().Allocate(60 * sizeof(float));
  const std::weak_ptr<void> watch = array.memory.owner;
  const void * const        address = array.memory.Data();

  DLManagedTensor * const tensor = cudaneuro::ExportDLPack(array);
  EXPECT_EQ(tensor->dl_tensor.data, address);
  EXPECT_EQ(tensor->dl_tensor.device.device_type, GetParam().IsCuda() ? kDLCUDA : kDLCPU);
  EXPECT_EQ(tensor->dl_tensor.ndim, 3);
  EXPECT_EQ(std::vector<std::int64_t>(tensor->dl_tensor.strides, tensor->dl_tensor.strides + 3),
            (std::vector<std::int64_t>{ 20, 5, 1 }));

  cudaneuro::SynchronizeStream(GetParam(), 1);
  auto back = std::make_unique<cudaneuro::DeviceArray>(cudaneuro::ImportDLPack(tensor, cudaneuro::PixelType::Float));
  EXPECT_EQ(back->memory.Data(), address);
  EXPECT_EQ(back->memory.bytes, 60 * sizeof(float));
  EXPECT_EQ(back->shape, array.shape);
  EXPECT_EQ(back->device, GetParam());
  array.memory = cudaneuro::DeviceMemory();
  EXPECT_FALSE(watch.expired());
  back.reset();
  EXPECT_TRUE(watch.expired());
}

TEST_P(ArrayExchange, IntegersGoOut)
{
  cudaneuro::DeviceArray array;
  array.device = GetParam();
  array.isInteger = true;
  array.shape = { 6, 2 };
  array.memory = GetContext().Allocate(12 * sizeof(std::int32_t));
  DLManagedTensor * const tensor = cudaneuro::ExportDLPack(array);
  EXPECT_EQ(tensor->dl_tensor.dtype.code, kDLInt);
  EXPECT_EQ(tensor->dl_tensor.dtype.bits, 32);
  EXPECT_EQ(tensor->dl_tensor.dtype.lanes, 1);
  cudaneuro::DeleteDLPack(tensor);
}

/** All pixel types have the names and sizes that DLPack gives them. */
TEST_P(ArrayExchange, CarriesAllPixelTypes)
{
  using cudaneuro::PixelType;
  const std::pair<PixelType, DLDataType> types[] = { { PixelType::UnsignedChar, { kDLUInt, 8, 1 } },
                                                     { PixelType::Short, { kDLInt, 16, 1 } },
                                                     { PixelType::UnsignedShort, { kDLUInt, 16, 1 } },
                                                     { PixelType::Float, { kDLFloat, 32, 1 } },
                                                     { PixelType::Double, { kDLFloat, 64, 1 } } };
  for (const auto & [type, expected] : types)
  {
    cudaneuro::DeviceArray  array{ GetParam(), type, { 7 }, GetContext().Allocate(7 * cudaneuro::PixelSize(type)) };
    DLManagedTensor * const tensor = cudaneuro::ExportDLPack(array);
    EXPECT_EQ(tensor->dl_tensor.dtype.code, expected.code);
    EXPECT_EQ(tensor->dl_tensor.dtype.bits, expected.bits);
    EXPECT_EQ(cudaneuro::ImportDLPack(tensor, type).memory.bytes, 7 * cudaneuro::PixelSize(type));
  }
}

CUDANEURO_TEST_ON_ALL_DEVICES(ArrayExchange);

TEST(ArrayExchangeTest, DeletesATensorOnce)
{
  ProducedTensor produced;
  {
    const cudaneuro::DeviceArray array = cudaneuro::ImportDLPack(&produced.managed, cudaneuro::PixelType::Float);
    const cudaneuro::DeviceArray copy = array;
    EXPECT_EQ(copy.memory.Data(), produced.values.data());
    EXPECT_EQ(produced.numberOfDeletions, 0);
  }
  EXPECT_EQ(produced.numberOfDeletions, 1);
}

TEST(ArrayExchangeTest, TakesOffsetsAxesOfSizeOneAndBooleans)
{
  ProducedTensor produced;
  produced.managed.dl_tensor.byte_offset = 4 * sizeof(float);
  produced.shape = { 2, 1, 4 };
  produced.strides = { 4, 999, 1 };
  EXPECT_EQ(cudaneuro::ImportDLPack(&produced.managed, cudaneuro::PixelType::Float).memory.Data(),
            produced.values.data() + 4);
  produced.managed.dl_tensor.strides = nullptr;
  EXPECT_EQ(MessageOfImport(produced), "");
  produced.managed.dl_tensor.dtype = { kDLBool, 8, 1 };
  EXPECT_EQ(cudaneuro::ImportDLPack(&produced.managed, cudaneuro::PixelType::UnsignedChar).memory.bytes, 8u);
}

/** What is not accepted stays the producer's. */
TEST(ArrayExchangeTest, RefusesWhatItCannotShare)
{
  ProducedTensor integers;
  integers.managed.dl_tensor.dtype = { kDLInt, 64, 1 };
  EXPECT_EQ(MessageOfImport(integers), "The array's elements are of type int64; accepted is float32");
  EXPECT_EQ(integers.numberOfDeletions, 0);

  ProducedTensor vectors;
  vectors.managed.dl_tensor.dtype.lanes = 4;
  EXPECT_CONTAINS(MessageOfImport(vectors), "float32 x 4; accepted is float32");

  ProducedTensor transposed;
  transposed.strides = { 1, 2, 6 };
  EXPECT_CONTAINS(MessageOfImport(transposed), "not contiguous: shape (2, 3, 4) with strides (1, 2, 6)");

  ProducedTensor empty;
  empty.shape[1] = 0;
  EXPECT_CONTAINS(MessageOfImport(empty), "empty: its shape is (2, 0, 4)");

  ProducedTensor freed;
  freed.managed.dl_tensor.data = nullptr;
  EXPECT_CONTAINS(MessageOfImport(freed), "freed");

  ProducedTensor elsewhere;
  elsewhere.managed.dl_tensor.device.device_type = static_cast<DLDeviceType>(10);
  EXPECT_CONTAINS(MessageOfImport(elsewhere), "DLPack's type 10; accepted are CPU (1) and CUDA (2)");
  EXPECT_EQ(elsewhere.numberOfDeletions, 0);

  // Host memory that claims to be a device's; without a GPU the message says why there is none.
  ProducedTensor impostor;
  impostor.managed.dl_tensor.device.device_type = kDLCUDA;
  EXPECT_CONTAINS(MessageOfImport(impostor), "CUDA device");
}
