// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/CohortRuns.h"

#include "atlas/folder/AtlasFigure.h"
#include "atlas/AtlasSteps.h"
#include "atlas/CohortRecord.h"
#include "files/images/ImageGrid.h"
#include "files/system/SystemFile.h"
#include "processes/DeviceList.h"
#include "processes/ListRun.h"
#include "shared/ErrorList.h"

#include <shared_mutex>

namespace
{

/** The number of small atlases on a GPU at a time: it computes one while others are read and written. */
constexpr int atlasesOfGpu = 4;

constexpr ReportColumn columns[] = {
  { "seconds", "/seconds/total" },
  { "images", "/number_of_images" },
  { "least_alignment_quality", "/alignment/least_quality" },
  { "energy_first", "/energy/first" },
  { "energy_last", "/energy/last" },
  { "entropy_mean", "/entropy/mean" },
  { "entropy_template", "/entropy/template" },
};

/** Returns the options of a cohort's atlas, which prints only a line. */
AtlasOptions
OptionsOfCohort(const AtlasOptions & options, const Cohort & cohort)
{
  AtlasOptions own = options;
  own.list = options.cohorts;
  own.cohorts.clear();
  own.population = std::make_shared<const Population>(cohort.population);
  own.folder = NameInFolder(options.folder, cohort.name);
  own.compute.isQuiet = true;
  return own;
}

std::string
TableOf(const AtlasOptions & options)
{
  return options.table.empty() ? NameInFolder(options.folder, "cohorts.csv") : options.table;
}

/** Checks the files, the folder and the parameters of each cohort, before any voxel is read. An error of all cohorts is
 * reported once. */
void
CheckCohorts(const AtlasOptions & options, const Cohorts & cohorts)
{
  ErrorList errors;
  for (const Cohort & cohort : cohorts)
  {
    errors.CheckOnce("cohort " + cohort.name + ": ", [&] {
      Processes alone;
      Try("build the atlas", [&] { CheckParameters(AtlasJob(OptionsOfCohort(options, cohort), alone)); });
    });
  }
  errors.ThrowIfAny();
}

/** Lets several small cohorts, or a single large one, use the memory of a device. */
class MemoryGate
{
public:
  /** Waits for memory, which the returned locks hold. */
  std::pair<std::shared_lock<std::shared_mutex>, std::unique_lock<std::shared_mutex>>
  Enter(const itk::ComputeDevice & device, const AtlasJob & job)
  {
    if (IsSmall(device, job))
    {
      return { std::shared_lock<std::shared_mutex>(m_Mutex), std::unique_lock<std::shared_mutex>() };
    }
    return { std::shared_lock<std::shared_mutex>(), std::unique_lock<std::shared_mutex>(m_Mutex) };
  }

private:
  static bool
  IsSmall(const itk::ComputeDevice & device, const AtlasJob & job)
  {
    if (!device.IsCuda())
    {
      return true;
    }
    // Upper bounds of the engine's volumes of float on the template's grid, for each image and for the template.
    constexpr double ofImage = 16.0;
    constexpr double ofTemplate = 64.0;
    constexpr double part = 1.0 / (2 * atlasesOfGpu);
    double           bytes = sizeof(float);
    for (const std::size_t length : job.GetOpened().Open(job.GetGridPath()).size)
    {
      bytes *= static_cast<double>(length);
    }
    bytes *= ofTemplate + ofImage * static_cast<double>(job.GetPopulation().size());
    bytes *= static_cast<double>(1 + NumberOfFurtherChannels(job.GetPopulation()));
    const std::size_t limit = job.GetDevices().maximumDeviceMemory;
    const std::size_t total = device.GetTotalMemory();
    return bytes < part * static_cast<double>(limit > 0 ? std::min<std::size_t>(limit, total) : total);
  }

  std::shared_mutex m_Mutex;
};

/** A device, with objects that its cohorts share. */
struct CohortDevice
{
  itk::ComputeDevice device;
  MemoryGate         gate;
};

/** Builds atlases of a list, one after the other. */
class CohortWorker
{
public:
  CohortWorker(const CLI::App &     app,
               const AtlasOptions & options,
               const Cohorts &      cohorts,
               CohortDevice &       device,
               unsigned int         numberOfThreads)
    : m_App(app)
    , m_Options(options)
    , m_Cohorts(cohorts)
    , m_Device(device)
    , m_NumberOfThreads(numberOfThreads)
  {}

