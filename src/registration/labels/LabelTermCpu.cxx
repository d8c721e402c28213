// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/labels/LabelTerm.h"

#include "registration/labels/LabelTermFormulas.h"

#include <numeric>

namespace cudaneuro::cpu
{

struct LabelPlan
{
  Context & context;
  LabelTerm term;
};

namespace
{

/** A voxel: its position on the grid and its index in memory. */
struct GridVoxel
{
  int          x;
  int          y;
  int          z;
  std::int64_t i;
};

/** Reads the labels of a map at deformed positions, and adds to the force on it. */
class MovingLabels
{
public:
  MovingLabels(const CellGrid & grid, const std::uint16_t * labels, const StepBuffers & buffers)
    : m_Grid(grid)
    , m_Labels(labels)
    , m_Displacement(buffers.maps.Candidate(*buffers.state))
    , m_Force(buffers.force)
  {}

  /** Finds the labels around the deformed position. \returns whether the position is on the grid */
  bool
  Read(const GridVoxel & voxel, DeformedLabels & labels) const
  {
    const float x = static_cast<float>(voxel.x) + m_Displacement.x[voxel.i];
    const float y = static_cast<float>(voxel.y) + m_Displacement.y[voxel.i];
    const float z = static_cast<float>(voxel.z) + m_Displacement.z[voxel.i];
    if (!m_Grid.Contains(x, y, z))
    {
      return false;
    }
    labels.cell = Cell(m_Grid, x, y, z);
    labels.corners = CornerLabels(m_Grid, labels.cell, m_Labels);
    return true;
  }

  void
  Add(const GridVoxel & voxel, const std::array<float, 3> & scale, const LabelForce & force) const
  {
    if (!force.IsZero())
    {
      m_Force.x[voxel.i] = std::fma(scale[0], force.x, m_Force.x[voxel.i]);
      m_Force.y[voxel.i] = std::fma(scale[1], force.y, m_Force.y[voxel.i]);
      m_Force.z[voxel.i] = std::fma(scale[2], force.z, m_Force.z[voxel.i]);
    }
  }

private:
  const CellGrid &      m_Grid;
  const std::uint16_t * m_Labels;
  ConstSoAField         m_Displacement;
  SoAField              m_Force;
};

/** The sum of ofVoxel(voxel) over the grid, plane by plane, in a fixed order. */
template <typename TOfVoxel>
double
SumOverVoxels(Context & context, const Extent & extent, const TOfVoxel & ofVoxel)
{
  std::vector<double> ofPlanes(static_cast<std::size_t>(extent.z), 0.0);
  context.ParallelFor(extent.z, [&](std::int64_t plane) {
    const int    z = static_cast<int>(plane);
    std::int64_t i = plane * extent.y * extent.x;
    double       sum = 0.0;
    for (int y = 0; y < extent.y; ++y)
    {
      for (int x = 0; x < extent.x; ++x, ++i)
      {
        sum += static_cast<double>(ofVoxel(GridVoxel{ x, y, z, i }));
      }
    }
    ofPlanes[static_cast<std::size_t>(plane)] = sum;
  });
  return std::accumulate(ofPlanes.begin(), ofPlanes.end(), 0.0);
}

/** Adds the force on the map to the moving image, where the fixed labels stay. \returns the sum of the energy */
double
ForceOnOneMap(const LabelPlan &            plan,
              const CellGrid &             grid,
              const std::array<float, 3> & scale,
              const StepBuffers &          toMoving)
{
  const LevelLabels & labels = plan.term.labels;
  const MovingLabels  moving(grid, labels.moving, toMoving);
  const bool          hasForce = plan.term.weight != 0.0;
  return SumOverVoxels(plan.context, labels.extent, [&](const GridVoxel & voxel) {
    const int      fixed = labels.fixed[voxel.i];
    DeformedLabels atMoving;
    if (!moving.Read(voxel, atMoving) || !HasLabelTerm(atMoving.corners, fixed))
    {
      return 0.0f;
    }
    const LabelTermOfVoxel term(labels.weights, atMoving, StillLabel{ fixed });
    if (hasForce)
    {
      moving.Add(voxel, scale, term.ofMoving);
    }
    return term.energy;
  });
}

/** Adds the forces on two maps that move against each other. \returns the sum of the energy */
double
ForceOnBothMaps(const LabelPlan &            plan,
                const CellGrid &             grid,
                const std::array<float, 3> & scale,
                const StepBuffers &          toMoving,
                const StepBuffers &          toFixed)
{
  const LevelLabels & labels = plan.term.labels;
  const MovingLabels  moving(grid, labels.moving, toMoving);
  const MovingLabels  fixed(grid, labels.fixed, toFixed);
  const bool          hasForce = plan.term.weight != 0.0;
  return SumOverVoxels(plan.context, labels.extent, [&](const GridVoxel & voxel) {
    DeformedLabels atMoving;
    DeformedLabels atFixed;
    if (!moving.Read(voxel, atMoving) || !fixed.Read(voxel, atFixed) ||
        !HasLabelTerm(atMoving.corners, atFixed.corners))
    {
      return 0.0f;
    }
    const LabelTermOfVoxel term(labels.weights, atMoving, atFixed);
    if (hasForce)
    {
      moving.Add(voxel, scale, term.ofMoving);
      fixed.Add(voxel, scale, term.ofFixed);
    }
    return term.energy;
  });
}

} // namespace

std::shared_ptr<LabelPlan>
MakeLabelPlan(Context & context, const LabelTerm & term)
{
  return std::make_shared<LabelPlan>(LabelPlan{ context, term });
}

void
EnqueueLabelForce(LabelPlan & plan, const StepBuffers & toMoving, const StepBuffers * toFixed, double * energy)
{
  if (toMoving.state->isRunning == 0)
  {
    return;
  }
  const Extent &             extent = plan.term.labels.extent;
  const CellGrid             grid(extent);
  const std::array<float, 3> scale = ForceScale(plan.term);
  const double               sum = toFixed != nullptr ? ForceOnBothMaps(plan, grid, scale, toMoving, *toFixed)
                                                      : ForceOnOneMap(plan, grid, scale, toMoving);
  *energy = sum / static_cast<double>(NumberOfVoxels(extent));
}

} // namespace cudaneuro::cpu
