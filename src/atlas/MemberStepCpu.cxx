// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/MemberStepFormulas.h"

#include <algorithm>
#include <vector>

namespace cudaneuro::cpu
{

namespace
{

class Stepper : public MemberStepper
{
public:
  Stepper(Context & context, const StepperSetting & setting)
    : m_Context(context)
    , m_Setting(setting)
    , m_Solver(MakeVelocitySolver(context, VelocityParameters(setting.parameters, 0), setting.extent))
    , m_Plan(MakeForcePlan(context, setting.parameters, ImagesOf(setting, nullptr)))
  {}

  bool
  Step(const MemberVisit & visit) override
  {
    this->Evaluate(visit);
    const StepBuffers buffers = BuffersOf(m_Setting, visit);
    EnqueueVelocity(m_Context, *m_Solver, buffers, visit.isFirst);
    EnqueueAdvection(m_Context, m_Setting.parameters, buffers);
    this->Deform(visit);
    return false;
  }

  void
  Evaluate(const MemberVisit & visit) override
  {
    const StepBuffers buffers = BuffersOf(m_Setting, visit);
    ChangeImages(*m_Plan, ImagesOf(m_Setting, visit.moving));
    EnqueueDerivative(*m_Plan, buffers);
    EnqueueForce(*m_Plan, buffers);
    EnqueueDecision(*m_Plan, buffers);
  }

  void
  Deform(const MemberVisit & visit) override
  {
    SettleStep(this->DeformBy(visit, visit.next), *visit.state);
    if (visit.state->record.hasFolded && visit.map.x != visit.next.x)
    {
      const std::int64_t plane = std::int64_t{ m_Setting.extent.x } * m_Setting.extent.y;
      m_Context.ParallelFor(m_Setting.extent.z, [&](std::int64_t z) {
        std::copy_n(visit.map.x + z * plane, plane, visit.next.x + z * plane);
        std::copy_n(visit.map.y + z * plane, plane, visit.next.y + z * plane);
        std::copy_n(visit.map.z + z * plane, plane, visit.next.z + z * plane);
      });
      this->DeformBy(visit, visit.next);
    }
  }

private:
  MapExtremes
  DeformBy(const MemberVisit & visit, const SoAField & map)
  {
    const Extent &           extent = m_Setting.extent;
    const CellGrid           grid(extent);
    std::vector<MapExtremes> ofPlanes(static_cast<std::size_t>(extent.z), MapExtremes::Empty());
    m_Context.ParallelFor(extent.z, [&](std::int64_t plane) {
      const int    z = static_cast<int>(plane);
      std::int64_t i = plane * extent.y * extent.x;
      MapExtremes  extremes = MapExtremes::Empty();
      for (int y = 0; y < extent.y; ++y)
      {
        for (int x = 0; x < extent.x; ++x, ++i)
        {
          const float jacobian = Determinant(IdentityPlus(GradientAt<int>(map, extent, x, y, z)));
          extremes.Add(jacobian, map.x[i], map.y[i], map.z[i]);
          visit.deformed[i] = DeformedValue(grid,
                                            visit.moving,
                                            static_cast<float>(x) + map.x[i],
                                            static_cast<float>(y) + map.y[i],
                                            static_cast<float>(z) + map.z[i]);
        }
      }
      ofPlanes[static_cast<std::size_t>(z)] = extremes;
    });
    MapExtremes extremes = MapExtremes::Empty();
    for (const MapExtremes & ofPlane : ofPlanes)
    {
      extremes.Include(ofPlane);
    }
    return extremes;
  }

  Context &                       m_Context;
  StepperSetting                  m_Setting;
  std::unique_ptr<VelocitySolver> m_Solver;
  std::shared_ptr<ForcePlan>      m_Plan;
};

} // namespace

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  return std::make_unique<Stepper>(context, setting);
}

} // namespace cudaneuro::cpu
