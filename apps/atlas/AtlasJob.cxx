// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasJob.h"

#include "files/images/ImageFile.h"
#include "processes/DeviceList.h"
#include "shared/ProgramSupport.h"
#include "shared/registration/AlignmentReports.h"

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
  if (m_Processes.IsFirst() && !this->IsOneOfMany())
  {
    WarnOfUnusedMemoryLimit(m_Options.compute, devices);
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
  m_Devices.communicator = m_Processes.GetGroup();
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
  // One job among many does not repeat its warning, which is just above.
  UntrustedAlignments untrusted;
  for (std::size_t i = 0; i < m_Alignment.size() && !this->IsOneOfMany(); ++i)
  {
    if (!m_Alignment[i].isSuccess)
    {
      untrusted.Add(m_Population[i].path, ReasonOfFailure(m_Alignment[i].quality));
    }
  }
  untrusted.Warn(m_Alignment.size(), m_Folder.GetReport().GetPath());
  m_Folder.GetCheckpoint().Remove();
}
