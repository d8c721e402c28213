// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/GeodesicShooting.h"

#include "core/Dispatch.h"
#include "fields/FieldChecks.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "landmarks/Flow.h"
#include "points/PointArrays.h"

#include <sstream>

namespace cudaneuro
{
namespace
{

FlowStates
MakeFlowStates(Context &                          context,
               const GeodesicShootingParameters & parameters,
               int                                dimension,
               std::int64_t                       numberOfPoints,
               const double *                     positions,
               const double *                     momenta)
{
  RequireShooting(parameters, dimension, numberOfPoints, 1);
  if (positions == nullptr)
  {
    ThrowInvalid("positions", "absent (a null pointer)", "given");
  }
  RequireFiniteMomenta(dimension, numberOfPoints, momenta);
  const ShootingProblem problem = MakeShootingProblem(
    parameters, dimension, numberOfPoints, std::vector<double>(positions, positions + numberOfPoints * dimension), 1);
  return FlowStates(problem, cpu::ShootStages(context, problem, momenta));
}

[[noreturn]] void
ThrowNoInverse(const std::string & what, const std::string & reason)
{
  throw Error("Backward flow of " + what, reason + "; shorter time steps have one: use more of them");
}

[[noreturn]] void
ThrowNoInverse(const std::string & what)
{
  ThrowNoInverse(what, "no inverse was found for a time step of the shooting");
}

FlowFailures
MovePoints(Context & context, const FlowStates & states, FlowDirection direction, std::vector<double> & points)
{
  CUDANEURO_DISPATCH(context, MovePoints(context, states, direction, points));
}

FlowFailures
ComputeField(
  Context & context, const FlowStates & states, FlowDirection direction, const FlowGrid & grid, const FlowField & field)
{
  CUDANEURO_DISPATCH(context, ComputeField(context, states, direction, grid, field));
}

/** Requires grids and fields that match: planes for landmarks in a plane, three components for landmarks in space. */
void
RequireDimension(int dimension, const Grid & grid, const Field & field)
{
  if (dimension == 2 && grid.size[2] != 1)
  {
    ThrowInvalid("size[2]", grid.size[2], "1 for landmarks in two dimensions");
  }
  if (dimension == 3 && field.components != 3)
  {
    ThrowInvalid("output.components", field.components, "3 for landmarks in three dimensions");
  }
}

FlowGrid
MakeFlowGrid(const FlowStates & states, const Geometry & geometry)
{
  const AffineMap      map = IndexToPoint(geometry);
  const WorkingUnits & units = states.GetUnits();
  FlowGrid             grid;
  grid.extent = ExtentOf(geometry.grid);
  for (int d = 0; d < states.GetDimension(); ++d)
  {
    // Double precision keeps a grid far from the origin accurate relative to its landmarks.
    grid.offset[d] = (map.offset[d] - units.center[d]) * units.scale;
    for (int axis = 0; axis < 3; ++axis)
    {
      grid.matrix[3 * d + axis] = map.matrix[3 * d + axis] * units.scale;
    }
  }
  return grid;
}

std::string
NameOfPoint(int dimension, const double * point)
{
  std::ostringstream name;
  name.precision(std::numeric_limits<double>::digits10);
  name << "point (" << point[0] << ", " << point[1];
  if (dimension == 3)
  {
    name << ", " << point[2];
  }
  name << ")";
  return name.str();
}

std::string
NameOfVoxel(const Extent & extent, std::int64_t index)
{
  std::ostringstream name;
  const std::int64_t row = index / extent.x;
  name << "voxel (" << index % extent.x << ", " << row % extent.y << ", " << row / extent.y << ")";
  return name.str();
}

} // namespace

class GeodesicFlow::Trajectory
{
public:
  Trajectory(Context & context, FlowStates states)
    : m_States(std::move(states))
    , m_FoldedStep(cpu::FindFoldedStep(context, m_States))
  {}

  const FlowStates &
  States() const
  {
    return m_States;
  }

