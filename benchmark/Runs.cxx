// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Runs.h"

#include "Cases.h"
#include "HostToHost.h"
#include "NoisyVolume.h"
#include "Timing.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace cudaneuro::benchmark
{

namespace
{

/** The context and the volumes of one size in device memory, made when first needed, by rows that may fail. */
class DeviceVolumes
{
public:
  DeviceVolumes(const Device & device, const Size & size)
    : m_Device(device)
  {
    m_Volumes.grid.size = size;
  }

  Context &
  GetContext()
  {
    if (!m_Context)
    {
      m_Context.emplace(m_Device);
    }
    return *m_Context;
  }

  const Volumes &
  Get()
  {
    if (m_Volumes.image.data == nullptr)
    {
      m_Memory.clear(); // of an attempt that failed
      Context            hostContext{ Device() };
      const DeviceMemory staging = hostContext.Allocate(this->GetBytes());
      const Volume       image = this->Allocate();
      const Volume       otherImage = this->Allocate();
      this->FillFrom(staging, 1, image);
      this->FillFrom(staging, 2, otherImage);
      m_Volumes.output = this->Allocate();
      m_Volumes.image = { image.data, image.type, image.space };
      m_Volumes.otherImage = { otherImage.data, otherImage.type, otherImage.space };
    }
    return m_Volumes;
  }

private:
  std::size_t
  GetBytes() const
  {
    return static_cast<std::size_t>(m_Volumes.grid.NumberOfVoxels()) * sizeof(float);
  }

  Volume
  Allocate()
  {
    m_Memory.push_back(this->GetContext().Allocate(this->GetBytes()));
    const bool isCuda = m_Device.IsCuda();
    return { m_Memory.back().Data(), PixelType::Float, isCuda ? MemorySpace::Device : MemorySpace::Host };
  }

  void
  FillFrom(const DeviceMemory & staging, unsigned int seed, const Volume & to)
  {
    FillNoisyVolume(m_Volumes.grid, seed, static_cast<float *>(staging.Data()));
    CopyVolume(this->GetContext(), m_Volumes.grid, { staging.Data(), PixelType::Float, MemorySpace::Host }, to);
  }

  Device                    m_Device;
  std::optional<Context>    m_Context;
  std::vector<DeviceMemory> m_Memory;
  Volumes                   m_Volumes;
};

/** Times kernels, each once, also for the host-to-host rows, which refer to them. */
class KernelTimes
{
public:
  KernelTimes(const Settings & settings, const Size & size)
    : m_Settings(settings)
    , m_Volumes(settings.device, size)
  {}

  double
  Of(const Case & oneCase)
  {
    const auto known = m_Times.find(oneCase.name);
    if (known != m_Times.end())
    {
      return known->second;
    }
    const double milliseconds = TimeKernel(m_Settings.repetition, m_Volumes.GetContext(), oneCase, m_Volumes.Get());
    m_Times.emplace(oneCase.name, milliseconds);
    return milliseconds;
  }

private:
  const Settings &              m_Settings;
  DeviceVolumes                 m_Volumes;
  std::map<std::string, double> m_Times;
};

Floor
KernelFloor(const Settings & settings, const Limits & limits, const Case & oneCase, const Size & size)
{
  if (settings.device.IsCuda())
  {
    return oneCase.floor(limits, size);
  }
  const double bytes = oneCase.hostBytesPerVoxel * VoxelsOf(size);
  return bytes > 0.0 ? Floor{ "copy rate", 1000.0 * bytes / limits.copyBytes } : Floor();
}

/** The larger of the kernel's own time and the time of the bytes that cross one way. */
Floor
HostToHostFloor(const Settings &       settings,
                const Limits &         limits,
                const HostToHostCase & oneCase,
                const Size &           size,
                double                 kernelMilliseconds)
{
  const Floor kernel{ "kernel time", kernelMilliseconds };
  if (!settings.device.IsCuda())
  {
    return kernel;
  }
  const double voxels = VoxelsOf(size);
  const Floor  up{ "PCIe, to device", 1000.0 * oneCase.bytesUp * voxels / limits.hostToDeviceBytes };
  const Floor  down{ "PCIe, from device", 1000.0 * oneCase.bytesDown * voxels / limits.deviceToHostBytes };
  return std::max({ kernel, up, down },
                  [](const Floor & a, const Floor & b) { return a.milliseconds < b.milliseconds; });
}

void
RunKernelCases(const Settings & settings, const Limits & limits, const Size & size, KernelTimes & times)
{
  for (const Case & oneCase : KernelCases())
  {
    const std::string name = oneCase.name + (oneCase.timesWholeCall ? ", call" : ", kernel");
    RunRow(settings, name, size, [&] {
      settings.report({ name, size, times.Of(oneCase), KernelFloor(settings, limits, oneCase, size), {} });
    });
  }
}

} // namespace

void
RunSize(const Settings & settings, const Limits & limits, const Size & size)
{
  // The kernels' volumes stay while the filters run; both fit into the device's memory.
  KernelTimes times(settings, size);
  RunKernelCases(settings, limits, size, times);
  for (const HostToHostCase & oneCase : HostToHostCases())
  {
    for (const bool pinnedInput : { false, true })
    {
      const std::string name = oneCase.GetName(pinnedInput);
      if (settings.device.IsCuda() || !pinnedInput)
      {
        RunRow(settings, name, size, [&] {
          const double milliseconds = oneCase.time(settings.repetition, settings.device, size, pinnedInput);
          const Floor  floor = HostToHostFloor(settings, limits, oneCase, size, times.Of(oneCase.kernel));
          settings.report({ name, size, milliseconds, floor, {} });
        });
      }
    }
  }
}

} // namespace cudaneuro::benchmark
