// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Whole volumes on their way to a device and back, from and to every place and type.

#include "DeviceTest.h"
#include "TestVolumes.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>

using namespace testvolumes;

namespace
{

class DeviceVolumes : public DeviceTest
{
protected:
  cudaneuro::MemorySpace
  DeviceSpace() const
  {
    return this->GetParam().IsCuda() ? cudaneuro::MemorySpace::Device : cudaneuro::MemorySpace::Host;
  }

  /** A copy of host values in the memory of the device. */
  template <typename T>
  cudaneuro::Volume
  ToDevice(const std::vector<T> & values)
  {
    m_Memories.push_back(cudaneuro::AllocateDeviceMemory(this->GetParam(), values.size() * sizeof(T)));
    const cudaneuro::Volume volume{ m_Memories.back().Data(), cudaneuro::PixelTypeOf<T>::value, this->DeviceSpace() };
    CopyVolume(this->GetContext(), m_Grid, ConstView(values), volume);
    return volume;
  }

  template <typename T>
  std::vector<T>
  ToHost(const void * data)
  {
    std::vector<T> values(m_Grid.NumberOfVoxels());
    CopyVolume(
      this->GetContext(), m_Grid, { data, cudaneuro::PixelTypeOf<T>::value, this->DeviceSpace() }, View(values));
    return values;
  }

  template <typename T>
  std::vector<T>
  MakeValues(int offset) const
  {
    std::vector<T> values(m_Grid.NumberOfVoxels());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
      values[i] = static_cast<T>((7 * i + offset) % 251);
    }
    return values;
  }

  /** More than one block of staged transfers, and no multiple of one. */
  cudaneuro::Grid                      m_Grid = MakeGrid({ 211, 101, 33 });
  std::vector<cudaneuro::DeviceMemory> m_Memories;
};

} // namespace

/** Inputs that travel together arrive, whichever is used first, and as often as they are used. */
TEST_P(DeviceVolumes, InputsArrive)
{
  const auto floats = this->MakeValues<float>(1);
  const auto shorts = this->MakeValues<short>(2);
  const auto doubles = this->MakeValues<double>(3);
  const auto bytes = this->MakeValues<unsigned char>(4);
  const auto onDevice = this->MakeValues<unsigned short>(5);
  const auto onDeviceVolume = this->ToDevice(onDevice);
  RunDeviceJob(this->GetContext(), [&] {
    cudaneuro::Context &        context = this->GetContext();
    const cudaneuro::FloatInput first(context, m_Grid, ConstView(floats));
    const cudaneuro::FloatInput second(context, m_Grid, ConstView(shorts));
    const cudaneuro::FloatInput third(context, m_Grid, ConstView(doubles));
    const cudaneuro::MaskInput  mask(context, m_Grid, ConstView(bytes));
    const cudaneuro::FloatInput fourth(
      context, m_Grid, { onDeviceVolume.data, onDeviceVolume.type, onDeviceVolume.space });
    const cudaneuro::FloatInput unused(context, m_Grid, ConstView(doubles));
    const cudaneuro::MaskInput  absent(context, m_Grid, cudaneuro::ConstVolume());
    EXPECT_EQ(absent.Data(), nullptr);
    EXPECT_EQ(this->ToHost<float>(third.Data()), std::vector<float>(doubles.begin(), doubles.end()));
    EXPECT_EQ(this->ToHost<float>(second.Data()), std::vector<float>(shorts.begin(), shorts.end()));
    EXPECT_EQ(this->ToHost<float>(fourth.Data()), std::vector<float>(onDevice.begin(), onDevice.end()));
    EXPECT_EQ(this->ToHost<unsigned char>(mask.Data()), bytes);
    EXPECT_EQ(this->ToHost<float>(first.Data()), floats);
    EXPECT_EQ(this->ToHost<float>(second.Data()), std::vector<float>(shorts.begin(), shorts.end()));
  });
}

/** Pinned memory travels without staging. */
TEST_P(DeviceVolumes, PinnedInputArrives)
{
  const auto                  values = this->MakeValues<short>(6);
  const std::shared_ptr<void> pinned = cudaneuro::AllocatePinned(this->GetParam(), values.size() * sizeof(short));
  std::copy(values.begin(), values.end(), static_cast<short *>(pinned.get()));
  RunDeviceJob(this->GetContext(), [&] {
    const cudaneuro::FloatInput input(
      this->GetContext(), m_Grid, { pinned.get(), cudaneuro::PixelType::Short, cudaneuro::MemorySpace::Host });
    EXPECT_EQ(this->ToHost<float>(input.Data()), std::vector<float>(values.begin(), values.end()));
  });
}

TEST_P(DeviceVolumes, OutputsArrive)
{
  cudaneuro::Context &       context = this->GetContext();
  const auto                 values = this->MakeValues<float>(7);
  const std::vector<float>   none(values.size());
  const auto                 source = this->ToDevice(values);
  const auto                 deviceFloats = this->ToDevice(none);
  const auto                 deviceShorts = this->ToDevice(std::vector<short>(values.size()));
  std::vector<float>         hostFloats(values.size());
  std::vector<unsigned char> hostBytes(values.size());
  const auto                 deliver = [&](const cudaneuro::Volume & to, const void * input) {
    RunDeviceJob(context, [&] {
      cudaneuro::FloatOutput output(context, m_Grid, to, input);
      EXPECT_EQ(output.Data() == to.data,
                to.type == cudaneuro::PixelType::Float && to.space == this->DeviceSpace() && !input);
      CopyVolume(context,
                 m_Grid,
                 { source.data, source.type, source.space },
                 { output.Data(), cudaneuro::PixelType::Float, this->DeviceSpace() });
      output.Finish();
    });
  };
  deliver(View(hostFloats), nullptr);
  EXPECT_EQ(hostFloats, values);
  deliver(View(hostBytes), nullptr);
  EXPECT_EQ(hostBytes, std::vector<unsigned char>(values.begin(), values.end()));
  deliver(deviceFloats, nullptr);
  EXPECT_EQ(this->ToHost<float>(deviceFloats.data), values);
  CopyVolume(context, m_Grid, ConstView(none), deviceFloats);
  deliver(deviceFloats, deviceFloats.data);
  EXPECT_EQ(this->ToHost<float>(deviceFloats.data), values);
  deliver(deviceShorts, nullptr);
  EXPECT_EQ(this->ToHost<short>(deviceShorts.data), std::vector<short>(values.begin(), values.end()));
}

/** Long copies take the same page-locked memory many times. */
TEST_P(DeviceVolumes, LongCopiesArrive)
{
  m_Grid = MakeGrid({ 251, 211, 200 }); // 85 MB
  const auto values = this->MakeValues<double>(9);
  for (const unsigned int threads : { 1U, 3U, 0U })
  {
    this->GetContext().SetNumberOfThreads(threads);
    const auto onDevice = this->ToDevice(values);
    EXPECT_EQ(this->ToHost<double>(onDevice.data), values) << threads << " threads";
    m_Memories.clear();
  }
}

/** What a job throws passes while uploads are under way. */
TEST_P(DeviceVolumes, ExceptionsPass)
{
  const auto values = this->MakeValues<double>(8);
  EXPECT_THROW(RunDeviceJob(this->GetContext(),
                            [&] {
                              const cudaneuro::FloatInput input(this->GetContext(), m_Grid, ConstView(values));
                              throw cudaneuro::Aborted();
                            }),
               cudaneuro::Aborted);
}

CUDANEURO_TEST_ON_ALL_DEVICES(DeviceVolumes);
