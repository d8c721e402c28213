// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_Step_h
#define cudaneuro_registration_step_Step_h

#include "core/Dispatch.h"
#include "core/HostDevice.h"
#include "core/SoAField.h"
#include "registration/step/EnergyShares.h"
#include "registration/step/Velocity.h"
#include "registration/step/WorkVolumes.h"

#include <memory>
#include <vector>

/** One step of a registration: force, decision about the candidate map, velocity, advection to the next candidate, and
 * limit where the candidate's Jacobian determinant would be too small. Maps are h(x) = x + d(x), with displacements d
 * in voxels. */
namespace cudaneuro
{

struct LevelPoints;

/** How a channel's force is combined with those of other channels. The first channel comes last, because it brings the
 * bias, which is thus added to the sum of all channels: a channel that is given twice at half weight then gives the
 * bits of the channel alone, except for the rounding of energies. */
enum class ForceUse
{
  /** The only channel: writes its force. */
  Whole,
  /** The first of several channels, which comes last: adds its force to the sum, and scales the result. */
  Completed,
  /** The second channel: writes its force without ImagePair::descentScale. */
  Begun,
  /** Further channels: add their forces without it. */
  Added
};

/** \param channel 0 for the first one */
constexpr ForceUse
ForceUseOf(int channel, int numberOfChannels)
{
  if (channel == 0)
  {
    return numberOfChannels == 1 ? ForceUse::Whole : ForceUse::Completed;
  }
  return channel == 1 ? ForceUse::Begun : ForceUse::Added;
}

/** The place of a pair of images among the channels of a registration. */
struct ChannelPlace
{
  int channel = 0;
  int numberOfChannels = 1;

  ForceUse
  GetForceUse() const
  {
    return ForceUseOf(channel, numberOfChannels);
  }
};

/** Calls visit(channel) for all channels of a map in the order that ForceUse requires: the first one comes last. */
template <typename TVisit>
void
ForChannels(std::size_t numberOfChannels, const TVisit & visit)
{
  for (std::size_t channel = 1; channel < numberOfChannels; ++channel)
  {
    visit(channel);
  }
  visit(std::size_t{ 0 });
}

/** Two images on one grid, in memory of the context's device. NaN stands for "no value", which exerts no force. */
struct ImagePair
{
  Extent        extent;
  const float * moving = nullptr;
  const float * fixed = nullptr;
  /** Scales the derivative of the energy by displacements in voxels to a descent direction in mm: along each axis 1 /
   * spacing^2, times the smallest spacing squared. */
  std::array<float, 3> descentScale{ 1.0f, 1.0f, 1.0f };
  /** The output of EnqueueDeformation for the moving image, if the caller keeps it up to date; null otherwise. */
  float * deformed = nullptr;
  /** Output of the derivative by the deformed image, which it may overwrite; null for memory of the plan. */
  float * derivative = nullptr;
  /** Weight of the pair's energy in that of all channels, and factor of its force. */
  float share = 1.0f;
};

/** Rounds in which a step is shortened locally before it is halved as a whole. On brains, 3 rounds occasionally leave
 * an offending voxel; after 6 none was left. */
constexpr int limitRounds = 6;

/** Counters of a GPU's blocks while they limit a step. */
struct LimitCounts
{
  /** Number of offending voxels that each round has found. */
  int offenders[limitRounds];
  /** Number of blocks that have arrived at barriers. */
  unsigned int arrivals;
};

/** The state that one step of a pair of images passes to the next. On a GPU it lies in device memory, and the host
 * reads copies. */
struct StepState
{
  /** 0 once the level has converged: all steps return at once. */
  int isRunning = 1;
  /** 0 after a fold: the velocity is reused for a shorter step. */
  int needsVelocity = 1;
  /** Index of the last accepted map; the other one is the candidate. */
  int accepted = 0;
  int numberOfRecords = 0;
  /** Length of the step as a fraction of maximumStep, in (0, 1]. */
  float stepFraction = 1.0f;
  /** Bits of a float: the largest squared length of the velocity. */
  unsigned int largestSquaredLength = 0;
  /** Energy of the accepted map. */
  double energy = 0.0;
};

/** The evaluation of a candidate. */
struct StepRecord
{
  /** Energy of the first channel's images. */
  double imageEnergy;
  double biasEnergy;
  /** Energies of the other terms, by their places. */
  double termEnergies[numberOfTerms];
  float  minimumJacobian;
  /** Length of the next step as a fraction of maximumStep. */
  float stepFraction;
  int   hasFolded;
};

/** The displacements of the accepted map and of the candidate, which swap roles. */
struct MapPair
{
  SoAField first;
  SoAField second;

