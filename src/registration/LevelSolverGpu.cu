// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/LevelSolver.h"
#include "core/IntegerMath.h"

#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "images/FieldSmoothingGpu.cuh"
#include "registration/LocalCorrelationKernel.cuh"
#include "registration/RegistrationForceLaunch.cuh"
#include "registration/RegistrationStepKernel.cuh"
#include "registration/VelocityConstants.h"
#include "registration/VelocityGpu.cuh"

#include <algorithm>
#include <deque>
#include <memory>

namespace cudaneuro::gpu
{

namespace
{

/** Enqueues the iterations of a level, and reads what they have come to. */
class Level
{
public:
  Level(Context &                      context,
        const RegistrationParameters & parameters,
        const LevelProblem &           problem,
        const SoAField &               displacement)
    : m_Gpu(context.Gpu())
    , m_Parameters(parameters)
    , m_Problem(problem)
    , m_Voxels(NumberOfVoxels(problem.extent))
    , m_Displacement(displacement)
    , m_Other(context, m_Voxels)
    , m_Force(context, m_Voxels)
    , m_Velocity(context, m_Voxels)
    , m_Velocities(MakeVelocityEnqueuer(context, parameters, problem.extent))
  {
    if (m_Velocities->NeedsScratch() || this->SmoothsField() ||
        parameters.metric == RegistrationMetric::LocalCorrelation)
    {
      m_ScratchMemory = SoAFieldMemory(context, m_Voxels);
      m_Scratch = m_ScratchMemory.View();
    }
    else
    {
      m_Scratch = m_Velocity.View();
    }
    // The first candidate is the field to start from.
    m_Pair = { m_Other.View(), displacement };
    m_State = m_Gpu.AllocateArray<LevelState>(1);
    this->PlanForce();
    if (parameters.metric == RegistrationMetric::LocalCorrelation)
    {
      this->PlanCorrelation();
    }
    m_Records = m_Gpu.AllocateArray<LevelRecord>(static_cast<std::size_t>(problem.iterations) + 1);
    m_HostState = AllocatePinned(context.GetDevice(), sizeof(LevelState));
    *this->HostState() = LevelState{ 1, 1, 0, 0, 0, 1.0f, 0, 0.0 };
    CUDANEURO_CUDA(
      cudaMemcpyAsync(m_State.Data(), m_HostState.get(), sizeof(LevelState), cudaMemcpyHostToDevice, this->Stream()));
    // A solver may start from the velocity that is there, and the field that is not the candidate must be a map, too.
    const SoAField velocity = m_Velocity.View();
    for (float * const component : { velocity.x, velocity.y, velocity.z })
    {
      CUDANEURO_CUDA(cudaMemsetAsync(component, 0, this->ComponentBytes(), this->Stream()));
    }
    this->CopyField(displacement, m_Other.View());
  }

  /** Energy of the candidate, whether it is good, and the force. */
  void
  EnqueueEvaluation()
  {
    if (m_Parameters.metric == RegistrationMetric::LocalCorrelation)
    {
      this->EnqueueCorrelation();
    }
    m_ForceLaunch.Enqueue(this->Stream(), m_ForceArguments);
    JudgeArguments arguments{};
    arguments.state = m_State.Data();
    arguments.records = m_Records.Data();
    arguments.partials = m_ForcePartials.Data();
    arguments.numberOfPartials = static_cast<int>(m_ForceLaunch.NumberOfBlocks());
    arguments.imagePartials = m_ImagePartials.Data();
    arguments.numberOfImagePartials = m_NumberOfImagePartials;
    arguments.voxelWeight = 1.0 / static_cast<double>(m_Voxels);
    arguments.biasWeight = m_Parameters.unbiasedWeight;
    arguments.imageOffset = m_Parameters.metric == RegistrationMetric::LocalCorrelation ? 1.0 : 0.0;
    arguments.convergenceThreshold = m_Parameters.convergenceThreshold;
    AcceptStepKernel<<<1, judgeThreads, 0, this->Stream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("AcceptStepKernel");
  }

