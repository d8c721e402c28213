// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/step/Step.h"

#include "core/ParallelRows.h"
#include "fields/CellSampler.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "registration/step/PointTermFormulas.h"
#include "registration/step/RegistrationForceCpu.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

void
CopyField(Context & context, const Extent & extent, const ConstSoAField & from, const SoAField & to)
{
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    std::copy_n(from.x + z * plane, plane, to.x + z * plane);
    std::copy_n(from.y + z * plane, plane, to.y + z * plane);
    std::copy_n(from.z + z * plane, plane, to.z + z * plane);
  });
}

/** The largest squared length of the vectors of a field. */
float
LargestSquare(Context & context, const Extent & extent, const ConstSoAField & field)
{
  std::vector<float> largest(static_cast<std::size_t>(extent.z), 0.0f);
  const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    float square = 0.0f;
    for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
    {
      square = std::max(square, field.x[i] * field.x[i] + field.y[i] * field.y[i] + field.z[i] * field.z[i]);
    }
    largest[static_cast<std::size_t>(z)] = square;
  });
  return *std::max_element(largest.begin(), largest.end());
}

/** to(x) = from(x - t v(x)) - t v(x) */
void
Advect(Context &             context,
       const Extent &        extent,
       const ConstSoAField & velocity,
       float                 time,
       const ConstSoAField & from,
       const SoAField &      to)
{
  const CellGrid grid(extent);
  ParallelRows(extent).Run(context, [&](std::int64_t, int y, int z, std::int64_t first) {
    for (int x = 0; x < extent.x; ++x)
    {
      const std::int64_t i = first + x;
      const float        dx = time * velocity.x[i];
      const float        dy = time * velocity.y[i];
      const float        dz = time * velocity.z[i];
      const Cell         cell =
        Cell::Nearest(grid, static_cast<float>(x) - dx, static_cast<float>(y) - dy, static_cast<float>(z) - dz);
      to.x[i] = cell.Interpolate(grid, from.x) - dx;
      to.y[i] = cell.Interpolate(grid, from.y) - dy;
      to.z[i] = cell.Interpolate(grid, from.z) - dz;
    }
  });
}

/** Adds the force of the points to that of a side, and writes their energy among those of the terms.
 * \param others the other side's map in a symmetric registration, otherwise null */
void
AddPoints(const LevelPoints & points, const StepBuffers & buffers, const MapPair * others)
{
  const PointMaps maps = PointMapsOf(*buffers.state, buffers.maps, others, buffers.velocitySign);
  double          energy = 0.0;
  for (int i = 0; i < points.numberOfPoints; ++i)
  {
    energy += EnergyOfPoint(points, i, maps);
  }
  for (int i = 0; i < points.numberOfVoxels; ++i)
  {
    float added[3];
    PointForcesAt(points, i, maps, added);
    AddForce(points.voxels[i], added, buffers.force);
  }
  buffers.terms[pointTerm] = energy;
}

/** to = a + factor b */
void
Combine(Context &             context,
        const Extent &        extent,
        const ConstSoAField & a,
        float                 factor,
        const ConstSoAField & b,
        const SoAField &      to)
{
  const float * const as[3] = { a.x, a.y, a.z };
  const float * const bs[3] = { b.x, b.y, b.z };
  float * const       targets[3] = { to.x, to.y, to.z };
  const std::int64_t  plane = std::int64_t{ extent.x } * extent.y;
  context.ParallelFor(extent.z, [&](std::int64_t z) {
    for (int component = 0; component < 3; ++component)
    {
      for (std::int64_t i = z * plane; i < (z + 1) * plane; ++i)
      {
        targets[component][i] = as[component][i] + factor * bs[component][i];
      }
    }
  });
}

} // namespace

struct ForcePlan
{
  Context &                      context;
  const RegistrationParameters & parameters;
  ImagePair                      images;
  DecisionParameters             decision;
  DeviceMemory                   own; // for the derivative, unless the images provide its output
  float *                        derivative = nullptr;
  ForceSums                      sums = ForceSums::Empty();
  double                         derivativeEnergy = 0.0; // result of EnqueueDerivative
  ChannelPlace                   place;
};

bool
NeedsDerivative(RegistrationMetric metric)
{
  return metric != RegistrationMetric::MeanSquares;
}

std::shared_ptr<ForcePlan>
MakeForcePlan(Context &                      context,
              const RegistrationParameters & parameters,
              const ImagePair &              images,
              const ChannelPlace &           place)
{
  DeviceMemory own;
  float *      derivative = images.derivative;
  if (NeedsDerivative(parameters.metric) && derivative == nullptr)
  {
    own = context.Allocate(static_cast<std::size_t>(NumberOfVoxels(images.extent)) * sizeof(float));
    derivative = static_cast<float *>(own.Data());
  }
  return std::make_shared<ForcePlan>(ForcePlan{
    context, parameters, images, { parameters, images.extent }, own, derivative, ForceSums::Empty(), 0.0, place });
}

void
ChangeImages(ForcePlan & plan, const ImagePair & images)
{
  plan.images = images;
}

