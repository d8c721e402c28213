// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "landmarks/TrajectorySolver.h"

#include "core/IntegerMath.h"
#include "cuda/GpuContext.h"
#include "cuda/SharedMemoryLimit.h"
#include "landmarks/TrajectoryBuffers.h"
#include "landmarks/TrajectoryConstants.h"
#include "landmarks/TrajectoryEvaluations.h"
#include "points/PointRecords.cuh"

#include <algorithm>
#include <array>

namespace cudaneuro::gpu
{
namespace
{

/** Evaluates all losses of a call by one kernel, and two copies. Two calls may be in flight, each in its own memory;
 * the device processes one after the other. */
template <typename T>
class TrajectorySolverOf : public TrajectorySolver
{
public:
  TrajectorySolverOf(Context & context, const ShootingProblem & problem)
    : m_Context(context)
    , m_Gpu(GpuOf(context))
    , m_Problem(problem)
    , m_Choices(ChooseTrajectoryKernels<T>(problem.dimension, problem.numberOfPoints, m_Gpu.NumberOfMultiprocessors()))
    , m_Width(problem.dimension == 2 ? recordWidth<2> : recordWidth<3>)
    , m_PaddedPoints(RoundUp(static_cast<std::size_t>(problem.numberOfPoints) + 1, std::size_t{ pointsOfLargestTile }))
    , m_Targets(
        m_Gpu.AllocateArray<T>(static_cast<std::size_t>(problem.numberOfTargets) * m_PaddedPoints * targetWidth))
    , m_WeightedPoints(static_cast<std::size_t>(problem.numberOfTargets), 0)
  {
    const DeviceScope scope(m_Gpu.GetDevice());
    m_TemplatePoints = m_Gpu.CopyToDevice(std::vector<T>(problem.positions.begin(), problem.positions.end()));
    m_Order = m_Gpu.CopyToDevice(problem.order);
    if (!Prepare(m_Choices.many))
    {
      throw Error("Geodesic shooting on a CUDA device", "a multiprocessor has not enough shared memory for a block");
    }
    if (!Prepare(m_Choices.few))
    {
      m_Choices.few = m_Choices.many;
    }
  }

  ~TrajectorySolverOf() override { m_Gpu.SynchronizeNoThrow(); }

  void
  SetTarget(int target, const std::vector<double> & positions, const std::vector<double> & weights) override
  {
    const DeviceScope scope(m_Gpu.GetDevice());
    const auto        dimension = static_cast<std::size_t>(m_Problem.dimension);
    std::vector<T>    records(m_PaddedPoints * targetWidth);
    std::int64_t      weighted = 0;
    for (std::size_t point = 0; point < weights.size(); ++point)
    {
      std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(point * dimension),
                  dimension,
                  records.begin() + static_cast<std::ptrdiff_t>(point * targetWidth));
      records[point * targetWidth + targetWeight] = static_cast<T>(weights[point]);
      weighted += weights[point] > 0.0 ? 1 : 0;
    }
    CUDANEURO_CUDA(cudaMemcpyAsync(m_Targets.Data() + static_cast<std::size_t>(target) * records.size(),
                                   records.data(),
                                   records.size() * sizeof(T),
                                   cudaMemcpyHostToDevice,
                                   m_Gpu.ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(m_Gpu.ComputeStream()));
    StatisticsOf(m_Context).hostToDeviceBytes += records.size() * sizeof(T);
    m_WeightedPoints[static_cast<std::size_t>(target)] = weighted;
  }

  int
  GetNumberOfEvaluationsAtATime() const override
  {
    const std::int64_t tiles =
      std::int64_t{ m_Choices.many.residentBlocks } * m_Choices.many.tilesOfBlock * m_Gpu.MultiprocessorsOfShare();
    return static_cast<int>(std::max(std::int64_t{ 1 }, tiles / static_cast<std::int64_t>(this->Tiles())));
  }

  void
  StartEvaluation(std::vector<ShootingEvaluation> & evaluations) override;
  void
  FinishEvaluation(std::vector<ShootingEvaluation> & evaluations) override;

  void
  DiscardEvaluations() noexcept override
  {
    m_Gpu.SynchronizeNoThrow();
    for (TrajectorySlot<T> & slot : m_Slots)
    {
      slot.isUnderWay = false;
    }
    m_First = 0;
  }