  void
  Run(TaskQueue & queue) const
  {
    while (const std::optional<std::size_t> task = queue.Take())
    {
      TaskOutcome    outcome;
      const Cohort & cohort = m_Cohorts[*task];
      outcome.task = *task;
      AttemptTask(outcome, "cohort " + cohort.name, [&] { outcome.report = this->Build(cohort); });
      queue.Return(TextOf(outcome));
    }
  }

private:
  Report::Json
  Build(const Cohort & cohort) const
  {
    AtlasOptions options = OptionsOfCohort(m_Options, cohort);
    options.compute.device = m_Device.device.GetName();
    // Before reading, so that a change of a file in the meantime is noticed.
    const Report::Json madeWith = RecordOf(m_App, options, cohort.population);
    options.compute.numberOfThreads = m_NumberOfThreads;
    Processes                 alone;
    std::unique_ptr<AtlasJob> job;
    Try("build the atlas", [&] { job = std::make_unique<AtlasJob>(options, alone); });
    const auto room = m_Device.gate.Enter(m_Device.device, *job);
    BuildAtlas(*job);
    NoteRecord(job->GetReport(), cohort.name, madeWith);
    job->Finish();
    return Report::Json::parse(job->GetReport().GetJson());
  }

  const CLI::App &     m_App;
  const AtlasOptions & m_Options;
  const Cohorts &      m_Cohorts;
  CohortDevice &       m_Device;
  unsigned int         m_NumberOfThreads;
};

/** The list in the first of the processes that share it. */
struct CohortList
{
  NewFolders               folders;
  std::unique_ptr<ListRun> run;
  std::vector<std::size_t> chosen;

  CohortList(const CLI::App & app, const AtlasOptions & options, const Cohorts & cohorts)
  {
    folders.Make(ToPath(options.folder));
    CheckCohorts(options, cohorts);
    FilesOfRun files;
    files.AddInput(options.cohorts);
    ListTable table({ "folder" }, { std::begin(columns), std::end(columns) });
    for (const Cohort & cohort : cohorts)
    {
      const AtlasOptions own = OptionsOfCohort(options, cohort);
      table.AddRow(cohort.name, { own.folder });
      for (const std::string & input : InputsOf(own, cohort.population))
      {
        files.AddInput(input);
      }
    }
    files.AddOutput(TableOf(options));
    run = std::make_unique<ListRun>("cohort", "Building", TableOf(options), std::move(table), options.compute.isQuiet);
    const auto readComplete = [&](std::size_t task) {
      const AtlasOptions own = OptionsOfCohort(options, cohorts[task]);
      return ReadCompleteReport(app, own.folder, RecordOf(app, own, cohorts[task].population));
    };
    chosen = run->Choose(options.resume ? readComplete : std::function<Report::Json(std::size_t)>());
  }
};

} // namespace

void
RunCohorts(const CLI::App & app, const AtlasOptions & options, Processes & processes)
{
  const auto devices = DevicesOf(options.compute, processes);
  processes.BeginMessages("cudaneuro-atlas");
  Cohorts                   cohorts;
  std::optional<CohortList> list;
  if (processes.IsFirst())
  {
    WarnOfUnusedMemoryLimit(options.compute, devices);
    cohorts = ReadCohorts(options.cohorts);
    list.emplace(app, options, cohorts);
    if (!GetReasonForNoFigure().empty())
    {
      PrintWarning("no figure.png is drawn: " + GetReasonForNoFigure());
    }
  }
  processes.Wait();
  if (!processes.IsFirst())
  {
    cohorts = ReadCohorts(options.cohorts);
  }
  const unsigned int          numberOfThreads = NumberOfThreadsOf(options.compute, processes);
  std::deque<CohortDevice>    places;
  std::vector<CohortDevice *> placesOfWorkers;
  for (const itk::ComputeDevice & device : devices)
  {
    places.emplace_back().device = device;
    placesOfWorkers.insert(placesOfWorkers.end(), device.IsCuda() ? atlasesOfGpu : 1, &places.back());
  }
  RunList(processes,
          list ? list->run.get() : nullptr,
          list ? list->chosen : std::vector<std::size_t>(),
          placesOfWorkers.size(),
          [&](std::size_t worker, TaskQueue & queue) {
            CohortWorker(app, options, cohorts, *placesOfWorkers[worker], numberOfThreads).Run(queue);
          });
  if (list)
  {
    list->run->PrintSummary();
    list->run->RequireSuccess();
  }
}