  /** Velocity and next candidate. */
  void
  EnqueueMove(bool isFirst)
  {
    LevelState * const state = m_State.Data();
    m_Velocities->Enqueue(m_Force.View(), m_Velocity.View(), m_Scratch, isFirst, &state->solve, &state->largestSquare);
    const bool     smooths = this->SmoothsField();
    CarryArguments arguments{};
    arguments.extent = m_Problem.extent;
    arguments.grid = CellGrid(m_Problem.extent);
    arguments.displacements = m_Pair;
    arguments.state = state;
    arguments.velocity = m_Velocity.View();
    arguments.maximumStep = static_cast<float>(m_Parameters.maximumStep);
    arguments.output = smooths ? m_Force.View() : SoAField();
    const Extent & extent = m_Problem.extent;
    const dim3     blocks(
      BlocksFor(extent.x, carryThreadsX), BlocksFor(extent.y, carryThreadsY), BlocksFor(extent.z, carryPlanes));
    AdvectMapKernel<<<blocks, dim3(carryThreadsX, carryThreadsY), 0, this->Stream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("AdvectMapKernel");
    if (smooths)
    {
      const GaussianWeights weights(m_Parameters.fieldSigma, velocityCut);
      const ConstSoAField   carried = m_Force.View();
      EnqueueFieldSmoothing(
        this->Stream(), extent, weights, Boundary::Repeat, carried, m_Scratch, m_Force.View(), &state->run, nullptr);
      constexpr int threads = 256;
      const auto    copyBlocks = static_cast<unsigned int>(DivideUp(m_Voxels, threads));
      CopyToCandidateKernel<<<copyBlocks, threads, 0, this->Stream()>>>(m_Voxels, m_Force.View(), m_Pair, state);
      CUDANEURO_CUDA_LAUNCHED("CopyToCandidateKernel");
    }
  }

  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }
  const LevelState *
  DeviceState() const
  {
    return m_State.Data();
  }
  const LevelRecord *
  DeviceRecords() const
  {
    return m_Records.Data();
  }