  void
  Shoot(const double * momenta, double * positions, double * momentaOverTime) override;

private:
  /** \returns whether the device has enough shared memory for the kernel */
  static bool
  Prepare(TrajectoryKernelChoice<T> & choice);

  UploadLayout
  Layout(std::size_t evaluations) const
  {
    return { evaluations, this->Stages(), this->NumbersOfPoints() };
  }

  std::size_t
  NumbersOfPoints() const
  {
    return static_cast<std::size_t>(m_Problem.numberOfPoints * m_Problem.dimension);
  }
  std::size_t
  Stages() const
  {
    return static_cast<std::size_t>(m_Problem.parameters.numberOfTimeSteps) *
           static_cast<std::size_t>(MakeIntegrator(m_Problem.parameters.integrator).stages);
  }
  std::size_t
  Tiles() const
  {
    return DivideUp(static_cast<std::size_t>(m_Problem.numberOfPoints),
                    static_cast<std::size_t>(m_Choices.few.pointsOfTile));
  }
  std::size_t
  Groups() const
  {
    return DivideUp(static_cast<std::size_t>(m_Problem.numberOfPoints), std::size_t{ pointsPerGroup });
  }

  /** Allocates an array of zeros. */
  DeviceBuffer<T>
  AllocateZeros(std::size_t count) const
  {
    DeviceBuffer<T> array = m_Gpu.AllocateArray<T>(count);
    CUDANEURO_CUDA(cudaMemsetAsync(array.Data(), 0, count * sizeof(T), m_Gpu.ComputeStream()));
    return array;
  }

  void
  Reserve(TrajectoryBuffers<T> & reserved, std::size_t evaluations) const;

  TrajectoryArguments<T>
  Arguments(const TrajectoryBuffers<T> & buffers, const SortedEvaluations & evaluations) const;

  std::size_t
  DownloadBytes(const SortedEvaluations & evaluations) const
  {
    return evaluations.all.size() * this->Tiles() * sizeof(LossTerms) +
           evaluations.gradients * this->NumbersOfPoints() * sizeof(double);
  }

  void
  Enqueue(TrajectorySlot<T> &            slot,
          const TrajectoryArguments<T> & arguments,
          std::size_t                    uploadBytes,
          std::size_t                    downloadBytes);

  Context &                  m_Context;
  GpuContext &               m_Gpu;
  const ShootingProblem &    m_Problem;
  TrajectoryKernelChoices<T> m_Choices;
  std::size_t                m_Width;
  std::size_t                m_PaddedPoints;
  DeviceBuffer<T>            m_TemplatePoints;
  DeviceBuffer<int>          m_Order;
  DeviceBuffer<T>            m_Targets;
  /** The number of points of positive weight of each target. */
  std::vector<std::int64_t> m_WeightedPoints;
  /** The second slot has memory once two calls have been in flight at the same time. */
  std::array<TrajectorySlot<T>, 2> m_Slots;
  /** Index of the slot of the earliest call; 0 while none is in flight. */
  std::size_t m_First = 0;
};

template <typename T>
bool
TrajectorySolverOf<T>::Prepare(TrajectoryKernelChoice<T> & choice)
{
  AllowAllSharedMemory(choice.kernel);
  CUDANEURO_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    &choice.residentBlocks, choice.kernel, choice.threads, choice.sharedBytes));
  return choice.residentBlocks > 0;
}

template <typename T>
void
TrajectorySolverOf<T>::Reserve(TrajectoryBuffers<T> & reserved, std::size_t evaluations) const
{
  if (evaluations <= reserved.evaluations)
  {
    return;
  }
  // The old memory is freed first, because the new one may need its place.
  reserved = {};
  TrajectoryBuffers<T> buffers;
  const std::size_t    records = evaluations * m_PaddedPoints * m_Width;
  const std::size_t    uploadBytes = this->Layout(evaluations).bytes;
  const std::size_t    downloadBytes =
    evaluations * (this->Tiles() * sizeof(LossTerms) + this->NumbersOfPoints() * sizeof(double));
  buffers.upload = m_Gpu.AllocateArray<char>(uploadBytes);
  buffers.download = m_Gpu.AllocateArray<char>(downloadBytes);
  buffers.states = this->AllocateZeros(records * (this->Stages() + 1));
  buffers.boxes = m_Gpu.AllocateArray<T>(evaluations * this->Stages() * this->Groups() * boxWidth);
  buffers.adjoints = this->AllocateZeros(2 * records);
  buffers.carried = m_Gpu.AllocateArray<T>(records);
  buffers.sums = m_Gpu.AllocateArray<T>(records);
  buffers.firstSlopes = m_Gpu.AllocateArray<T>(records);
  buffers.pinnedUpload = AllocatePinned(m_Context.GetDevice(), uploadBytes);
  buffers.pinnedDownload = AllocatePinned(m_Context.GetDevice(), downloadBytes);
  buffers.evaluations = evaluations;
  reserved = std::move(buffers);
}

