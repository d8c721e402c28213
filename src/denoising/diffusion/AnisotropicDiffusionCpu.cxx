// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/diffusion/AnisotropicDiffusion.h"

#include "core/IntegerMath.h"
#include "core/VectorDispatch.h"
#include "denoising/diffusion/DiffusionFormulas.h"
#include "denoising/diffusion/DiffusionLoopsCpu.h"
#include "denoising/diffusion/PaddedVolumeCpu.h"
#include "jobs/HostJob.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

/** Explicit diffusion between two padded copies of the volume. An excluded voxel is NaN there, and so are its
 * differences, which are not added. */
namespace cudaneuro::cpu
{
namespace
{

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

/** Runs all steps on \p values. \p other and \p field are work space, \p field only for stencils with a field of
 * conductances. \p inverseNoise is read with VMap. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, bool VMap>
void
RunSteps(Context &             context,
         const DiffusionPlan & plan,
         const Grid &          grid,
         int                   numberOfIterations,
         PaddedVolume &        values,
         PaddedVolume &        other,
         const PaddedVolume &  field,
         const PaddedVolume &  inverseNoise)
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

/** Returns RunSteps for a stencil. PeronaMalik6 shares the code of Gerig26, with weights of 0 for diagonal edges. */
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

/** Loads the input in DiffusionUnits, with NaN for excluded voxels. */
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

/** Loads RelativeInverseNoise() of a noise map. */
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

/** Stores the values, and the input for excluded voxels. */
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
    const DiffusionPlan          plan(call);
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
