// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelSteps_h
#define cudaneuro_registration_LevelSteps_h

#include "registration/labels/LabelTerm.h"
#include "registration/LevelSolver.h"
#include "registration/step/PointTerm.h"

#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace cudaneuro
{

/** The parts of a step, implemented on the CPU. */
struct CpuSteps
{
  using Plan = cpu::ForcePlan;
  static constexpr auto needsDerivative = cpu::NeedsDerivative;
  static constexpr auto makePlan = cpu::MakeForcePlan;
  static constexpr auto start = cpu::StartSteps;
  static constexpr auto deform = cpu::EnqueueDeformation;
  static constexpr auto derivative = cpu::EnqueueDerivative;
  static constexpr auto force = cpu::EnqueueForce;
  using LabelPlan = cpu::LabelPlan;
  static constexpr auto makeLabelPlan = cpu::MakeLabelPlan;
  static constexpr auto labelForce = cpu::EnqueueLabelForce;
  static constexpr auto decision = cpu::EnqueueDecision;
  static constexpr auto jointDecision = cpu::EnqueueJointDecision;
  static constexpr auto difference = cpu::EnqueueDifference;
  static constexpr auto velocity = cpu::EnqueueVelocity;
  static constexpr auto advection = cpu::EnqueueAdvection;
  static constexpr auto limit = cpu::EnqueueLimit;
  static constexpr auto finish = cpu::FinishSteps;
};

/** The parts of a step, implemented on a GPU. */
struct GpuSteps
{
  using Plan = gpu::ForcePlan;
  static constexpr auto needsDerivative = gpu::NeedsDerivative;
  static constexpr auto makePlan = gpu::MakeForcePlan;
  static constexpr auto start = gpu::StartSteps;
  static constexpr auto deform = gpu::EnqueueDeformation;
  static constexpr auto derivative = gpu::EnqueueDerivative;
  static constexpr auto force = gpu::EnqueueForce;
  using LabelPlan = gpu::LabelPlan;
  static constexpr auto makeLabelPlan = gpu::MakeLabelPlan;
  static constexpr auto labelForce = gpu::EnqueueLabelForce;
  static constexpr auto decision = gpu::EnqueueDecision;
  static constexpr auto jointDecision = gpu::EnqueueJointDecision;
  static constexpr auto difference = gpu::EnqueueDifference;
  static constexpr auto velocity = gpu::EnqueueVelocity;
  static constexpr auto advection = gpu::EnqueueAdvection;
  static constexpr auto limit = gpu::EnqueueLimit;
  static constexpr auto finish = gpu::FinishSteps;
};

/** The steps of the map to the moving image and, in a symmetric registration, of the map to the fixed image. */
template <typename TDevice>
class LevelSteps
{
public:
  LevelSteps(Context &                      context,
             const RegistrationParameters & parameters,
             const LevelProblem &           problem,
             const SoAField &               displacement)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_NumberOfChannels(static_cast<int>(problem.channels.size()))
    , m_Points(problem.points)
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(parameters, problem.level), problem.extent))
    , m_Memory(context,
               { problem.extent,
                 displacement,
                 problem.toFixed,
                 problem.iterations + 1,
                 NeedsScratch(parameters, *m_Solver),
                 problem.channels.size(),
                 SomeNeedDerivative(parameters),
                 problem.borrowed })
  {
    m_Sides.resize(problem.toFixed.x != nullptr ? 2 : 1);
    // Plans keep references to the elements.
    m_ChannelParameters.reserve(problem.channels.size());
    for (const ImagePair & images : problem.channels)
    {
      this->AddChannel(images);
    }
    if (problem.labels != nullptr)
    {
      m_Labels = TDevice::makeLabelPlan(context, *problem.labels);
    }
  }

  /** \param side 0 for the map to the moving image, 1 for the map to the fixed image; both share the state. */
  const StepBuffers &
  GetBuffers(std::size_t side = 0) const
  {
    return m_Memory.GetBuffers(side);
  }

  void
  Start()
  {
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      TDevice::start(m_Context, this->GetBuffers(side));
    }
  }

  void
  Finish()
  {
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      TDevice::finish(m_Context, this->GetBuffers(side));
    }
  }

  /** Computes the forces on the candidates, and decides about them. */
  void
  Evaluate()
  {
    if (m_Sides.size() > 1)
    {
      this->AddUpForcesOfBoth();
    }
    else
    {
      this->AddUpForces();
    }
    if (m_Labels)
    {
      const StepBuffers * const toFixed = m_Sides.size() > 1 ? &this->GetBuffers(1) : nullptr;
      TDevice::labelForce(*m_Labels, this->GetBuffers(0), toFixed, this->GetBuffers(0).terms + labelTerm);
    }
    if (m_Sides.size() > 1)
    {
      TDevice::jointDecision(*m_Sides[0][0], *m_Sides[1][0], this->GetBuffers(0), this->GetBuffers(1), m_Points);
    }
    else
    {
      TDevice::decision(*m_Sides[0][0], this->GetBuffers(), m_Points);
    }
  }

  /** Computes the next candidates. Two maps move by opposite velocities: a common one could lower the energy, a mean
   * over the middle grid, by expanding similar regions and shrinking dissimilar ones. */
  void
  Move(bool isFirst)
  {
    if (m_Sides.size() > 1)
    {
      TDevice::difference(m_Context, this->GetBuffers(0), this->GetBuffers(1));
    }
    TDevice::velocity(m_Context, *m_Solver, this->GetBuffers(0), isFirst);
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      TDevice::advection(m_Context, m_Parameters, this->GetBuffers(side));
      TDevice::limit(m_Context, m_Parameters, this->GetBuffers(side));
    }
  }

