// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_atlas_AtlasJob_h
#define apps_atlas_AtlasJob_h

#include "atlas/Alignment.h"
#include "atlas/folder/AtlasFolder.h"
#include "atlas/AtlasReport.h"
#include "processes/Processes.h"
#include "shared/ProgramSupport.h"

#include <atomic>
#include <cstdint>

/** One run of cudaneuro-atlas build. */
class AtlasJob
{
public:
  /** Checks all inputs and places of outputs, in the first process, before any voxel is read, and begins the report.
   * \throws UserError, itk::ExceptionObject */
  AtlasJob(const AtlasOptions & options, Processes & processes);

  const AtlasOptions &
  GetOptions() const
  {
    return m_Options;
  }
  Processes &
  GetProcesses()
  {
    return m_Processes;
  }
  const Population &
  GetPopulation() const
  {
    return m_Population;
  }
  /** Returns the image whose grid the template has. */
  const std::string &
  GetGridPath() const
  {
    return m_Options.reference.empty() ? m_Population.front().path : m_Options.reference;
  }
  /** Returns the opened images of the population. */
  OpenedImages &
  GetOpened() const
  {
    return *m_Options.opened;
  }
  /** Returns the image to which the others are aligned in the first round. */
  const std::string &
  GetAlignmentPath() const
  {
    return m_Options.initialTemplate.empty() ? this->GetGridPath() : m_Options.initialTemplate;
  }
  /** Returns the alignment of all processes' images; empty if, or until, they are aligned. */
  const Alignment &
  GetAlignment() const
  {
    return m_Alignment;
  }
  void
  SetAlignment(const Alignment & alignment)
  {
    m_Alignment = alignment;
  }
  /** Returns the devices of this process. */
  const cudaneuro::AtlasDevices &
  GetDevices() const
  {
    return m_Devices;
  }
  /** Returns whether the run goes on from a checkpoint. */
  bool
  Resumes() const
  {
    return m_Options.resume && m_Folder.GetCheckpoint().HasCheckpoint();
  }
  /** Counts the voxels of this process's files whose values --output-type does not hold. Threads that write increment
   * it. */
  std::atomic<std::uint64_t> &
  GetLimitedVoxels() const
  {
    return m_LimitedVoxels;
  }
  const AtlasFolder &
  GetFolder() const
  {
    return m_Folder;
  }
  AtlasReport &
  GetReport()
  {
    return m_Report;
  }
  /** Returns whether this process is silent. */
  bool
  IsQuiet() const
  {
    return m_Options.compute.isQuiet || !m_Processes.IsFirst();
  }

  /** Returns whether it is one of many jobs, which show their progress together. */
  bool
  IsOneOfMany() const
  {
    return m_Options.population != nullptr;
  }

  /** Completes the report, writes and prints it, and removes the checkpoint, in the first process. */
  void
  Finish();

private:
  void
  ChooseDevices();

  AtlasOptions m_Options; // with --align resolved
  Processes &  m_Processes;
  Stopwatch    m_Stopwatch;
  Population   m_Population;

  Alignment               m_Alignment;
  AtlasFolder             m_Folder;
  cudaneuro::AtlasDevices m_Devices;
  AtlasReport             m_Report;

  mutable std::atomic<std::uint64_t> m_LimitedVoxels{ 0 };
};

#endif
