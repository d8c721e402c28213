// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasJob.h"

#include "files/images/ImageFile.h"
#include "shared/ProgramSupport.h"
#include "shared/AlignmentReports.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <thread>

namespace
{

/** The devices of this process: those of --device, or one. Without --device and CUDANEURO_DEVICE the GPUs of a machine
 * are dealt out to its processes.
 * \throws itk::ExceptionObject when there is no such device */
std::vector<itk::ComputeDevice>
DevicesOf(const ComputeOptions & options, const Processes & processes)
{
  const unsigned int numberOfGpus = itk::ComputeDevice::GetNumberOfCudaDevices();
  const auto gpu = [](unsigned int index) { return itk::ComputeDevice(cudaneuro::Device{ static_cast<int>(index) }); };
  if (options.device.empty())
  {
    const bool areDealtOut = processes.GetSize() > 1 && numberOfGpus > 0 && std::getenv("CUDANEURO_DEVICE") == nullptr;
    return { areDealtOut ? gpu(static_cast<unsigned int>(processes.GetLocalRank()) % numberOfGpus)
                         : itk::ComputeDevice::GetDefault() };
  }
  std::vector<itk::ComputeDevice> devices;
  std::istringstream              names(options.device + ',');
  for (std::string name; std::getline(names, name, ',');)
  {
    if (name == "all" && numberOfGpus > 0)
    {
      for (unsigned int index = 0; index < numberOfGpus; ++index)
      {
        devices.push_back(gpu(index));
      }
    }
    else
    {
      devices.push_back(itk::ComputeDevice::FromName(name == "all" ? "cpu" : name));
    }
  }
  return devices;
}

/** The CPU threads of this process: those of --threads, or its share of the machine's cores. */
unsigned int
NumberOfThreadsOf(const ComputeOptions & options, const Processes & processes)
{
  const auto sharers = static_cast<unsigned int>(processes.GetLocalSize());
  return options.numberOfThreads > 0 ? options.numberOfThreads
                                     : std::max(1u, std::thread::hardware_concurrency() / sharers);
}

} // namespace

AtlasJob::AtlasJob(const AtlasOptions & options, Processes & processes)
  : m_Options(options)
  , m_Processes(processes)
  , m_Folder(m_Options)
{
  if (processes.IsFirst())
  {
    m_Population = ReadPopulation(options);
    ResolveAlign(m_Options, m_Population);
    CheckPopulation(m_Options, m_Population, this->GetGridPath(), this->GetOpened());
    m_Folder.Open(m_Population);
  }
  processes.Wait();
  if (!processes.IsFirst())
  {
    m_Population = ReadPopulation(options);
    ResolveAlign(m_Options, m_Population);
  }
  this->ChooseDevices();
  m_Report.Set("/number_of_images", m_Population.size());
  OpenedImage grid = this->GetOpened().Open(this->GetGridPath());
  grid.pixelType = options.outputType.empty() ? itk::IOComponentEnum::FLOAT : PixelTypes().GetValue(options.outputType);
  m_Report.Set("/template_description", Describe(grid));
  m_Report.Set("/processes", processes.GetSize());
}

void
AtlasJob::ChooseDevices()
{
  const auto devices = DevicesOf(m_Options.compute, m_Processes);
  if (m_Options.compute.maximumDeviceMemory > 0 && m_Processes.IsFirst() &&
      std::none_of(devices.begin(), devices.end(), [](const itk::ComputeDevice & device) { return device.IsCuda(); }))
  {
    PrintWarning("--max-memory has no effect: it limits GPU memory, and the CPU computes");
  }
  std::vector<std::string> names;
  std::string              descriptions;
  m_Devices.devices.clear();
  for (const itk::ComputeDevice & device : devices)
  {
    m_Devices.devices.push_back(device.GetEngineDevice());
    names.push_back(device.GetName());
    descriptions += (descriptions.empty() ? "" : ", ") + device.GetName() + " " + device.GetDescription();
  }
  m_Devices.numberOfThreads = NumberOfThreadsOf(m_Options.compute, m_Processes);
  m_Devices.maximumDeviceMemory = m_Options.compute.maximumDeviceMemory;
  m_Devices.communicator = m_Processes.GetCommunicator();
  m_Report.Set("/devices", names);
  m_Report.Set("/devices_description", descriptions);
  m_Report.Set("/threads", m_Devices.numberOfThreads);
}

void
AtlasJob::Finish()
{
  m_Report.Set("/seconds/total", m_Stopwatch.GetSeconds());
  WriteText(&m_Folder.GetReport(), m_Report.GetJson());
  m_Report.WriteAndPrint(m_Options.json, m_Folder.GetJson(), this->IsQuiet());
  UntrustedAlignments untrusted;
  for (std::size_t i = 0; i < m_Alignment.size(); ++i)
  {
    if (!m_Alignment[i].isSuccess)
    {
      untrusted.Add(m_Population[i].path, ReasonOfFailure(m_Alignment[i].quality));
    }
  }
  untrusted.Warn(m_Alignment.size(), m_Folder.GetReport().GetPath());
}
