// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/AtlasSteps.h"

#include "atlas/CheckpointNote.h"
#include "itkCudaNeuroDetail.h"
#include "shared/ProgressBar.h"

#include <functional>
#include <iomanip>
#include <optional>
#include <sstream>

using cudaneuro::AtlasAction;
using cudaneuro::AtlasIteration;
using cudaneuro::DiffeomorphicAtlas;

namespace
{

/** Computes the fraction of the work after an iteration, weighted by the voxels of the levels. */
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

/** Draws the progress, and reacts to signals. */
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

/** Resumes from the checkpoint, if there is one and the options ask for it. */
void
Resume(AtlasJob & job, DiffeomorphicAtlas & atlas)
{
  const std::string folder = job.GetFolder().GetCheckpoint().GetPath();
  const bool        resumes = job.Resumes();
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
    cudaneuro::AtlasCheckpoint checkpoint = options.checkpoint;
    checkpoint.folder = folder;
    // Only the first process writes the note.
    checkpoint.note = job.GetProcesses().IsFirst() ? WriteNote(job) : "";
    atlas.SetCheckpoint(checkpoint);
  }
  cudaneuro::AtlasResult result;
  {
    const PatientScope scope;
    RunObserver        observer(job, parameters);
    itk::CudaNeuroDetail::Call([&] { atlas.Run(std::ref(observer), result); });
  }
  // A signal after the last iteration counts, too; with a checkpoint of an earlier iteration, --resume can compute that
  // state again.
  const bool tells = job.GetProcesses().IsFirst() && !job.IsOneOfMany();
  if (tells && job.GetFolder().GetCheckpoint().HasCheckpoint())
  {
    SetInterruptionText("stopped; no output was written, and --resume goes on from " + folder);
  }
  job.GetProcesses().ThrowIfAnyInterrupted();
  if (tells)
  {
    ResetInterruptionText();
  }
  return result;
}
