// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "Topics.h"

#include "Cases.h"
#include "HostToHost.h"
#include "data/NoisyVolume.h"

#include <algorithm>
#include <map>

namespace cudaneuro::benchmark
{

namespace
{

/** The context and the volumes of one size in device memory. */
class DeviceVolumes
{
public:
  DeviceVolumes(const Device & device, const Size & size)
    : m_Context(device)
  {
    m_Volumes.grid.size = size;
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

  /** Returns the milliseconds of one run, after warming up. */
  double
  Time(const Repetition & repetition, const Case & oneCase)
  {
    const auto run = [&] { oneCase.run(m_Context, m_Volumes); };
    return oneCase.timesWholeCall ? MedianByTheClock(repetition, run) : MedianOnDevice(repetition, m_Context, run);
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
    m_Memory.push_back(m_Context.Allocate(this->GetBytes()));
    const bool isCuda = m_Context.GetDevice().IsCuda();
    return { m_Memory.back().Data(), PixelType::Float, isCuda ? MemorySpace::Device : MemorySpace::Host };
  }

  void
  FillFrom(const DeviceMemory & staging, unsigned int seed, const Volume & to)
  {
    FillNoisyVolume(m_Volumes.grid, seed, static_cast<float *>(staging.Data()));
    CopyVolume(m_Context, m_Volumes.grid, { staging.Data(), PixelType::Float, MemorySpace::Host }, to);
  }

  Context                   m_Context;
  std::vector<DeviceMemory> m_Memory;
  Volumes                   m_Volumes;
};

Limit
KernelLimit(const Settings & settings, const Case & oneCase, const Size & size)
{
  if (settings.device.IsCuda())
  {
    return [=](const Limits & limits) { return oneCase.floor(limits, size); };
  }
  return CopyRate(oneCase.hostBytesPerVoxel * VoxelsOf(size));
}

/** Returns the larger of the kernel's own time and the time of the bytes that are transferred in one direction. */
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
  const Floor  up = FloorOf("PCIe, to device", oneCase.bytesUp * voxels, limits.hostToDeviceBytes);
  const Floor  down = FloorOf("PCIe, from device", oneCase.bytesDown * voxels, limits.deviceToHostBytes);
  return std::max({ kernel, up, down },
                  [](const Floor & a, const Floor & b) { return a.milliseconds < b.milliseconds; });
}

/** Returns the rows of one size. The kernels' volumes stay while the filters run; both fit into the device's memory. */
Table
RowsOf(const Settings & settings, const Size & size)
{
  Table                               rows;
  const Lazy<DeviceVolumes>           volumes([&settings, size] { return DeviceVolumes(settings.device, size); });
  std::map<std::string, Lazy<double>> times;
  const auto                          timeOf = [&](const Case & oneCase) {
    const auto time = [&settings, volumes, oneCase] { return volumes.Get().Time(settings.repetition, oneCase); };
    return times.emplace(oneCase.name, Lazy<double>(time)).first->second;
  };
  for (const Case & oneCase : KernelCases())
  {
    rows.push_back({ oneCase.name + (oneCase.timesWholeCall ? ", call" : ", kernel"),
                     size,
                     KernelLimit(settings, oneCase, size),
                     [time = timeOf(oneCase)] { return time.Get(); } });
  }
  for (const HostToHostCase & oneCase : HostToHostCases())
  {
    for (const bool pinnedInput : { false, true })
    {
      if (settings.device.IsCuda() || !pinnedInput)
      {
        rows.push_back(
          { oneCase.kernel.name + ", host to host" + (pinnedInput ? ", pinned input" : ""),
            size,
            [=, &settings, kernel = timeOf(oneCase.kernel)](const Limits & limits) {
              return HostToHostFloor(settings, limits, oneCase, size, kernel.Get());
            },
            [=, &settings] { return oneCase.time(settings.repetition, settings.device, size, pinnedInput); } });
      }
    }
  }
  return rows;
}

} // namespace

Table
DenoisingRows(const Settings & settings)
{
  Table rows;
  for (const Size & size : settings.sizes)
  {
    Append(rows, RowsOf(settings, size));
  }
  return rows;
}

} // namespace cudaneuro::benchmark