  /** Requires that no step folds for the backward direction: an iteration would find any of several original points. */
  template <typename TName>
  void
  RequireDirection(FlowDirection direction, const TName & name) const
  {
    if (direction == FlowDirection::Backward && m_FoldedStep >= 0)
    {
      ThrowNoInverse(name(), "time step " + std::to_string(m_FoldedStep) + " of the shooting folds and has no inverse");
    }
  }

private:
  FlowStates m_States;
  int        m_FoldedStep;
};

GeodesicFlow::GeodesicFlow(Context &                          context,
                           const GeodesicShootingParameters & parameters,
                           int                                dimension,
                           std::int64_t                       numberOfPoints,
                           const double *                     positions,
                           const double *                     momenta)
  : m_Trajectory(std::make_unique<Trajectory>(
      context, MakeFlowStates(context, parameters, dimension, numberOfPoints, positions, momenta)))
{}

GeodesicFlow::~GeodesicFlow() = default;

void
GeodesicFlow::TransformPoint(FlowDirection direction, const double * input, double * output, double * jacobian) const
{
  const FlowStates &   states = m_Trajectory->States();
  const WorkingUnits & units = states.GetUnits();
  const int            dimension = states.GetDimension();
  double               position[3] = {};
  double               displacement[3] = {};
  for (int d = 0; d < dimension; ++d)
  {
    position[d] = (input[d] - units.center[d]) * units.scale;
  }
  const auto name = [&] { return NameOfPoint(dimension, input); };
  m_Trajectory->RequireDirection(direction, name);
  if (!cpu::MovePoint(states, direction, position, displacement, jacobian))
  {
    ThrowNoInverse(name());
  }
  for (int d = 0; d < dimension; ++d)
  {
    output[d] = input[d] + displacement[d] / units.scale;
  }
}

void
GeodesicFlow::TransformPoints(Context &           context,
                              FlowDirection       direction,
                              std::int64_t        numberOfPoints,
                              const ConstPoints & input,
                              const Points &      output) const
{
  const FlowStates &   states = m_Trajectory->States();
  const WorkingUnits & units = states.GetUnits();
  const int            dimension = states.GetDimension();
  if (numberOfPoints < 0)
  {
    ThrowInvalid("numberOfPoints", numberOfPoints, "0 or more");
  }
  if (numberOfPoints == 0)
  {
    return;
  }
  RequireVolume("output", context, Volume{ output.data, output.type, output.space });
  const std::vector<double> positions = ReadPoints(context, "input", dimension, numberOfPoints, input);
  RequirePositions("input", dimension, positions);
  m_Trajectory->RequireDirection(direction, [&] { return std::to_string(numberOfPoints) + " points"; });
  std::vector<double> points(positions.size());
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    points[i] = (positions[i] - units.center[i % dimension]) * units.scale;
  }
  FlowFailures failures;
  RunDeviceJob(context, [&] { failures = MovePoints(context, states, direction, points); });
  if (failures.count > 0)
  {
    ThrowNoInverse(std::to_string(failures.count) + " of " + std::to_string(numberOfPoints) + " points, the first is " +
                   "point " + std::to_string(failures.first));
  }
  for (std::size_t i = 0; i < points.size(); ++i)
  {
    points[i] = positions[i] + points[i] / units.scale;
  }
  WritePoints(context, "output", points, output);
  context.ReportProgress(1.0);
}

void
GeodesicFlow::GetDisplacementField(Context &        context,
                                   FlowDirection    direction,
                                   const Geometry & geometry,
                                   const Field &    output) const
{
  const FlowStates & states = m_Trajectory->States();
  RequireGeometry("geometry", geometry);
  RequireField("output", context, geometry.grid, output);
  RequireDimension(states.GetDimension(), geometry.grid, output);
  m_Trajectory->RequireDirection(direction, [&] { return std::to_string(geometry.grid.NumberOfVoxels()) + " voxels"; });
  const FlowGrid grid = MakeFlowGrid(states, geometry);
  FlowFailures   failures;
  RunDeviceJob(context, [&] {
    // The field is a volume with an element for each component.
    Grid elements = geometry.grid;
    elements.size[0] *= output.components;
    const Volume           volume{ output.data, PixelType::Float, output.space };
    FloatOutput            vectors(context, elements, volume);
    Context::ProgressSteps progress(context);
    progress.UpTo(0.95);
    failures = ComputeField(context, states, direction, grid, { vectors.Data(), static_cast<int>(output.components) });
    progress.UpTo(1.0);
    vectors.Finish();
  });
  if (failures.count > 0)
  {
    ThrowNoInverse(std::to_string(failures.count) + " of " + std::to_string(geometry.grid.NumberOfVoxels()) +
                   " voxels, the first is " + NameOfVoxel(grid.extent, failures.first));
  }
  context.ReportProgress(1.0);
}

} // namespace cudaneuro
