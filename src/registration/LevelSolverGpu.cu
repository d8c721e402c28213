// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cuda/GpuContext.h"
#include "registration/LevelSteps.h"

#include <algorithm>
#include <deque>
#include <memory>

namespace cudaneuro::gpu
{

namespace
{

/** Copies records to the host while iterations continue, and passes them to the observer. */
class RecordReader
{
public:
  RecordReader(Context &                      context,
               const RegistrationParameters & parameters,
               const LevelProblem &           problem,
               const StepBuffers &            buffers)
    : m_Device(context.GetDevice())
    , m_Stream(GpuOf(context).ComputeStream())
    , m_Iterations(problem.iterations)
    , m_Buffers(buffers)
    , m_Records(AllocatePinned(m_Device, sizeof(StepRecord) * (static_cast<std::size_t>(problem.iterations) + 1)))
    , m_History(parameters, problem.level)
  {}

  /** Enqueues the copy of records [begin, end), some of which may never be written. */
  void
  Request(int begin, int end)
  {
    Batch batch;
    batch.end = end;
    batch.state = AllocatePinned(m_Device, sizeof(StepState));
    CUDANEURO_CUDA(cudaMemcpyAsync(static_cast<StepRecord *>(m_Records.get()) + begin,
                                   m_Buffers.records + begin,
                                   sizeof(StepRecord) * static_cast<std::size_t>(end - begin),
                                   cudaMemcpyDeviceToHost,
                                   m_Stream));
    CUDANEURO_CUDA(
      cudaMemcpyAsync(batch.state.get(), m_Buffers.state, sizeof(StepState), cudaMemcpyDeviceToHost, m_Stream));
    batch.copied = std::make_unique<Event>();
    batch.copied->Record(m_Stream);
    m_Batches.push_back(std::move(batch));
  }

  /** Waits until at most \p pending requests are open, and delivers the records of the others.
   * \returns whether to continue: false once the level has converged or the observer has ended it */
  bool
  Deliver(std::size_t pending, LevelObserver & observer)
  {
    bool isRunning = true;
    while (isRunning && m_Batches.size() > pending)
    {
      isRunning = this->DeliverBatch(&observer);
    }
    return isRunning;
  }

  /** The result of the level. Includes records that were not delivered to the observer. */
  LevelResult
  GetResult()
  {
    while (!m_Batches.empty())
    {
      this->DeliverBatch(nullptr);
    }
    LevelResult result;
    result.final = m_History.GetAccepted();
    result.numberOfShortenedSteps = m_History.GetNumberOfShortenedSteps();
    result.wasStopped = m_WasStopped;
    return result;
  }

private:
  struct Batch
  {
    int                    end = 0;
    std::shared_ptr<void>  state;
    std::unique_ptr<Event> copied;
  };

  bool
  DeliverBatch(LevelObserver * observer)
  {
    const Batch batch = std::move(m_Batches.front());
    m_Batches.pop_front();
    batch.copied->Synchronize();
    const auto & state = *static_cast<const StepState *>(batch.state.get());
    for (const int end = std::min(batch.end, state.numberOfRecords); m_Delivered < end; ++m_Delivered)
    {
      const RegistrationIteration iteration =
        m_History.Add(static_cast<const StepRecord *>(m_Records.get())[m_Delivered]);
      // The last record belongs to the result and is not an iteration.
      if (observer && !m_WasStopped && m_Delivered < m_Iterations)
      {
        m_WasStopped = !observer->Observe(iteration);
      }
    }
    return !m_WasStopped && state.isRunning != 0;
  }

  Device                m_Device;
  cudaStream_t          m_Stream;
  int                   m_Iterations;
  StepBuffers           m_Buffers;
  std::shared_ptr<void> m_Records;
  std::deque<Batch>     m_Batches;
  int                   m_Delivered = 0;
  bool                  m_WasStopped = false;
  LevelHistory          m_History;
};

/** Iterations between two reads of the records: few enough to abort soon, and enough to make a read's cost small. */
int
IterationsPerBatch(std::int64_t voxels)
{
  constexpr std::int64_t voxelsPerBatch = 50'000'000;
  return static_cast<int>(std::clamp<std::int64_t>(voxelsPerBatch / voxels, 1, 20));
}

} // namespace

LevelResult
RunLevel(Context &                      context,
         const RegistrationParameters & parameters,
         const LevelProblem &           problem,
         const SoAField &               displacement,
         LevelObserver &                observer)
{
  LevelSteps<GpuSteps> steps(context, parameters, problem, displacement);
  const StepBuffers &  buffers = steps.GetBuffers();
  RecordReader         reader(context, parameters, problem, buffers);
  steps.Start();
  try
  {
    const int perBatch = IterationsPerBatch(NumberOfVoxels(problem.extent));
    bool      goesOn = true;
    int       requested = 0;
    for (int iteration = 0; goesOn && iteration <= problem.iterations; ++iteration)
    {
      steps.Evaluate();
      if (iteration < problem.iterations)
      {
        steps.Move(iteration == 0);
      }
      if (iteration + 1 - requested == perBatch || iteration == problem.iterations)
      {
        reader.Request(requested, iteration + 1);
        requested = iteration + 1;
        // Two batches are in flight while the host reads the one before them.
        goesOn = reader.Deliver(2, observer);
      }
    }
    if (goesOn)
    {
      reader.Deliver(0, observer);
    }
    steps.Finish();
    return reader.GetResult();
  }
  catch (...)
  {
    steps.Finish();
    throw;
  }
}

} // namespace cudaneuro::gpu