  CUDANEURO_HOST_DEVICE SoAField
  Accepted(const StepState & state) const
  {
    return Choose(state.accepted == 0, first, second);
  }
  CUDANEURO_HOST_DEVICE SoAField
  Candidate(const StepState & state) const
  {
    return Choose(state.accepted == 0, second, first);
  }

private:
  CUDANEURO_HOST_DEVICE static SoAField
  Choose(bool condition, const SoAField & a, const SoAField & b)
  {
    return { condition ? a.x : b.x, condition ? a.y : b.y, condition ? a.z : b.z };
  }
};

/** The buffers of steps, in memory of the context's device. Pairs of images whose steps are enqueued one after another
 * may share force and scratch. */
struct StepBuffers
{
  Extent   extent;
  MapPair  maps;
  SoAField force;
  SoAField velocity;
  /** -1 for a map that moves by the opposite velocity. */
  float velocitySign = 1.0f;
  /** Work memory, undefined between forces and velocity. May be the velocity unless NeedsScratch(). */
  SoAField     scratch;
  StepState *  state = nullptr;
  StepRecord * records = nullptr; // one per candidate, in order
  /** Energies of the candidate's terms besides the first channel and the bias, by their places, as their forces write
   * them: means over the grid, 0 for absent terms. Null where there are no such terms. */
  double * terms = nullptr;
  /** Counters of EnqueueLimit on a GPU. */
  LimitCounts * limitCounts = nullptr;
};

/** Whether the steps need a scratch field of their own. */
bool
NeedsScratch(const RegistrationParameters & parameters, const VelocitySolver & velocitySolver);

/** The parameters of a StepMemory. */
struct StepMemorySetting
{
  Extent extent;
  /** The given displacement, which becomes the second one of the map. */
  SoAField displacement{};
  /** The displacement to the fixed image in a symmetric registration, null otherwise. */
  SoAField toFixed{};
  int      records = 0;
  bool     needsScratch = true;
  /** Number of channels whose images are deformed for comparison, in a symmetric registration. */
  std::size_t numberOfChannels = 1;
  /** Whether some channel NeedsDerivative(), in a symmetric registration. */
  bool needsDerivative = false;
  /** Borrowed volumes, which are overwritten, and which no one else uses during the lifetime of the memory. */
  std::vector<float *> borrowed{};
};

/** Owns the buffers of the steps of one map or, in a symmetric registration, of two, except those of the setting.
 *
 * The two maps share the state and the records, as they are accepted or rejected together; the velocity, which has
 * opposite signs for them; and scratch memory: the force of each is the scratch of the other. Both forces are computed
 * before the velocity, which is computed from their difference, and are undefined afterwards. */
class StepMemory
{
public:
  /** \throws OutOfMemoryError */
  StepMemory(Context & context, const StepMemorySetting & setting);

  /** \param side 0 for the map to the moving image, 1 for the map to the fixed image */
  const StepBuffers &
  GetBuffers(std::size_t side = 0) const
  {
    return m_Sides[side];
  }