  /** Waits, and puts the last good map where the caller has the displacement. */
  LevelState
  Finish()
  {
    CUDANEURO_CUDA(
      cudaMemcpyAsync(m_HostState.get(), m_State.Data(), sizeof(LevelState), cudaMemcpyDeviceToHost, this->Stream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(this->Stream()));
    const LevelState state = *this->HostState();
    // Before the first candidate was judged, the displacement is still what it was.
    if (state.current == 0 && state.records > 0)
    {
      this->CopyField(m_Other.View(), m_Displacement);
    }
    return state;
  }

private:
  bool
  SmoothsField() const
  {
    const auto & sigma = m_Parameters.fieldSigma;
    return sigma[0] > 0.0 || sigma[1] > 0.0 || sigma[2] > 0.0;
  }

  std::size_t
  ComponentBytes() const
  {
    return static_cast<std::size_t>(m_Voxels) * sizeof(float);
  }

  void
  CopyField(const ConstSoAField & from, const SoAField & to) const
  {
    const float * const sources[3] = { from.x, from.y, from.z };
    float * const       targets[3] = { to.x, to.y, to.z };
    for (int component = 0; component < 3; ++component)
    {
      CUDANEURO_CUDA(cudaMemcpyAsync(
        targets[component], sources[component], this->ComponentBytes(), cudaMemcpyDeviceToDevice, this->Stream()));
    }
  }

  LevelState *
  HostState() const
  {
    return static_cast<LevelState *>(m_HostState.get());
  }

  void
  PlanForce()
  {
    const Extent & extent = m_Problem.extent;
    m_ForceLaunch = ForceLaunch(extent, m_Gpu.NumberOfMultiprocessors(), m_Parameters);
    m_ForcePartials = m_Gpu.AllocateArray<ForcePartial>(m_ForceLaunch.NumberOfBlocks());
    m_ForceArguments = m_ForceLaunch.Arguments(m_Parameters, m_Problem);
    m_ForceArguments.displacements = m_Pair;
    m_ForceArguments.state = m_State.Data();
    m_ForceArguments.force = m_Force.View();
    m_ForceArguments.partials = m_ForcePartials.Data();
  }

  /** The sums live where force and scratch will be, the sums of terms where the force will be. */
  void
  PlanCorrelation()
  {
    const std::size_t voxels = static_cast<std::size_t>(m_Voxels);
    const Extent &    extent = m_Problem.extent;
    m_CorrelationMemory = m_Gpu.AllocateArray<float>(voxels * 2);
    m_Terms = m_Gpu.AllocateArray<float>(voxels * correlationTerms);
    const SoAField force = m_Force.View();
    m_Correlation.extent = extent;
    m_Correlation.grid = CellGrid(extent);
    m_Correlation.radius = m_Parameters.correlationRadius;
    m_Correlation.state = m_State.Data();
    m_Correlation.displacements = m_Pair;
    m_Correlation.moving = m_Problem.moving;
    m_Correlation.fixed = m_Problem.fixed;
    m_Correlation.deformed = m_CorrelationMemory.Data();
    m_Correlation.derivative = m_CorrelationMemory.Data() + voxels;
    m_Correlation.sums = { { force.x, force.y, force.z, m_Scratch.x, m_Scratch.y, m_Scratch.z } };
    m_Correlation.terms = { { m_Terms.Data(), m_Terms.Data() + voxels, m_Terms.Data() + 2 * voxels } };
    m_Correlation.termSums = { { force.x, force.y, force.z } };
    m_ForceArguments.other = m_Correlation.derivative;
    m_ColumnBlocks = dim3(BlocksFor(extent.x, 32), BlocksFor(extent.y, 8), BlocksFor(extent.z, correlationPlanes));
    m_NumberOfImagePartials = static_cast<int>(m_ColumnBlocks.x * m_ColumnBlocks.y * m_ColumnBlocks.z);
    m_ImagePartials = m_Gpu.AllocateArray<double>(static_cast<std::size_t>(m_NumberOfImagePartials));
    m_Correlation.partials = m_ImagePartials.Data();
    AllowAllSharedMemory(BoxPlaneKernel<LoadProducts>);
    AllowAllSharedMemory(BoxPlaneKernel<LoadTerms>);
  }

  void
  EnqueueCorrelation()
  {
    const Extent &     extent = m_Problem.extent;
    const dim3         threads(32, 8);
    const cudaStream_t stream = this->Stream();
    const int          radius = m_Parameters.correlationRadius;
    const dim3         tiles(BlocksFor(extent.x, correlationTileX), BlocksFor(extent.y, correlationTileY), extent.z);
    DeformKernel<<<dim3(m_ColumnBlocks.x, m_ColumnBlocks.y, extent.z), threads, 0, stream>>>(m_Correlation);
    CUDANEURO_CUDA_LAUNCHED("DeformKernel");
    BoxPlaneKernel<LoadProducts>
      <<<tiles, correlationThreads, BoxPlaneSharedBytes<LoadProducts>(radius), stream>>>(m_Correlation);
    CUDANEURO_CUDA_LAUNCHED("BoxPlaneKernel of products");
    CorrelationTermKernel<<<m_ColumnBlocks, threads, 0, stream>>>(m_Correlation);
    CUDANEURO_CUDA_LAUNCHED("CorrelationTermKernel");
    BoxPlaneKernel<LoadTerms>
      <<<tiles, correlationThreads, BoxPlaneSharedBytes<LoadTerms>(radius), stream>>>(m_Correlation);
    CUDANEURO_CUDA_LAUNCHED("BoxPlaneKernel of terms");
    CorrelationDerivativeKernel<<<m_ColumnBlocks, threads, 0, stream>>>(m_Correlation);
    CUDANEURO_CUDA_LAUNCHED("CorrelationDerivativeKernel");
  }

  GpuContext &                      m_Gpu;
  const RegistrationParameters &    m_Parameters;
  const LevelProblem &              m_Problem;
  std::int64_t                      m_Voxels;
  SoAField                          m_Displacement;
  SoAFieldMemory                    m_Other;
  SoAFieldMemory                    m_Force;
  SoAFieldMemory                    m_Velocity;
  SoAFieldMemory                    m_ScratchMemory;
  SoAField                          m_Scratch; // may be the velocity
  std::unique_ptr<VelocityEnqueuer> m_Velocities;
  CandidatePair                     m_Pair;
  DeviceBuffer<LevelState>          m_State;
  DeviceBuffer<LevelRecord>         m_Records;
  std::shared_ptr<void>             m_HostState;
  ForceLaunch                       m_ForceLaunch;
  ForceArguments                    m_ForceArguments{};
  DeviceBuffer<ForcePartial>        m_ForcePartials;
  CorrelationArguments              m_Correlation{};
  DeviceBuffer<float>               m_CorrelationMemory;
  DeviceBuffer<float>               m_Terms;
  DeviceBuffer<double>              m_ImagePartials;
  int                               m_NumberOfImagePartials = 0;
  dim3                              m_ColumnBlocks;
};

/** Copies of records that are on their way to the host. */
class RecordReader
{
public:
  RecordReader(Context &                      context,
               const Level &                  level,
               const RegistrationParameters & parameters,
               const LevelProblem &           problem)
    : m_Context(context)
    , m_Level(level)
    , m_Parameters(parameters)
    , m_Problem(problem)
    , m_Records(
        AllocatePinned(context.GetDevice(), sizeof(LevelRecord) * (static_cast<std::size_t>(problem.iterations) + 1)))
  {}

