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
  static constexpr auto opposite = cpu::EnqueueOpposite;
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
  static constexpr auto opposite = gpu::EnqueueOpposite;
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
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(parameters), problem.images.extent))
  {
    this->AddSide(problem.images, displacement, problem.iterations + 1);
    if (problem.toFixed.x != nullptr)
    {
      ImagePair swapped = problem.images;
      std::swap(swapped.moving, swapped.fixed);
      this->AddSide(swapped, problem.toFixed, problem.iterations + 1);
      this->JoinSides();
    }
  }

  /** \param side 0 for the map to the moving image, 1 for that to the fixed one. They share the state. */
  const StepBuffers &
  GetBuffers(std::size_t side = 0) const
  {
    return m_Sides[side].buffers;
  }

  void
  Start()
  {
    for (const Side & side : m_Sides)
    {
      TDevice::start(m_Context, side.buffers);
    }
  }

  void
  Finish()
  {
    for (const Side & side : m_Sides)
    {
      TDevice::finish(m_Context, side.buffers);
    }
  }

  /** Forces on the candidates, and the decision about them. */
  void
  Evaluate()
  {
    if (m_Sides.size() > 1)
    {
      // Both before either force, so that no map goes before the other.
      for (const Side & side : m_Sides)
      {
        ImagePair alone = side.images;
        alone.fixed = nullptr;
        TDevice::deform(m_Context, alone, side.buffers, static_cast<float *>(side.deformed.Data()));
      }
    }
    for (const Side & side : m_Sides)
    {
      TDevice::force(*side.plan, side.buffers);
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
    const StepBuffers & first = this->GetBuffers();
    if (m_Sides.size() > 1)
    {
      TDevice::difference(m_Context, first, m_Sides[1].buffers);
    }
    TDevice::velocity(m_Context, *m_Solver, first, isFirst);
    if (m_Sides.size() > 1)
    {
      TDevice::opposite(m_Context, first, m_Sides[1].buffers);
    }
    for (const Side & side : m_Sides)
    {
      TDevice::advection(m_Context, m_Parameters, side.buffers);
      TDevice::limit(m_Context, m_Parameters, side.buffers);
    }
  }

private:
  /** A map of a level, and the image that it deforms. */
  struct Side
  {
    ImagePair                               images;
    std::shared_ptr<typename TDevice::Plan> plan;
    StepMemory                              memory;
    StepBuffers                             buffers;
    /** The image deformed by the candidate, if another map is compared with it. */
    DeviceMemory deformed;
  };

  void
  AddSide(const ImagePair & images, const SoAField & displacement, int records)
  {
    const StepMemory memory(m_Context, images.extent, displacement, records, NeedsScratch(m_Parameters, *m_Solver));
    m_Sides.push_back({ images, TDevice::makePlan(m_Context, m_Parameters, images), memory, memory.GetBuffers(), {} });
  }

  /** Compares each deformed image with the other one, and lets both maps share one length of the step. */
  void
  JoinSides()
  {
    for (Side & side : m_Sides)
    {
      side.buffers.state = m_Sides[0].buffers.state;
      side.deformed = m_Context.Allocate(static_cast<std::size_t>(NumberOfVoxels(side.images.extent)) * sizeof(float));
    }
    for (std::size_t index = 0; index < 2; ++index)
    {
      ImagePair compared = m_Sides[index].images;
      compared.fixed = static_cast<const float *>(m_Sides[1 - index].deformed.Data());
      TDevice::changeImages(*m_Sides[index].plan, compared);
    }
  }

  Context &                       m_Context;
  const RegistrationParameters &  m_Parameters;
  std::unique_ptr<VelocitySolver> m_Solver;
  std::vector<Side>               m_Sides;
};

} // namespace cudaneuro

#endif
