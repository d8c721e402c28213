// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/Step.h"

#include "cuda/GpuContext.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "registration/step/DeformedCorrelation.cuh"
#include "registration/step/DeformedInformation.cuh"
#include "registration/step/RegistrationForceLaunch.cuh"
#include "registration/step/DecisionKernel.cuh"
#include "registration/step/StepKernel.cuh"

#include <algorithm>
#include <optional>

namespace cudaneuro::gpu
{

namespace
{

void
EnqueueCopy(cudaStream_t stream, const Extent & extent, const SoAField & from, const SoAField & to)
{
  const std::size_t   bytes = static_cast<std::size_t>(NumberOfVoxels(extent)) * sizeof(float);
  const float * const sources[3] = { from.x, from.y, from.z };
  float * const       targets[3] = { to.x, to.y, to.z };
  for (int component = 0; component < 3; ++component)
  {
    CUDANEURO_CUDA(cudaMemcpyAsync(targets[component], sources[component], bytes, cudaMemcpyDeviceToDevice, stream));
  }
}

void
EnqueueMove(cudaStream_t stream, bool isAdvected, const AdvectionArguments & arguments)
{
  const Extent & extent = arguments.extent;
  if (isAdvected)
  {
    const dim3 threads(advectionThreadsX, advectionThreadsY);
    const dim3 blocks(
      DivideUp(extent.x, threads.x), DivideUp(extent.y, threads.y), DivideUp(extent.z, advectionPlanes));
    AdvectMapKernel<<<blocks, threads, 0, stream>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("AdvectMapKernel");
    return;
  }
  constexpr int threads = 256;
  const auto    voxels = static_cast<int>(NumberOfVoxels(extent));
  AddStepKernel<<<DivideUp(voxels, threads), threads, 0, stream>>>(arguments, voxels);
  CUDANEURO_CUDA_LAUNCHED("AddStepKernel");
}

} // namespace

struct ForcePlan
{
  ForcePlan(const GpuContext &             gpu,
            const RegistrationParameters & parameters,
            const ImagePair &              images,
            const ChannelPlace &           place)
    : stream(gpu.ComputeStream())
    , canLaunchEarly(CanLaunchEarly())
    , channel(place.channel)
    , launch(images.extent, gpu.NumberOfMultiprocessors(), parameters, place.GetForceUse())
    , sums(gpu.AllocateArray<ForceSums>(launch.NumberOfBlocks() + 1))
    , arguments(launch.Arguments(parameters, images))
  {
    arguments.sums = sums.Data();
    decision.parameters = DecisionParameters(parameters, images.extent);
    decision.sums = sums.Data();
    decision.numberOfSums = static_cast<int>(launch.NumberOfBlocks());
    if (parameters.metric == RegistrationMetric::LocalCorrelation)
    {
      correlation.emplace(gpu, parameters.correlationRadius, images);
      arguments.other = correlation->GetDerivative();
      decision.imageTerms = correlation->GetEnergyTerms();
      decision.numberOfImageTerms = correlation->NumberOfEnergyTerms();
    }
    if (parameters.metric == RegistrationMetric::MutualInformation)
    {
      information.emplace(gpu, parameters.numberOfHistogramBins, images);
      arguments.slopes = information->GetSlopes();
      arguments.bins = parameters.numberOfHistogramBins;
      decision.imageTerms = information->GetEnergy();
      decision.numberOfImageTerms = 1;
    }
  }