private:
  /** The plans of the channels for one map, first channel first. */
  using Side = std::vector<std::shared_ptr<typename TDevice::Plan>>;

  static bool
  SomeNeedDerivative(const RegistrationParameters & parameters)
  {
    for (int channel = 0; channel <= static_cast<int>(parameters.furtherChannels.size()); ++channel)
    {
      if (TDevice::needsDerivative(DescriptionOfChannel(parameters, channel).metric))
      {
        return true;
      }
    }
    return false;
  }

  void
  AddChannel(const ImagePair & images)
  {
    const ChannelPlace place{ static_cast<int>(m_ChannelParameters.size()), m_NumberOfChannels };
    m_ChannelParameters.push_back(ParametersOfChannel(m_Parameters, place.channel));
    const RegistrationParameters & parameters = m_ChannelParameters.back();
    if (m_Sides.size() == 1)
    {
      m_Sides[0].push_back(TDevice::makePlan(m_Context, parameters, images, place));
      return;
    }
    m_Compared.push_back(this->SidesOf(images, parameters.metric, m_Compared.size()));
    for (std::size_t side = 0; side < 2; ++side)
    {
      m_Sides[side].push_back(TDevice::makePlan(m_Context, parameters, m_Compared.back()[side], place));
    }
  }

  /** The images of a channel as each side compares them: its own deformed image with the other's. The second side's
   * force follows when other channels' images have been deformed. It needs its derivative, or else the first side's
   * image: the channel keeps a volume for that. */
  std::array<ImagePair, 2>
  SidesOf(const ImagePair & images, RegistrationMetric metric, std::size_t channel) const
  {
    std::array<ImagePair, 2> sides{ images, images };
    sides[1].moving = images.fixed;
    sides[0].deformed = m_Memory.GetDeformed();
    sides[1].deformed = m_Memory.GetKept(channel);
    if (TDevice::needsDerivative(metric))
    {
      sides[0].derivative = m_Memory.GetDerivative();
      sides[1].derivative = sides[1].deformed;
    }
    else
    {
      std::swap(sides[0].deformed, sides[1].deformed);
    }
    sides[0].fixed = sides[1].deformed;
    sides[1].fixed = sides[0].deformed;
    return sides;
  }

  /** Computes the force of all channels on the only map. */
  void
  AddUpForces()
  {
    const StepBuffers & buffers = this->GetBuffers();
    for (const auto & plan : m_Sides[0])
    {
      TDevice::derivative(*plan, buffers, buffers.force);
    }
    ForChannels(m_Sides[0].size(), [&](std::size_t channel) { TDevice::force(*m_Sides[0][channel], buffers); });
  }

  /** Computes the forces of all channels on both maps before either moves, so that neither image is privileged. While
   * the first map's force is summed over the channels, the second map's force serves as work memory. */
  void
  AddUpForcesOfBoth()
  {
    const StepBuffers & first = this->GetBuffers(0);
    const StepBuffers & second = this->GetBuffers(1);
    ForChannels(m_Compared.size(), [&](std::size_t channel) {
      TDevice::deform(m_Context, m_Compared[channel][0], first);
      TDevice::deform(m_Context, m_Compared[channel][1], second);
      TDevice::derivative(*m_Sides[0][channel], first, second.force);
      TDevice::force(*m_Sides[0][channel], first);
      TDevice::derivative(*m_Sides[1][channel], second, second.force);
    });
    ForChannels(m_Compared.size(), [&](std::size_t channel) { TDevice::force(*m_Sides[1][channel], second); });
  }

  Context &                                    m_Context;
  const RegistrationParameters &               m_Parameters;
  std::vector<RegistrationParameters>          m_ChannelParameters;
  int                                          m_NumberOfChannels;
  const LevelPoints *                          m_Points;
  std::unique_ptr<VelocitySolver>              m_Solver;
  std::shared_ptr<typename TDevice::LabelPlan> m_Labels;
  StepMemory                                   m_Memory;
  std::vector<Side>                            m_Sides;
  std::vector<std::array<ImagePair, 2>>        m_Compared; // only where two maps move
};

} // namespace cudaneuro

#endif
