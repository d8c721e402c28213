// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "atlas/members/MemberStepFormulas.h"
#include "core/ParallelRows.h"

#include <algorithm>
#include <array>
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
    , m_Places(setting.parameters, setting.channelOrder)
  {
    for (int place = 0; place < m_Places.GetSize(); ++place)
    {
      m_Plans.push_back(MakeForcePlan(
        context, m_Places.GetParameters(place), m_Places.GetImages(setting, place, {}), { place, m_Places.GetSize() }));
    }
  }

  bool
  Step(const MemberVisit & visit) override
  {
    this->Evaluate(visit);
    const StepBuffers buffers = this->GetBuffers(visit);
    EnqueueVelocity(m_Context, *m_Solver, buffers, visit.isFirst);
    EnqueueAdvection(m_Context, m_Setting.parameters, buffers);
    this->Deform(visit);
    return false;
  }

  void
  Evaluate(const MemberVisit & visit) override
  {
    const StepBuffers buffers = this->GetBuffers(visit);
    for (std::size_t place = 0; place < m_Plans.size(); ++place)
    {
      ChangeImages(*m_Plans[place], m_Places.GetImages(m_Setting, static_cast<int>(place), visit.moving));
      EnqueueDerivative(*m_Plans[place], buffers, buffers.force);
    }
    ForChannels(m_Plans.size(), [&](std::size_t place) { EnqueueForce(*m_Plans[place], buffers); });
    EnqueueDecision(*m_Plans[0], buffers);
  }

  void
  Deform(const MemberVisit & visit) override
  {
    SettleStep(this->ExtremesOf(visit.next), *visit.state);
    if (visit.state->record.hasFolded && visit.map.x != visit.next.x)
    {
      const std::int64_t plane = std::int64_t{ m_Setting.extent.x } * m_Setting.extent.y;
      m_Context.ParallelFor(m_Setting.extent.z, [&](std::int64_t z) {
        std::copy_n(visit.map.x + z * plane, plane, visit.next.x + z * plane);
        std::copy_n(visit.map.y + z * plane, plane, visit.next.y + z * plane);
        std::copy_n(visit.map.z + z * plane, plane, visit.next.z + z * plane);
      });
    }
    for (std::size_t channel = 0; channel < visit.moving.size() && visit.moving[channel] != nullptr; ++channel)
    {
      this->DeformImage(visit.moving[channel], visit.next, visit.deformed[channel]);
    }
  }

private:
  StepBuffers
  GetBuffers(const MemberVisit & visit)
  {
    return BuffersOf(m_Setting, visit, m_Places.GetSize() > 1 ? m_Terms.data() : nullptr);
  }

  /** One function for all channels: if the loop were compiled twice, it could round the same image in two ways. */
  void
  DeformImage(const float * moving, const SoAField & map, float * deformed)
  {
    const Extent & extent = m_Setting.extent;
    const CellGrid grid(extent);
    ParallelRows(extent).Run(m_Context, [&](std::int64_t, int y, int z, std::int64_t first) {
      for (int x = 0; x < extent.x; ++x)
      {
        const std::int64_t i = first + x;
        deformed[i] = DeformedValue(grid,
                                    moving,
                                    static_cast<float>(x) + map.x[i],
                                    static_cast<float>(y) + map.y[i],
                                    static_cast<float>(z) + map.z[i]);
      }
    });
  }

  MapExtremes
  ExtremesOf(const SoAField & map)
  {
    const Extent &           extent = m_Setting.extent;
    std::vector<MapExtremes> ofPlanes(static_cast<std::size_t>(extent.z), MapExtremes::Empty());
    m_Context.ParallelFor(extent.z, [&](std::int64_t plane) {
      MapExtremes extremes = MapExtremes::Empty();
      VectorDispatch([&] {
        const int    z = static_cast<int>(plane);
        std::int64_t i = plane * extent.y * extent.x;
        for (int y = 0; y < extent.y; ++y)
        {
          for (int x = 0; x < extent.x; ++x, ++i)
          {
            const float jacobian = Determinant(IdentityPlus(GradientAt<int>(map, extent, x, y, z)));
            extremes.Add(jacobian, map.x[i], map.y[i], map.z[i]);
          }
        }
      });
      ofPlanes[static_cast<std::size_t>(plane)] = extremes;
    });
    MapExtremes extremes = MapExtremes::Empty();
    for (const MapExtremes & ofPlane : ofPlanes)
    {
      extremes.Include(ofPlane);
    }
    return extremes;
  }

  Context &                               m_Context;
  StepperSetting                          m_Setting;
  std::unique_ptr<VelocitySolver>         m_Solver;
  ChannelPlaces                           m_Places;
  std::vector<std::shared_ptr<ForcePlan>> m_Plans; // one per place
  std::array<double, numberOfTerms>       m_Terms{};
};

} // namespace

std::unique_ptr<MemberStepper>
MakeMemberStepper(Context & context, const StepperSetting & setting)
{
  return std::make_unique<Stepper>(context, setting);
}

} // namespace cudaneuro::cpu