  /** The volume of a channel that keeps the second force's input until both forces have been computed; null unless
   * there are two sides. */
  float *
  GetKept(std::size_t channel) const
  {
    return m_Kept[channel];
  }
  /** A deformed image of one channel at a time; null unless there are two sides. */
  float *
  GetDeformed() const
  {
    return m_Deformed;
  }
  /** The derivative of one channel at a time; null unless a channel needs it. */
  float *
  GetDerivative() const
  {
    return m_Derivative;
  }

private:
  WorkVolumes              m_Volumes;
  DeviceMemory             m_State;
  DeviceMemory             m_LimitCounts;
  DeviceMemory             m_Records;
  DeviceMemory             m_Terms;
  std::vector<StepBuffers> m_Sides;
  std::vector<float *>     m_Kept;
  float *                  m_Deformed = nullptr;
  float *                  m_Derivative = nullptr;
};

/** The parts of a step, in the order in which an iteration runs them. The CPU computes them at once; a GPU enqueues
 * them on the compute stream, and the state on the device decides which of them are executed. */
namespace cpu
{
/** The memory that the force of a pair of images needs besides the buffers. */
struct ForcePlan;
} // namespace cpu

namespace gpu
{
struct ForcePlan;

/** EnqueueVelocity for steps that are never rejected: the new velocity may be left in scratch, which saves a copy.
 * \returns whether it is there */
bool
EnqueueVelocityEitherWay(VelocitySolver & solver, const StepBuffers & buffers, bool isFirst);
} // namespace gpu

/** Makes the second map the candidate and the first one its copy, and resets the velocity to 0 and the state. */
CUDANEURO_ON_BOTH(void StartSteps(Context & context, const StepBuffers & buffers));

/** Copies the accepted map to the second map, unless it is there. Waits for completion. */
CUDANEURO_ON_BOTH(void FinishSteps(Context & context, const StepBuffers & buffers));

/** Whether forces by a metric are computed from a volume with the derivative by the deformed image. */
CUDANEURO_ON_BOTH(bool NeedsDerivative(RegistrationMetric metric));

/** Makes the plan of a channel's force; the plan of the first channel includes the bias.
 * \throws OutOfMemoryError */
CUDANEURO_ON_BOTH(std::shared_ptr<ForcePlan> MakeForcePlan(Context &                      context,
                                                           const RegistrationParameters & parameters,
                                                           const ImagePair &              images,
                                                           const ChannelPlace &           place = {}));

/** Replaces the plan's images by others of the same extent; the derivative keeps its output. */
CUDANEURO_ON_BOTH(void ChangeImages(ForcePlan & plan, const ImagePair & images));

/** Writes the moving image deformed by the candidate; NaN where it has no value. */
CUDANEURO_ON_BOTH(void EnqueueDeformation(Context & context, const ImagePair & images, const StepBuffers & buffers));

/** Computes the derivative of the energy by each value of the deformed image, which the force of a channel needs first.
 * \param work is overwritten; may be the force, if this call comes before the forces of all channels */
CUDANEURO_ON_BOTH(void EnqueueDerivative(ForcePlan & plan, const StepBuffers & buffers, const SoAField & work));

/** Computes the energy of the candidate and the force, the gradient of the energy by the displacement. A channel after
 * the first one writes its energy among those of the terms. */
CUDANEURO_ON_BOTH(void EnqueueForce(ForcePlan & plan, const StepBuffers & buffers));

/** Adds the force of points, accepts the candidate of the last EnqueueForce or rejects it for folding, chooses the
 * length of the next step, and writes a record.
 * \param plan the plan of the first channel
 * \param points null where there are none */
CUDANEURO_ON_BOTH(void EnqueueDecision(ForcePlan &         plan,
                                       const StepBuffers & buffers,
                                       const LevelPoints * points = nullptr));

/** EnqueueDecision about two candidates at once, whose buffers share the state: their energy is the mean of their image
 * energies and terms, plus the sum of their biases. */
CUDANEURO_ON_BOTH(void EnqueueJointDecision(ForcePlan &         plan,
                                            ForcePlan &         otherPlan,
                                            const StepBuffers & buffers,
                                            const StepBuffers & other,
                                            const LevelPoints * points = nullptr));

/** Computes the velocity from the force, unless the candidate was rejected. Overwrites force and scratch. */
CUDANEURO_ON_BOTH(
  void EnqueueVelocity(Context & context, VelocitySolver & solver, const StepBuffers & buffers, bool isFirst));

/** force -= other.force, the force of two maps that move by opposite velocities, v and -v. */
CUDANEURO_ON_BOTH(void EnqueueDifference(Context & context, const StepBuffers & buffers, const StepBuffers & other));

/** Computes the next candidate: accepted - t v, or advected with useDeformedGradient, accepted(x - t v(x)) - t v(x). v
 * is the velocity with its sign, and t lets the fastest voxel move by the length of the step. The candidate is smoothed
 * as the parameters specify. Overwrites force and scratch. */
CUDANEURO_ON_BOTH(void EnqueueAdvection(Context &                      context,
                                        const RegistrationParameters & parameters,
                                        const StepBuffers &            buffers));

/** Takes the candidate back towards the accepted map around voxels whose Jacobian determinant NeedsLimit(). Overwrites
 * force. */
CUDANEURO_ON_BOTH(void EnqueueLimit(Context &                      context,
                                    const RegistrationParameters & parameters,
                                    const StepBuffers &            buffers));

} // namespace cudaneuro

#endif
