// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelSteps_h
#define cudaneuro_registration_LevelSteps_h

#include "registration/LabelTerm.h"
#include "registration/LevelSolver.h"
#include "registration/PointTerm.h"

#include <utility>
#include <vector>

namespace cudaneuro
{

/** The parts of a step on the CPU. */
struct CpuSteps
{
  using Plan = cpu::ForcePlan;
  static constexpr auto makePlan = cpu::MakeForcePlan;
  static constexpr auto changeImages = cpu::ChangeImages;
  static constexpr auto start = cpu::StartSteps;
  static constexpr auto deform = cpu::EnqueueDeformation;
  static constexpr auto derivative = cpu::EnqueueDerivative;
  static constexpr auto force = cpu::EnqueueForce;
  static constexpr auto pointForce = cpu::EnqueuePointForce;
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

/** The parts of a step on a GPU. */
struct GpuSteps
{
  using Plan = gpu::ForcePlan;
  static constexpr auto makePlan = gpu::MakeForcePlan;
  static constexpr auto changeImages = gpu::ChangeImages;
  static constexpr auto start = gpu::StartSteps;
  static constexpr auto deform = gpu::EnqueueDeformation;
  static constexpr auto derivative = gpu::EnqueueDerivative;
  static constexpr auto force = gpu::EnqueueForce;
  static constexpr auto pointForce = gpu::EnqueuePointForce;
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

/** The steps of the map to the moving image, and of that to the fixed one, if both move. */
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
                 problem.borrowed })
  {
    m_Sides.resize(problem.toFixed.x != nullptr ? 2 : 1);
    // Plans keep references to them.
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

  /** \param side 0 for the map to the moving image, 1 for that to the fixed one. They share the state. */
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

  /** Forces on the candidates, and the decision about them. */
  void
  Evaluate()
  {
    if (m_Sides.size() > 1)
    {
      this->DeformImages();
    }
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      this->AddUpForces(side);
    }
    if (m_Labels)
    {
      const StepBuffers * const toFixed = m_Sides.size() > 1 ? &this->GetBuffers(1) : nullptr;
      TDevice::labelForce(*m_Labels, this->GetBuffers(0), toFixed, this->GetBuffers(0).terms + labelTerm);
    }
    if (m_Sides.size() > 1)
    {
      TDevice::jointDecision(this->FirstPlan(0), this->FirstPlan(1), this->GetBuffers(0), this->GetBuffers(1));
    }
    else
    {
      TDevice::decision(this->FirstPlan(0), this->GetBuffers());
    }
  }

  /** The next candidates. Two maps move by opposite velocities: if both could move alike, the energy, which is a mean
   * over the middle grid, would fall when what is alike grew there and what is not alike shrank. */
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
  /** The images of a channel that a map deforms and compares. */
  struct Channel
  {
    ImagePair                               images;
    std::shared_ptr<typename TDevice::Plan> plan;
  };
  /** What a map of a level deforms, first channel first. */
  using Side = std::vector<Channel>;

  typename TDevice::Plan &
  FirstPlan(std::size_t side)
  {
    return *m_Sides[side].front().plan;
  }

  /** Adds a channel to the map to the moving image and, where both images move, with roles swapped to the other one. */
  void
  AddChannel(const ImagePair & images)
  {
    const ChannelPlace place{ static_cast<int>(m_ChannelParameters.size()), m_NumberOfChannels };
    m_ChannelParameters.push_back(ParametersOfChannel(m_Parameters, place.channel));
    const RegistrationParameters & parameters = m_ChannelParameters.back();
    m_Sides[0].push_back({ images, TDevice::makePlan(m_Context, parameters, images, nullptr, place) });
    if (m_Sides.size() > 1)
    {
      ImagePair swapped = images;
      std::swap(swapped.moving, swapped.fixed);
      const auto * const plan = m_Sides[0].back().plan.get();
      m_Sides[1].push_back({ swapped, TDevice::makePlan(m_Context, parameters, swapped, plan, place) });
      this->CompareDeformedImages(m_Sides[0].size() - 1);
    }
  }

  /** Compares each deformed image of a channel with the other one. */
  void
  CompareDeformedImages(std::size_t channel)
  {
    for (std::size_t side = 0; side < 2; ++side)
    {
      ImagePair compared = m_Sides[side][channel].images;
      compared.fixed = m_Memory.GetDeformed(1 - side, channel);
      compared.deformed = m_Memory.GetDeformed(side, channel);
      TDevice::changeImages(*m_Sides[side][channel].plan, compared);
    }
  }

  /** Deforms the images of both sides before either force, so that no map goes before the other. */
  void
  DeformImages()
  {
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      for (std::size_t channel = 0; channel < m_Sides[side].size(); ++channel)
      {
        ImagePair alone = m_Sides[side][channel].images;
        alone.fixed = nullptr;
        TDevice::deform(m_Context, alone, this->GetBuffers(side), m_Memory.GetDeformed(side, channel));
      }
    }
  }

  /** The force of all terms but the labels on the map of a side. */
  void
  AddUpForces(std::size_t side)
  {
    const StepBuffers & buffers = this->GetBuffers(side);
    const auto          planOf = [&](std::size_t channel) -> auto &
    {
      return *m_Sides[side][channel].plan;
    };
    ForForcesOfChannels(
      m_Sides[side].size(),
      [&](std::size_t channel) { TDevice::derivative(planOf(channel), buffers); },
      [&](std::size_t channel) { TDevice::force(planOf(channel), buffers); });
    if (m_Points != nullptr)
    {
      const MapPair * const others = m_Sides.size() > 1 ? &this->GetBuffers(1 - side).maps : nullptr;
      TDevice::pointForce(m_Context, *m_Points, buffers, others);
    }
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
};

} // namespace cudaneuro

#endif