  cudaStream_t                       stream;
  bool                               canLaunchEarly;
  int                                channel;
  ForceLaunch                        launch;
  DeviceBuffer<ForceSums>            sums;
  ForceArguments                     arguments;
  std::optional<DeformedCorrelation> correlation;
  std::optional<DeformedInformation> information;
  DecisionArguments                  decision{};
};

bool
NeedsDerivative(RegistrationMetric metric)
{
  return metric == RegistrationMetric::LocalCorrelation;
}

std::shared_ptr<ForcePlan>
MakeForcePlan(Context &                      context,
              const RegistrationParameters & parameters,
              const ImagePair &              images,
              const ChannelPlace &           place)
{
  return std::make_shared<ForcePlan>(GpuOf(context), parameters, images, place);
}

void
ChangeImages(ForcePlan & plan, const ImagePair & images)
{
  plan.arguments.moving = images.moving;
  if (plan.correlation)
  {
    plan.correlation->ChangeImages(images);
    return;
  }
  if (plan.information)
  {
    plan.information->ChangeImages(images);
  }
  plan.arguments.other = images.fixed;
}

void
EnqueueDerivative(ForcePlan & plan, const StepBuffers & buffers, const SoAField & work)
{
  if (plan.correlation)
  {
    plan.correlation->Enqueue(plan.stream, buffers, work);
  }
  if (plan.information)
  {
    plan.information->Enqueue(plan.stream, buffers);
  }
}

void
EnqueueForce(ForcePlan & plan, const StepBuffers & buffers)
{
  plan.arguments.maps = buffers.maps;
  plan.arguments.state = buffers.state;
  plan.arguments.force = buffers.force;
  plan.launch.Enqueue(plan.stream, plan.arguments);
  if (plan.channel > 0)
  {
    plan.decision.state = buffers.state;
    ChannelEnergyKernel<<<1, decisionThreads, 0, plan.stream>>>(plan.decision, buffers.terms + plan.channel - 1);
    CUDANEURO_CUDA_LAUNCHED("ChannelEnergyKernel");
  }
}

namespace
{

template <bool VJoint>
void
LaunchDecision(ForcePlan &               plan,
               const DecisionArguments & second,
               const StepBuffers &       buffers,
               const PointForces &       points)
{
  plan.decision.state = buffers.state;
  plan.decision.records = buffers.records;
  plan.decision.terms = buffers.terms;
  const auto blocks = static_cast<unsigned int>(1 + points.numberOfSides * points.BlocksOfSide());
  LaunchEarly(plan.canLaunchEarly,
              DecisionKernel<VJoint>,
              { blocks, decisionThreads, 0, plan.stream },
              plan.decision,
              second,
              points);
}

} // namespace

void
EnqueueDecision(ForcePlan & plan, const StepBuffers & buffers, const LevelPoints * points)
{
  LaunchDecision<false>(plan, {}, buffers, PointForcesOf(points, buffers, nullptr));
}

void
EnqueueJointDecision(ForcePlan &         plan,
                     ForcePlan &         otherPlan,
                     const StepBuffers & buffers,
                     const StepBuffers & other,
                     const LevelPoints * points)
{
  otherPlan.decision.terms = other.terms;
  LaunchDecision<true>(plan, otherPlan.decision, buffers, PointForcesOf(points, buffers, &other));
}

void
EnqueueDeformation(Context & context, const ImagePair & images, const StepBuffers & buffers)
{
  EnqueueDeform(
    GpuOf(context).ComputeStream(),
    { images.extent, CellGrid(images.extent), buffers.state, buffers.maps, images.moving, nullptr, images.deformed });
}

void
StartSteps(Context & context, const StepBuffers & buffers)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  const std::size_t  bytes = static_cast<std::size_t>(NumberOfVoxels(buffers.extent)) * sizeof(float);
  const StepState    state;
  CUDANEURO_CUDA(cudaMemcpyAsync(buffers.state, &state, sizeof(state), cudaMemcpyHostToDevice, stream));
  CUDANEURO_CUDA(cudaMemsetAsync(buffers.terms, 0, numberOfTerms * sizeof(double), stream));
  for (float * const component : { buffers.velocity.x, buffers.velocity.y, buffers.velocity.z })
  {
    CUDANEURO_CUDA(cudaMemsetAsync(component, 0, bytes, stream));
  }
  EnqueueCopy(stream, buffers.extent, buffers.maps.second, buffers.maps.first);
}

void
FinishSteps(Context & context, const StepBuffers & buffers)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  StepState          state;
  CUDANEURO_CUDA(cudaMemcpyAsync(&state, buffers.state, sizeof(state), cudaMemcpyDeviceToHost, stream));
  CUDANEURO_CUDA(cudaStreamSynchronize(stream));
  if (state.accepted == 0)
  {
    EnqueueCopy(stream, buffers.extent, buffers.maps.first, buffers.maps.second);
  }
}

void
EnqueueVelocity(Context &, VelocitySolver & solver, const StepBuffers & buffers, bool isFirst)
{
  StepState * const state = buffers.state;
  solver.Solve(
    buffers.force, buffers.velocity, buffers.scratch, isFirst, { &state->needsVelocity, &state->largestSquaredLength });
}

void
EnqueueDifference(Context & context, const StepBuffers & buffers, const StepBuffers & other)
{
  constexpr int threads = 256;
  const auto    voxels = static_cast<int>(NumberOfVoxels(buffers.extent));
  SubtractKernel<<<DivideUp(voxels, threads), threads, 0, GpuOf(context).ComputeStream()>>>(
    voxels, other.force, buffers.force);
  CUDANEURO_CUDA_LAUNCHED("SubtractKernel");
}

bool
EnqueueVelocityEitherWay(VelocitySolver & solver, const StepBuffers & buffers, bool isFirst)
{
  StepState * const state = buffers.state;
  return solver.SolveEitherWay(
    buffers.force, buffers.velocity, buffers.scratch, isFirst, { &state->needsVelocity, &state->largestSquaredLength });
}

void
EnqueueAdvection(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const cudaStream_t stream = GpuOf(context).ComputeStream();
  const Extent &     extent = buffers.extent;
  const auto &       sigma = parameters.standardDeviations;
  const bool         smooths = sigma[0] > 0.0 || sigma[1] > 0.0 || sigma[2] > 0.0;
  AdvectionArguments arguments{};
  arguments.extent = extent;
  arguments.grid = CellGrid(extent);
  arguments.maps = buffers.maps;
  arguments.state = buffers.state;
  arguments.velocity = buffers.velocity;
  arguments.largestStep = buffers.velocitySign * static_cast<float>(parameters.maximumStep);
  arguments.output = smooths ? buffers.force : SoAField();
  EnqueueMove(stream, parameters.useDeformedGradient, arguments);
  if (smooths)
  {
    const GaussianWeights weights(sigma, velocityCut);
    const DeviceGate      gate{ &buffers.state->isRunning };
    SmoothField(context, weights, { extent, Boundary::Repeat, buffers.force, buffers.scratch, buffers.force, gate });
    constexpr int      threads = 256;
    const std::int64_t voxels = NumberOfVoxels(extent);
    const auto         copyBlocks = static_cast<unsigned int>(DivideUp(voxels, threads));
    CopyToCandidateKernel<<<copyBlocks, threads, 0, stream>>>(voxels, buffers.force, buffers.maps, buffers.state);
    CUDANEURO_CUDA_LAUNCHED("CopyToCandidateKernel");
  }
}

} // namespace cudaneuro::gpu
