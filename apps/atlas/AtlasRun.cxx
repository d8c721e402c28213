// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasRun.h"

#include "itkCudaNeuroDetail.h"
#include "shared/ProgressBar.h"

#include <filesystem>
#include <iomanip>
#include <optional>
#include <sstream>

namespace fs = std::filesystem;

using cudaneuro::AtlasAction;
using cudaneuro::AtlasIteration;
using cudaneuro::DiffeomorphicAtlas;

namespace
{

/** Which part of the work is done after an iteration, with the voxels of the levels as measure. */
class Schedule
{
public:
  explicit Schedule(const std::vector<cudaneuro::RegistrationLevel> & levels)
  {
    double begin = 0.0;
    for (const cudaneuro::RegistrationLevel & level : levels)
    {
      double voxels = 1.0;
      for (const int factor : level.shrinkFactors)
      {
        voxels /= factor;
      }
      m_Levels.push_back({ begin, voxels });
      begin += voxels * level.iterations;
    }
    m_Total = begin;
  }

  double
  GetFraction(int level, int iterationsDone) const
  {
    const Level & at = m_Levels[static_cast<std::size_t>(level)];
    return (at.begin + at.costOfIteration * iterationsDone) / m_Total;
  }

private:
  struct Level
  {
    double begin;
    double costOfIteration;
  };
  std::vector<Level> m_Levels;
  double             m_Total = 0.0;
};

/** Keeps the alignment beside the checkpoints, so that a run that goes on has the same maps. It is written when the first checkpoint may
 * be, and removed where none was. */
class KeptAlignment
{
public:
  explicit KeptAlignment(AtlasJob & job)
    : m_Job(job)
  {}
  ~KeptAlignment()
  {
    if (m_IsWritten && !m_Job.GetFolder().GetCheckpoint().HasCheckpoint())
    {
      std::error_code ignored;
      fs::remove(m_Job.GetFolder().GetCheckpointedAlignment(), ignored);
      fs::remove(m_Job.GetFolder().GetCheckpoint().GetPath(), ignored); // where it is empty
    }
  }
  KeptAlignment(const KeptAlignment &) = delete;
  KeptAlignment &
  operator=(const KeptAlignment &) = delete;

  /** Before any checkpoint is. */
  void
  Write()
  {
    const AtlasOptions & options = m_Job.GetOptions();
    if (m_IsWritten || !options.Aligns() || options.noCheckpoint || !m_Job.GetProcesses().IsFirst())
    {
      return;
    }
    const std::string folder = m_Job.GetFolder().GetCheckpoint().GetPath();
    if (DiffeomorphicAtlas::HasCheckpoint(folder))
    {
      return; // The run goes on from it.
    }
    std::error_code error;
    fs::create_directory(folder, error);
    if (error)
    {
      throw ProgramError("cannot make the folder " + folder + ": " + error.message());
    }
    m_IsWritten = true;
    const OutputFile file(m_Job.GetFolder().GetCheckpointedAlignment());
    WriteText(&file, WriteAlignment(options.align, m_Job.GetAlignment()));
  }

private:
  AtlasJob & m_Job;
  bool       m_IsWritten = false;
};

/** Draws the progress, and takes up signals. */
class RunObserver
{
public:
  RunObserver(const AtlasJob & job, const cudaneuro::AtlasParameters & parameters)
    : m_ActionOnSignal(job.GetOptions().noCheckpoint ? AtlasAction::Stop : AtlasAction::SaveAndStop)
    , m_Schedule(parameters.registration.levels)
    , m_Bar("Building", job.IsQuiet())
  {}

  AtlasAction
  operator()(const AtlasIteration & iteration)
  {
    if (!m_First)
    {
      // A run that goes on from a checkpoint begins in the middle.
      m_First = m_Schedule.GetFraction(iteration.level, iteration.iteration);
    }
    const double       done = m_Schedule.GetFraction(iteration.level, iteration.iteration + 1);
    std::ostringstream note;
    note << "energy " << std::setprecision(5) << iteration.energy;
    m_Bar.Show((done - *m_First) / (1.0 - *m_First), note.str());
    return IsInterrupted() ? m_ActionOnSignal : AtlasAction::Continue;
  }

private:
  const AtlasAction     m_ActionOnSignal;
  const Schedule        m_Schedule;
  ProgressBar           m_Bar;
  std::optional<double> m_First;
};

/** Takes up the checkpoint, if there is one and the options say so. */
void
Resume(AtlasJob & job, DiffeomorphicAtlas & atlas)
{
  const std::string folder = job.GetFolder().GetCheckpoint().GetPath();
  const bool        resumes = job.GetOptions().resume && DiffeomorphicAtlas::HasCheckpoint(folder);
  if (resumes)
  {
    itk::CudaNeuroDetail::Call([&] { atlas.Resume(folder); });
  }
  if (job.GetOptions().resume && !job.IsQuiet())
  {
    PrintMessage("", resumes ? "going on from " + folder : "there is no checkpoint " + folder + "; beginning anew");
  }
  job.GetReport().Set("/is_resumed", resumes);
}

} // namespace

cudaneuro::AtlasResult
RunAtlas(AtlasJob & job, const cudaneuro::AtlasParameters & parameters, DiffeomorphicAtlas & atlas)
{
  const AtlasOptions & options = job.GetOptions();
  const std::string    folder = job.GetFolder().GetCheckpoint().GetPath();
  Resume(job, atlas);
  if (!options.noCheckpoint)
  {
    atlas.SetCheckpoint({ folder, options.checkpointInterval });
  }
  cudaneuro::AtlasResult result;
  {
    const PatientScope scope;
    RunObserver        observer(job, parameters);
    KeptAlignment      alignment(job);
    itk::CudaNeuroDetail::Call([&] {
      atlas.Run(
        [&](const AtlasIteration & iteration) {
          alignment.Write();
          return observer(iteration);
        },
        result);
    });
  }
  // A signal that came too late for the last iteration counts, too; the state of that iteration is not lost where there
  // is a checkpoint of an earlier one.
  if (job.GetProcesses().IsFirst() && DiffeomorphicAtlas::HasCheckpoint(folder))
  {
    SetInterruptionText("stopped; no output was written, and --resume goes on from " + folder);
  }
  job.GetProcesses().ThrowIfAnyInterrupted();
  if (job.GetProcesses().IsFirst())
  {
    ResetInterruptionText();
  }
  return result;
}