  /** Asks for the records [begin, end), of which some may never be written. */
  void
  Request(int begin, int end)
  {
    Batch batch;
    batch.end = end;
    batch.state = AllocatePinned(m_Context.GetDevice(), sizeof(LevelState));
    CUDANEURO_CUDA(cudaMemcpyAsync(this->HostRecords() + begin,
                                   m_Level.DeviceRecords() + begin,
                                   sizeof(LevelRecord) * static_cast<std::size_t>(end - begin),
                                   cudaMemcpyDeviceToHost,
                                   m_Level.Stream()));
    CUDANEURO_CUDA(cudaMemcpyAsync(
      batch.state.get(), m_Level.DeviceState(), sizeof(LevelState), cudaMemcpyDeviceToHost, m_Level.Stream()));
    batch.copied = std::make_unique<Event>();
    batch.copied->Record(m_Level.Stream());
    m_Batches.push_back(std::move(batch));
  }

  /** Waits until at most \p pending requests are open, and hands the records of the others on.
   * \returns whether to go on: false when the level has converged or the observer ends it. */
  bool
  Deliver(std::size_t pending, LevelObserver & observer)
  {
    while (m_Batches.size() > pending)
    {
      const Batch batch = std::move(m_Batches.front());
      m_Batches.pop_front();
      batch.copied->Synchronize();
      const auto & state = *static_cast<const LevelState *>(batch.state.get());
      for (const int end = std::min(batch.end, state.records); m_Delivered < end; ++m_Delivered)
      {
        const RegistrationIteration iteration = this->IterationOf(m_Delivered);
        // The last one is the end result, and no iteration.
        if (!m_WasStopped && m_Delivered < m_Problem.iterations && !observer.Observe(iteration))
        {
          m_WasStopped = true;
        }
      }
      if (m_WasStopped || state.run == 0)
      {
        return false;
      }
    }
    return true;
  }

  /** The state of the map that the level ends with. Records that the observer did not want are counted, too. */
  LevelResult
  GetResult()
  {
    for (; !m_Batches.empty(); m_Batches.pop_front())
    {
      const Batch & batch = m_Batches.front();
      batch.copied->Synchronize();
      const auto & state = *static_cast<const LevelState *>(batch.state.get());
      for (const int end = std::min(batch.end, state.records); m_Delivered < end; ++m_Delivered)
      {
        this->IterationOf(m_Delivered);
      }
    }
    LevelResult result;
    result.final = m_LastGood;
    result.numberOfShortenedSteps = m_Shortened;
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

  LevelRecord *
  HostRecords() const
  {
    return static_cast<LevelRecord *>(m_Records.get());
  }

  RegistrationIteration
  IterationOf(int index)
  {
    const LevelRecord &   record = this->HostRecords()[index];
    RegistrationIteration iteration = m_LastGood;
    iteration.level = m_Problem.level;
    iteration.iteration = index;
    iteration.wasShortened = record.folded != 0;
    iteration.step = m_Parameters.maximumStep * static_cast<double>(record.scale);
    if (record.folded)
    {
      ++m_Shortened;
      return iteration;
    }
    iteration.imageEnergy = record.imageEnergy;
    iteration.biasEnergy = record.biasEnergy;
    iteration.energy = record.imageEnergy + m_Parameters.unbiasedWeight * record.biasEnergy;
    iteration.minimumJacobian = static_cast<double>(record.minimumJacobian);
    m_LastGood = iteration;
    return iteration;
  }

  Context &                      m_Context;
  const Level &                  m_Level;
  const RegistrationParameters & m_Parameters;
  const LevelProblem &           m_Problem;
  std::shared_ptr<void>          m_Records;
  std::deque<Batch>              m_Batches;
  int                            m_Delivered = 0;
  int                            m_Shortened = 0;
  bool                           m_WasStopped = false;
  RegistrationIteration          m_LastGood;
};

/** Iterations between two looks at the records, so that a look costs little and an abort waits little. */
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
  Level        level(context, parameters, problem, displacement);
  RecordReader reader(context, level, parameters, problem);
  try
  {
    const int perBatch = IterationsPerBatch(NumberOfVoxels(problem.extent));
    bool      goesOn = true;
    int       requested = 0;
    for (int iteration = 0; goesOn && iteration <= problem.iterations; ++iteration)
    {
      level.EnqueueEvaluation();
      if (iteration < problem.iterations)
      {
        level.EnqueueMove(iteration == 0);
      }
      if (iteration + 1 - requested == perBatch || iteration == problem.iterations)
      {
        reader.Request(requested, iteration + 1);
        requested = iteration + 1;
        // Two batches are under way while the host looks at the one before.
        goesOn = reader.Deliver(2, observer);
      }
    }
    if (goesOn)
    {
      reader.Deliver(0, observer);
    }
    level.Finish();
    return reader.GetResult();
  }
  catch (...)
  {
    level.Finish();
    throw;
  }
}

} // namespace cudaneuro::gpu
