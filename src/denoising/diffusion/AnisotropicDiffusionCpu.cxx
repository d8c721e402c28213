// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/diffusion/AnisotropicDiffusion.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "denoising/diffusion/DiffusionFormulas.h"
#include "jobs/HostJob.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

/** Explicit diffusion between two padded copies of the volume. There, a voxel that takes no part is NaN, and so are its
 * differences, which are left out. */
namespace cudaneuro::cpu
{
namespace
{

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

/** A volume with one more voxel on every side. Its rows begin at cache lines. */
class PaddedVolume
{
public:
  /** Fills the volume with NaN. */
  PaddedVolume(Context & context, const Grid & grid)
    : m_RowStride(RoundUp(firstX + grid.size[0] + 1, floatsPerCacheLine))
    , m_PlaneStride(m_RowStride * (grid.size[1] + 2))
    , m_Memory(context.Allocate(static_cast<std::size_t>(m_PlaneStride * (grid.size[2] + 2)) * sizeof(float)))
  {
    context.ParallelFor(grid.size[2] + 2, [this](std::int64_t plane) {
      std::fill_n(this->Data() + plane * m_PlaneStride, m_PlaneStride, notANumber);
    });
  }

  float *
  Row(std::int64_t y, std::int64_t z) const
  {
    return this->Data() + (z + 1) * m_PlaneStride + (y + 1) * m_RowStride + firstX;
  }
  std::int64_t
  RowStride() const
  {
    return m_RowStride;
  }
  std::int64_t
  PlaneStride() const
  {
    return m_PlaneStride;
  }

private:
  static constexpr std::int64_t floatsPerCacheLine = 16;
  static constexpr std::int64_t firstX = floatsPerCacheLine;

  float *
  Data() const
  {
    return static_cast<float *>(m_Memory.Data());
  }

  std::int64_t m_RowStride;
  std::int64_t m_PlaneStride;
  DeviceMemory m_Memory;
};

/** What all steps share. */
struct Plan
{
  DiffusionUnits     units;
  InverseEdgeLengths inverseLengths;
  float              timeStep;
  std::array<int, 3> reach{};