template <typename T>
TrajectoryArguments<T>
TrajectorySolverOf<T>::Arguments(const TrajectoryBuffers<T> & buffers, const SortedEvaluations & evaluations) const
{
  TrajectoryArguments<T> arguments = ConstantsOfTrajectories<T>(m_Problem);
  arguments.paddedPoints = static_cast<int>(m_PaddedPoints);
  arguments.numberOfGroups = static_cast<int>(this->Groups());
  arguments.numberOfTiles = static_cast<int>(this->Tiles());
  arguments.numberOfEvaluations = static_cast<int>(evaluations.all.size());
  arguments.numberOfGradients = static_cast<int>(evaluations.gradients);
  arguments.templatePoints = m_TemplatePoints.Data();
  arguments.order = m_Order.Data();
  arguments.targets = m_Targets.Data();

  char * const       upload = buffers.upload.Data();
  const UploadLayout layout = this->Layout(evaluations.all.size());
  arguments.arrivals = reinterpret_cast<unsigned int *>(upload + UploadLayout::arrivals);
  arguments.marks = reinterpret_cast<int *>(upload + UploadLayout::marks);
  arguments.targetOfEvaluation = reinterpret_cast<const int *>(upload + layout.targets);
  arguments.momenta = reinterpret_cast<const double *>(upload + layout.momenta);
  arguments.states = buffers.states.Data();
  arguments.boxes = buffers.boxes.Data();
  arguments.adjoints = buffers.adjoints.Data();
  arguments.carried = buffers.carried.Data();
  arguments.sums = buffers.sums.Data();
  arguments.firstSlopes = buffers.firstSlopes.Data();
  arguments.terms = reinterpret_cast<LossTerms *>(buffers.download.Data());
  arguments.gradients = reinterpret_cast<double *>(arguments.terms + evaluations.all.size() * this->Tiles());
  return arguments;
}

template <typename T>
void
TrajectorySolverOf<T>::Enqueue(TrajectorySlot<T> &            slot,
                               const TrajectoryArguments<T> & arguments,
                               std::size_t                    uploadBytes,
                               std::size_t                    downloadBytes)
{
  const cudaStream_t stream = m_Gpu.ComputeStream();
  CUDANEURO_CUDA(cudaMemcpyAsync(
    slot.buffers.upload.Data(), slot.buffers.pinnedUpload.get(), uploadBytes, cudaMemcpyHostToDevice, stream));
  const std::int64_t tiles = std::int64_t{ arguments.numberOfEvaluations } * arguments.numberOfTiles;
  const std::int64_t multiprocessors = m_Gpu.MultiprocessorsOfShare();
  const auto &       choice = tiles < m_Choices.tilesOfMany * multiprocessors ? m_Choices.few : m_Choices.many;
  // All blocks of a cooperative launch are resident at the same time, beside those of other contexts.
  const auto blocks = static_cast<unsigned int>(
    std::min(DivideUp(tiles, std::int64_t{ choice.tilesOfBlock }), choice.residentBlocks * multiprocessors));
  TrajectoryArguments<T> copy = arguments;
  void *                 parameters[] = { &copy };
  slot.begin.Record(stream);
  CUDANEURO_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(choice.kernel),
                                             dim3(blocks),
                                             dim3(static_cast<unsigned int>(choice.threads)),
                                             parameters,
                                             choice.sharedBytes,
                                             stream));
  slot.end.Record(stream);
  CUDANEURO_CUDA(cudaMemcpyAsync(
    slot.buffers.pinnedDownload.get(), slot.buffers.download.Data(), downloadBytes, cudaMemcpyDeviceToHost, stream));
  slot.downloaded.Record(stream);
}