void
EnqueueDerivative(ForcePlan & plan, const StepBuffers & buffers, const SoAField &)
{
  if (!buffers.state->isRunning)
  {
    return;
  }
  Context &      context = plan.context;
  const SoAField candidate = buffers.maps.Candidate(*buffers.state);
  if (plan.parameters.metric == RegistrationMetric::LocalCorrelation)
  {
    plan.derivativeEnergy =
      DeformedCorrelation(context, plan.parameters.correlationRadius, plan.images, candidate, plan.derivative);
  }
  else if (plan.parameters.metric == RegistrationMetric::MutualInformation)
  {
    plan.derivativeEnergy =
      DeformedInformation(context, plan.parameters.numberOfHistogramBins, plan.images, candidate, plan.derivative);
  }
}

void
EnqueueForce(ForcePlan & plan, const StepBuffers & buffers)
{
  if (!buffers.state->isRunning)
  {
    return;
  }
  plan.sums = RegistrationForce(plan.context,
                                plan.parameters,
                                plan.images,
                                buffers.maps.Candidate(*buffers.state),
                                plan.derivative,
                                buffers.force,
                                plan.place.GetForceUse());
  plan.sums.imageEnergy += plan.derivativeEnergy;
  if (plan.place.channel > 0)
  {
    buffers.terms[plan.place.channel - 1] = MeanImageEnergy(plan.decision, plan.sums);
  }
}

void
EnqueueDecision(ForcePlan & plan, const StepBuffers & buffers, const LevelPoints * points)
{
  if (buffers.state->isRunning)
  {
    if (points != nullptr)
    {
      AddPoints(*points, buffers, nullptr);
    }
    DecideStep(plan.decision, plan.sums, { buffers.terms }, *buffers.state, buffers.records);
  }
}

void
EnqueueJointDecision(ForcePlan &         plan,
                     ForcePlan &         otherPlan,
                     const StepBuffers & buffers,
                     const StepBuffers & other,
                     const LevelPoints * points)
{
  if (buffers.state->isRunning)
  {
    if (points != nullptr)
    {
      AddPoints(*points, buffers, &other.maps);
      AddPoints(*points, other, &buffers.maps);
    }
    const TermEnergies terms{ buffers.terms, other.terms };
    DecideStep(plan.decision, JoinHalves(plan.sums, otherPlan.sums), terms, *buffers.state, buffers.records);
  }
}

void
EnqueueDeformation(Context & context, const ImagePair & images, const StepBuffers & buffers)
{
  if (buffers.state->isRunning)
  {
    ImagePair alone = images;
    alone.fixed = nullptr;
    DeformImage(context, alone, buffers.maps.Candidate(*buffers.state), images.deformed);
  }
}

void
StartSteps(Context & context, const StepBuffers & buffers)
{
  *buffers.state = StepState();
  std::fill_n(buffers.terms, numberOfTerms, 0.0);
  const SoAField &   velocity = buffers.velocity;
  const std::int64_t plane = std::int64_t{ buffers.extent.x } * buffers.extent.y;
  context.ParallelFor(buffers.extent.z, [&](std::int64_t z) {
    for (float * const component : { velocity.x, velocity.y, velocity.z })
    {
      std::fill_n(component + z * plane, plane, 0.0f);
    }
  });
  CopyField(context, buffers.extent, buffers.maps.second, buffers.maps.first);
}

void
FinishSteps(Context & context, const StepBuffers & buffers)
{
  if (buffers.state->accepted == 0)
  {
    CopyField(context, buffers.extent, buffers.maps.first, buffers.maps.second);
  }
}

void
EnqueueVelocity(Context & context, VelocitySolver & solver, const StepBuffers & buffers, bool isFirst)
{
  StepState & state = *buffers.state;
  if (state.needsVelocity)
  {
    solver.Solve(buffers.force, buffers.velocity, buffers.scratch, isFirst);
    const float square = LargestSquare(context, buffers.extent, buffers.velocity);
    std::memcpy(&state.largestSquaredLength, &square, sizeof(square));
  }
}

void
EnqueueDifference(Context & context, const StepBuffers & buffers, const StepBuffers & other)
{
  Combine(context, buffers.extent, buffers.force, -1.0f, other.force, buffers.force);
}

void
EnqueueAdvection(Context & context, const RegistrationParameters & parameters, const StepBuffers & buffers)
{
  const StepState & state = *buffers.state;
  if (!state.isRunning)
  {
    return;
  }
  float square = 0.0f;
  std::memcpy(&square, &state.largestSquaredLength, sizeof(square));
  const float largest = std::sqrt(square);
  // Without a velocity, the map keeps its bits.
  const float    step = buffers.velocitySign * static_cast<float>(parameters.maximumStep) * state.stepFraction;
  const float    time = largest > 0.0f ? step / largest : 0.0f;
  const SoAField candidate = buffers.maps.Candidate(state);
  if (parameters.useDeformedGradient)
  {
    Advect(context, buffers.extent, buffers.velocity, time, buffers.maps.Accepted(state), candidate);
  }
  else
  {
    Combine(context, buffers.extent, buffers.maps.Accepted(state), -time, buffers.velocity, candidate);
  }
  const auto & sigma = parameters.standardDeviations;
  if (std::any_of(sigma.begin(), sigma.end(), [](double value) { return value > 0.0; }))
  {
    const GaussianWeights weights(sigma, velocityCut);
    SmoothField(context, weights, { buffers.extent, Boundary::Repeat, candidate, buffers.scratch, candidate, {} });
  }
}

} // namespace cudaneuro::cpu