  explicit Plan(const DiffusionCall & call)
    : units(MakeDiffusionUnits(call.parameters, call.grid, call.reference, SmallestNoise(call.noiseValues)))
    , inverseLengths(MakeInverseEdgeLengths(call.parameters.stencil, call.grid, call.parameters.useImageSpacing))
  {
    const AnisotropicDiffusionParameters & parameters = call.parameters;
    const Grid &                           grid = call.grid;
    for (int axis = 0; axis < 3; ++axis)
    {
      reach[axis] = grid.size[axis] > 1 ? 1 : 0;
    }
    // The mean of two conductances is half of their sum.
    const bool isMean = parameters.stencil == DiffusionStencil::Weickert26;
    timeStep = static_cast<float>(isMean ? 0.5 * parameters.timeStep : parameters.timeStep);
  }
};

CUDANEURO_ALWAYS_INLINE float
ScaledSquaredDifference(float after, float before, float center, float scale, float inverseNoise)
{
  after = after == after ? after : center;
  before = before == before ? before : center;
  const float difference = (after - before) * scale * inverseNoise;
  return difference * difference;
}

/** As above, and the square of half the second difference, which is not 0 on a line of one voxel. */
CUDANEURO_ALWAYS_INLINE float
ScaledSquaredDifferences(float after, float before, float center, float scale, float inverseNoise)
{
  after = after == after ? after : center;
  before = before == before ? before : center;
  const float first = (after - before) * scale * inverseNoise;
  const float second = (0.5f * (after + before) - center) * scale * inverseNoise;
  return first * first + second * second;
}

/** Computes the conductances of the gradient magnitude along a row, or for GeometricMean26 their roots. Those of voxels
 * that take no part are not used. \p inverseNoise is read with VMap. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE void
ComputeConductanceRow(const Plan &  plan,
                      std::int64_t  n,
                      const float * values,
                      const float * inverseNoise,
                      std::int64_t  rowStride,
                      std::int64_t  planeStride,
                      float *       conductances)
{
  const DiffusionUnits units = plan.units;
  const auto [scaleX, scaleY, scaleZ] = units.gradientScale;
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    const float center = values[x];
    const float ofNoise = VMap ? inverseNoise[x] : 1.0f;
    if constexpr (VStencil == DiffusionStencil::GeometricMean26)
    {
      const float q =
        ScaledSquaredDifferences(values[x + 1], values[x - 1], center, scaleX, ofNoise) +
        ScaledSquaredDifferences(values[x + rowStride], values[x - rowStride], center, scaleY, ofNoise) +
        ScaledSquaredDifferences(values[x + planeStride], values[x - planeStride], center, scaleZ, ofNoise);
      conductances[x] = RootOfConductance<VConductance>(q, units.kappa, units.squaredKappa);
    }
    else
    {
      const float q =
        ScaledSquaredDifference(values[x + 1], values[x - 1], center, scaleX, ofNoise) +
        ScaledSquaredDifference(values[x + rowStride], values[x - rowStride], center, scaleY, ofNoise) +
        ScaledSquaredDifference(values[x + planeStride], values[x - planeStride], center, scaleZ, ofNoise);
      conductances[x] = Conductance<VConductance>(q, units.kappa, units.squaredKappa);
    }
  }
}

/** The values of a row and of a row of its neighbors, and their conductances (of stencils that have a field of
 * them), or with a map RelativeInverseNoise() of the others. */
struct EdgeRow
{
  const float * values;
  const float * neighbors;
  const float * conductances;
  const float * neighborConductances;
  const float * inverseNoise;
  const float * neighborInverseNoise;
};

template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE float
EdgeTerm(const EdgeRow & row, std::int64_t x, std::int64_t neighborX, const DiffusionUnits & units, float inverseLength)
{
  const float difference = row.neighbors[neighborX] - row.values[x];
  float       conductance = 0.0f;
  if constexpr (VStencil == DiffusionStencil::GeometricMean26)
  {
    conductance = row.conductances[x] * row.neighborConductances[neighborX];
  }
  else if constexpr (VStencil == DiffusionStencil::Weickert26)
  {
    conductance = row.conductances[x] + row.neighborConductances[neighborX];
  }
  else
  {
    const float ratio = difference * units.inverseKappa;
    const float inverseNoises = VMap ? row.inverseNoise[x] * row.neighborInverseNoise[neighborX] : 1.0f;
    conductance = Conductance<VConductance>(EdgeArgument(ratio, inverseNoises), units.kappa, units.squaredKappa);
  }
  const float term = conductance * difference * inverseLength;
  return difference == difference ? term : 0.0f;
}

/** Adds the edges to a row of neighbors: with VMiddle to x, with VSides to x - 1 and x + 1. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap, bool VMiddle, bool VSides>
CUDANEURO_ALWAYS_INLINE void
AccumulateEdges(
  std::int64_t n, EdgeRow row, DiffusionUnits units, float middleLength, float sideLength, float * changes)
{
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    float change = changes[x];
    if constexpr (VMiddle)
    {
      change += EdgeTerm<VStencil, VConductance, VMap>(row, x, x, units, middleLength);
    }
    if constexpr (VSides)
    {
      change += EdgeTerm<VStencil, VConductance, VMap>(row, x, x - 1, units, sideLength) +
                EdgeTerm<VStencil, VConductance, VMap>(row, x, x + 1, units, sideLength);
    }
    changes[x] = change;
  }
}

/** Returns the inverse lengths of the edges to the row dy, dz away: straight and to the sides. */
std::array<float, 2>
InverseLengths(const InverseEdgeLengths & l, std::int64_t dy, std::int64_t dz)
{
  if (dy != 0 && dz != 0)
  {
    return { l.yz, l.xyz };
  }
  return dy != 0 ? std::array<float, 2>{ l.y, l.xy } : std::array<float, 2>{ l.z, l.xz };
}

/** Computes one step of one row. \p changes is a buffer of n floats. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
CUDANEURO_ALWAYS_INLINE void
UpdateRow(const Plan &         plan,
          const PaddedVolume & from,
          const PaddedVolume & field,
          const PaddedVolume & inverseNoise,
          const PaddedVolume & to,
          std::int64_t         n,
          std::int64_t         y,
          std::int64_t         z,
          float *              changes)
{
  EdgeRow row{ from.Row(y, z),  from.Row(y, z),         field.Row(y, z),
               field.Row(y, z), inverseNoise.Row(y, z), inverseNoise.Row(y, z) };
  std::fill_n(changes, n, 0.0f);
  AccumulateEdges<VStencil, VConductance, VMap, false, true>(n, row, plan.units, 0.0f, plan.inverseLengths.x, changes);
  for (std::int64_t dz = -plan.reach[2]; dz <= plan.reach[2]; ++dz)
  {
    for (std::int64_t dy = -plan.reach[1]; dy <= plan.reach[1]; ++dy)
    {
      const auto [middle, side] = InverseLengths(plan.inverseLengths, dy, dz);
      if ((dy == 0 && dz == 0) || (middle == 0.0f && side == 0.0f))
      {
        continue;
      }
      row.neighbors = from.Row(y + dy, z + dz);
      row.neighborConductances = field.Row(y + dy, z + dz);
      row.neighborInverseNoise = inverseNoise.Row(y + dy, z + dz);
      if (side == 0.0f)
      {
        AccumulateEdges<VStencil, VConductance, VMap, true, false>(n, row, plan.units, middle, side, changes);
      }
      else
      {
        AccumulateEdges<VStencil, VConductance, VMap, true, true>(n, row, plan.units, middle, side, changes);
      }
    }
  }
  const float * const values = row.values;
  float * const       result = to.Row(y, z);
  CUDANEURO_INDEPENDENT_ITERATIONS
  for (std::int64_t x = 0; x < n; ++x)
  {
    result[x] = values[x] + plan.timeStep * changes[x];
  }
}

/** Calls body(begin, end) in parallel for ranges of rows that cover the volume. */
template <typename TBody>
void
ForRows(Context & context, const Grid & grid, const TBody & body)
{
  constexpr std::int64_t voxelsPerItem = 32768;
  const std::int64_t     numberOfRows = grid.size[1] * grid.size[2];
  const std::int64_t     rowsPerItem = std::max<std::int64_t>(1, voxelsPerItem / grid.size[0]);
  context.ParallelFor(DivideUp(numberOfRows, rowsPerItem), [&](std::int64_t item) {
    body(item * rowsPerItem, std::min(numberOfRows, (item + 1) * rowsPerItem));
  });
}

/** Runs all steps on \p values. \p other and \p field are work space, \p field for stencils with a field of
 * conductances only. \p inverseNoise is read with VMap. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
void
RunSteps(Context &            context,
         const Plan &         plan,
         const Grid &         grid,
         int                  numberOfIterations,
         PaddedVolume &       values,
         PaddedVolume &       other,
         const PaddedVolume & field,
         const PaddedVolume & inverseNoise)
{
  const std::int64_t n = grid.size[0];
  for (int iteration = 0; iteration < numberOfIterations; ++iteration)
  {
    const Context::ProgressRange range(context,
                                       static_cast<double>(iteration) / numberOfIterations,
                                       static_cast<double>(iteration + 1) / numberOfIterations);
    constexpr double             endOfField = HasConductanceField(VStencil) ? 0.3 : 0.0;
    if constexpr (HasConductanceField(VStencil))
    {
      const Context::ProgressRange fieldRange(context, 0.0, endOfField);
      ForRows(context, grid, [&](std::int64_t begin, std::int64_t end) {
        VectorDispatch([&] {
          for (std::int64_t row = begin; row < end; ++row)
          {
            const std::int64_t y = row % grid.size[1];
            const std::int64_t z = row / grid.size[1];
            ComputeConductanceRow<VStencil, VConductance, VMap>(plan,
                                                                n,
                                                                values.Row(y, z),
                                                                inverseNoise.Row(y, z),
                                                                values.RowStride(),
                                                                values.PlaneStride(),
                                                                field.Row(y, z));
          }
        });
      });
    }
    const Context::ProgressRange updateRange(context, endOfField, 1.0);
    ForRows(context, grid, [&](std::int64_t begin, std::int64_t end) {
      std::vector<float> changes(n);
      VectorDispatch([&] {
        for (std::int64_t row = begin; row < end; ++row)
        {
          UpdateRow<VStencil, VConductance, VMap>(
            plan, values, field, inverseNoise, other, n, row % grid.size[1], row / grid.size[1], changes.data());
        }
      });
    });
    std::swap(values, other);
  }
}

/** Stencils of the difference along each edge share the code of Gerig26; PeronaMalik6 has weights of 0. */
template <DiffusionConductance VConductance, bool VMap>
auto
FindRunSteps(DiffusionStencil stencil)
{
  switch (stencil)
  {
    case DiffusionStencil::Weickert26:
      return RunSteps<DiffusionStencil::Weickert26, VConductance, VMap>;
    case DiffusionStencil::GeometricMean26:
      return RunSteps<DiffusionStencil::GeometricMean26, VConductance, VMap>;
    default:
      return RunSteps<DiffusionStencil::Gerig26, VConductance, VMap>;
  }
}

/** Loads the input in DiffusionUnits, with NaN where a voxel takes no part. */
void
LoadValues(Context &             context,
           const Grid &          grid,
           float                 reference,
           const float *         input,
           const unsigned char * mask,
           PaddedVolume &        values)
{
  ForRows(context, grid, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
    {
      float * const      to = values.Row(row % grid.size[1], row / grid.size[1]);
      const std::int64_t offset = row * grid.size[0];
      for (std::int64_t x = 0; x < grid.size[0]; ++x)
      {
        const float value = input[offset + x];
        const bool  takesPart = IsFinite(value) && (!mask || mask[offset + x] != 0);
        to[x] = takesPart ? DiffusionUnitsFromIntensity(value, reference) : notANumber;
      }
    }
  });
}

/** Loads RelativeInverseNoise() of a map. */
void
LoadInverseNoise(Context & context, const Grid & grid, float largest, const float * noise, PaddedVolume & inverseNoise)
{
  ForRows(context, grid, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
    {
      float * const      to = inverseNoise.Row(row % grid.size[1], row / grid.size[1]);
      const std::int64_t offset = row * grid.size[0];
      for (std::int64_t x = 0; x < grid.size[0]; ++x)
      {
        to[x] = RelativeInverseNoise(largest, noise[offset + x]);
      }
    }
  });
}

