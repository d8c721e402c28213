// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_LevelSteps_h
#define cudaneuro_registration_LevelSteps_h

#include "registration/LevelSolver.h"

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
  static constexpr auto force = cpu::EnqueueForce;
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
  static constexpr auto force = gpu::EnqueueForce;
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
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(parameters, problem.level), problem.images.extent))
    , m_Memory(context,
               { problem.images.extent,
                 displacement,
                 problem.toFixed,
                 problem.iterations + 1,
                 NeedsScratch(parameters, *m_Solver),
                 problem.borrowed })
  {
    m_Sides.push_back({ problem.images, TDevice::makePlan(context, parameters, problem.images, nullptr) });
    if (problem.toFixed.x != nullptr)
    {
      ImagePair swapped = problem.images;
      std::swap(swapped.moving, swapped.fixed);
      m_Sides.push_back({ swapped, TDevice::makePlan(context, parameters, swapped, m_Sides[0].plan.get()) });
      this->CompareDeformedImages();
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
      // Both before either force, so that no map goes before the other.
      for (std::size_t side = 0; side < m_Sides.size(); ++side)
      {
        ImagePair alone = m_Sides[side].images;
        alone.fixed = nullptr;
        TDevice::deform(m_Context, alone, this->GetBuffers(side), m_Memory.GetDeformed(side));
      }
    }
    for (std::size_t side = 0; side < m_Sides.size(); ++side)
    {
      TDevice::force(*m_Sides[side].plan, this->GetBuffers(side));
    }
    if (m_Sides.size() > 1)
    {
      TDevice::jointDecision(*m_Sides[0].plan, *m_Sides[1].plan, this->GetBuffers());
    }
    else
    {
      TDevice::decision(*m_Sides[0].plan, this->GetBuffers());
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
  /** A map of a level, and the image that it deforms. */
  struct Side
  {
    ImagePair                               images;
    std::shared_ptr<typename TDevice::Plan> plan;
  };

  /** Compares each deformed image with the other one. */
  void
  CompareDeformedImages()
  {
    for (std::size_t index = 0; index < 2; ++index)
    {
      ImagePair compared = m_Sides[index].images;
      compared.fixed = m_Memory.GetDeformed(1 - index);
      compared.deformed = m_Memory.GetDeformed(index);
      TDevice::changeImages(*m_Sides[index].plan, compared);
    }
  }

  Context &                       m_Context;
  const RegistrationParameters &  m_Parameters;
  std::unique_ptr<VelocitySolver> m_Solver;
  StepMemory                      m_Memory;
  std::vector<Side>               m_Sides;
};

} // namespace cudaneuro

#endif