template <typename T>
void
TrajectorySolverOf<T>::StartEvaluation(std::vector<ShootingEvaluation> & evaluations)
{
  const DeviceScope       scope(m_Gpu.GetDevice());
  const SortedEvaluations sorted(evaluations);
  TrajectorySlot<T> &     slot = m_Slots[m_Slots[m_First].isUnderWay ? 1 - m_First : m_First];
  this->Reserve(slot.buffers, evaluations.size());
  WriteUpload(sorted, this->Layout(evaluations.size()), this->NumbersOfPoints(), slot.buffers.pinnedUpload.get());
  try
  {
    this->Enqueue(
      slot, this->Arguments(slot.buffers, sorted), this->Layout(evaluations.size()).bytes, this->DownloadBytes(sorted));
  }
  catch (...)
  {
    m_Gpu.SynchronizeNoThrow();
    throw;
  }
  slot.isUnderWay = true;
}

template <typename T>
void
TrajectorySolverOf<T>::FinishEvaluation(std::vector<ShootingEvaluation> & evaluations)
{
  const DeviceScope       scope(m_Gpu.GetDevice());
  const SortedEvaluations sorted(evaluations);
  TrajectorySlot<T> &     slot = m_Slots[m_First];
  slot.isUnderWay = false;
  m_First = m_Slots[1 - m_First].isUnderWay ? 1 - m_First : 0;
  slot.downloaded.Synchronize();
  ReadDownload(m_Problem, m_WeightedPoints, this->Tiles(), slot.buffers.pinnedDownload.get(), sorted);
  float milliseconds = 0.0f;
  CUDANEURO_CUDA(cudaEventElapsedTime(&milliseconds, slot.begin.Get(), slot.end.Get()));
  Statistics & statistics = StatisticsOf(m_Context);
  statistics.hostToDeviceBytes += this->Layout(evaluations.size()).bytes;
  statistics.deviceToHostBytes += this->DownloadBytes(sorted);
  statistics.deviceMilliseconds += milliseconds;
}

template <typename T>
void
TrajectorySolverOf<T>::Shoot(const double * momenta, double * positions, double * momentaOverTime)
{
  std::vector<ShootingEvaluation> evaluations(1);
  evaluations[0].target = -1;
  evaluations[0].momenta = momenta;
  this->StartEvaluation(evaluations);
  this->FinishEvaluation(evaluations);

  const DeviceScope scope(m_Gpu.GetDevice());
  const auto        steps = static_cast<std::size_t>(m_Problem.parameters.numberOfTimeSteps);
  const std::size_t stages = this->Stages() / steps;
  const auto        points = static_cast<std::size_t>(m_Problem.numberOfPoints);
  const auto        dimension = static_cast<std::size_t>(m_Problem.dimension);
  std::vector<T>    states(points * m_Width);
  for (std::size_t time = 0; time <= steps; ++time)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(states.data(),
                                   m_Slots[0].buffers.states.Data() + time * stages * m_PaddedPoints * m_Width,
                                   states.size() * sizeof(T),
                                   cudaMemcpyDeviceToHost,
                                   m_Gpu.ComputeStream()));
    CUDANEURO_CUDA(cudaStreamSynchronize(m_Gpu.ComputeStream()));
    StatisticsOf(m_Context).deviceToHostBytes += states.size() * sizeof(T);
    for (std::size_t k = 0; k < points; ++k)
    {
      const std::size_t to = (time * points + static_cast<std::size_t>(m_Problem.order[k])) * dimension;
      for (std::size_t d = 0; d < dimension; ++d)
      {
        const double x = states[k * m_Width + d];
        const double u = states[k * m_Width + dimension + d];
        if (positions)
        {
          positions[to + d] = x / m_Problem.units.scale + m_Problem.units.center[d];
        }
        if (momentaOverTime)
        {
          momentaOverTime[to + d] = u / m_Problem.units.scale;
        }
      }
    }
  }
}

} // namespace

std::unique_ptr<TrajectorySolver>
MakeTrajectorySolver(Context & context, const ShootingProblem & problem)
{
  const DeviceScope scope(GpuOf(context).GetDevice());
  if (problem.parameters.precision == ShootingPrecision::Double)
  {
    return std::make_unique<TrajectorySolverOf<double>>(context, problem);
  }
  return std::make_unique<TrajectorySolverOf<float>>(context, problem);
}

} // namespace cudaneuro::gpu