/** Stores the values, and the input where a voxel takes no part. */
void
StoreValues(Context &            context,
            const Grid &         grid,
            float                reference,
            const PaddedVolume & values,
            const float *        input,
            float *              output)
{
  ForRows(context, grid, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
    {
      const float * const from = values.Row(row % grid.size[1], row / grid.size[1]);
      const std::int64_t  offset = row * grid.size[0];
      for (std::int64_t x = 0; x < grid.size[0]; ++x)
      {
        output[offset + x] = from[x] == from[x] ? IntensityFromDiffusionUnits(from[x], reference) : input[offset + x];
      }
    }
  });
}

} // namespace

void
AnisotropicDiffusion(Context & context, const DiffusionCall & call)
{
  const Grid &        grid = call.grid;
  HostJob             job(context, grid, { call.input, call.noise }, call.output);
  const float * const input = job.Input(0);
  const float * const noise = job.Input(1);
  const bool          hasMap = noise != nullptr;
  {
    const Context::ProgressRange computation = job.ComputationProgress();
    const Plan                   plan(call);
    const bool                   hasField = HasConductanceField(call.parameters.stencil);
    const auto                   makeVolume = [&](double begin, double end) {
      const Context::ProgressRange range(context, begin, end);
      return PaddedVolume(context, grid);
    };
    PaddedVolume values = makeVolume(0.0, 0.01);
    PaddedVolume other = makeVolume(0.01, 0.02);
    PaddedVolume field = hasField ? makeVolume(0.02, 0.03) : values;
    PaddedVolume inverseNoise = hasMap ? makeVolume(0.03, 0.04) : values;
    {
      const Context::ProgressRange range(context, 0.04, 0.05);
      const MaskOfKnownNoise       mask(grid, call.mask, noise);
      LoadValues(context, grid, plan.units.reference, input, mask.Data(), values);
    }
    if (hasMap)
    {
      const Context::ProgressRange range(context, 0.05, 0.06);
      LoadInverseNoise(context, grid, call.noiseValues.largest, noise, inverseNoise);
    }
    {
      const Context::ProgressRange range(context, 0.06, 0.95);
      WithConductance(call.parameters.conductance, [&](auto conductance) {
        const auto run = hasMap ? FindRunSteps<conductance(), true>(call.parameters.stencil)
                                : FindRunSteps<conductance(), false>(call.parameters.stencil);
        run(context, plan, grid, call.parameters.numberOfIterations, values, other, field, inverseNoise);
      });
    }
    const Context::ProgressRange range(context, 0.95, 1.0);
    StoreValues(context, grid, plan.units.reference, values, input, job.Output());
  }
  job.Finish();
}

} // namespace cudaneuro::cpu
