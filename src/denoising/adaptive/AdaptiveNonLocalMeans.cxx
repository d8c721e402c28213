// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include "core/ContextAccess.h"
#include "core/HostMemory.h"
#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "denoising/adaptive/BlockPasses.h"
#include "images/ReferenceIntensity.h"
#include "jobs/AvailableMemory.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <array>
#include <string>

namespace cudaneuro
{
namespace
{

/** The axes of the grid in the order that they have in the blocks' image. */
struct BlockAxes
{
  std::array<int, 3> order{ 0, 1, 2 };
  int                depth = blockEdge;
};

/** Returns axes with blocks of 4 voxels each. If one axis is shorter, it comes last, and blocks have 1 voxel there.
 * \throws InvalidParameterError if two axes are shorter */
BlockAxes
ChooseAxes(const Grid & grid)
{
  BlockAxes  axes;
  const auto isLong = [&grid](int axis) { return grid.size[axis] >= blockEdge; };
  std::stable_partition(axes.order.begin(), axes.order.end(), isLong);
  if (!isLong(axes.order[1]))
  {
    const std::string size =
      std::to_string(grid.size[0]) + " x " + std::to_string(grid.size[1]) + " x " + std::to_string(grid.size[2]);
    ThrowInvalid("The size of the image", size, "4 or more along two axes at least");
  }
  axes.depth = isLong(axes.order[2]) ? blockEdge : 1;
  return axes;
}

/** Returns the image's description without pointers to pixels. */
NoisyImage
MakeNoisyImage(const AdaptiveCall & call, const BlockAxes & axes, const IntensitySample & sample)
{
  const Grid &       grid = call.grid;
  const std::int64_t strides[3] = { 1, grid.size[0], grid.VoxelsPerPlane() };
  const double       sigma = call.parameters.noiseStandardDeviation;
  const double       unit = call.parameters.smoothingFactor * sigma;
  NoisyImage         image;
  for (int axis = 0; axis < 3; ++axis)
  {
    image.strides[axis] = strides[axes.order[axis]];
  }
  image.extent = { static_cast<int>(grid.size[axes.order[0]]),
                   static_cast<int>(grid.size[axes.order[1]]),
                   static_cast<int>(grid.size[axes.order[2]]) };
  image.scale = { sample.reference, static_cast<float>(1.0 / unit) };
  image.limit = sample.limit;
  image.largestNoise = call.noiseValues.largest;
  image.unit = static_cast<float>(unit);
  image.sigma = static_cast<float>(sigma);
  return image;
}

/** Returns the number of planes of results that fit into device memory with all their work space, or all planes. */
std::int64_t
PlanesOfSlabs(Context & context, const AdaptiveCall & call)
{
  const std::int64_t planes = call.grid.size[2];
  if (*std::min_element(call.grid.size.begin(), call.grid.size.end()) < blockEdge)
  {
    return planes;
  }
  // Images in their host type and as float; two volumes of float, sums and counts; groups.
  constexpr std::size_t  image = sizeof(double) + sizeof(float);
  constexpr std::size_t  work = 2 * sizeof(float) + sizeof(std::int64_t) + sizeof(int);
  constexpr std::size_t  group = (groupSize * sizeof(std::uint16_t) + sizeof(float)) / 9;
  const std::size_t      bytes = (call.noise.data ? 3 : 2) * image + (call.mask.data ? 1 : 0) + work + group;
  constexpr std::int64_t most = 3 * 65535 - 2 * haloOfPasses; // a launch has at most 65535 blocks along z, of 3 planes
  const std::int64_t     fitting = std::min(PlanesThatFit(context, call.grid, bytes), most);
  return fitting == planes ? planes : std::max<std::int64_t>(fitting - 2 * haloOfPasses, 1);
}

/** The inputs of a slab's planes, in memory of the context's device. */
struct SlabInputs
{
  FloatInput image;
  MaskInput  mask;
  FloatInput noise;
};

/** A copy of the input in host memory, made where an in-place result would overwrite planes that are still needed. */
class KeptInput
{
public:
  KeptInput(Context & context, const Grid & grid, const ConstVolume & input, const Volume & output, bool inSlabs)
    : m_Input(input)
  {
    if (!inSlabs || input.data != output.data)
    {
      return;
    }
    const std::size_t bytes = static_cast<std::size_t>(grid.NumberOfVoxels()) * PixelSize(input.type);
    m_Memory = AllocateHost(bytes);
    const Volume copy{ m_Memory.get(), input.type, MemorySpace::Host };
    CopyVolume(context, grid, input, copy);
    m_Input = { copy.data, copy.type, copy.space };
  }

  const ConstVolume &
  Get() const
  {
    return m_Input;
  }

private:
  std::shared_ptr<void> m_Memory;
  ConstVolume           m_Input;
};

} // namespace

void
DenoiseInSlabs(Context & context, const AdaptiveCall & call, std::int64_t planes)
{
  const Grid &    grid = call.grid;
  const BlockAxes axes = ChooseAxes(grid);
  const auto      all = grid.size[2];
  const bool      inSlabs = planes < all;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.02);
    const KeptInput kept(context, grid, call.input, call.output, inSlabs);
    NoisyImage      image = MakeNoisyImage(call, axes, SampleIntensities(context, grid, kept.Get(), call.mask));
    const int       planesOfBlocks = inSlabs ? static_cast<int>(all) : image.extent.z;
    for (std::int64_t begin = 0; begin < all; begin += planes)
    {
      const std::int64_t end = std::min(begin + planes, all);
      const SlabRange    slab{
        std::max<std::int64_t>(begin - haloOfPasses, 0), std::min(end + haloOfPasses, all), begin, end
      };
      Grid read = grid;
      read.size[2] = slab.end - slab.begin;
      Grid written = grid;
      written.size[2] = end - begin;
      progress.UpTo(0.02 + 0.98 * static_cast<double>(end) / static_cast<double>(all));
      Context::ProgressSteps steps(context);
      steps.UpTo(0.05);
      const SlabInputs inputs = [&] {
        const Context::ProgressPause pause(context);
        return SlabInputs{ { context, read, PlanesFrom(kept.Get(), grid, slab.begin) },
                           { context, read, PlanesFrom(call.mask, grid, slab.begin) },
                           { context, read, PlanesFrom(call.noise, grid, slab.begin) } };
      }();
      image.input = inputs.image.Data();
      image.mask = inputs.mask.Data();
      image.noise = inputs.noise.Data();
      image.extent.z = inSlabs ? static_cast<int>(read.size[2]) : image.extent.z;
      FloatOutput result(context, written, PlanesFrom(call.output, grid, begin), image.input);
      steps.UpTo(0.95);
      RunBlockPasses(context, image, slab, planesOfBlocks, axes.depth, call.parameters.ricianCorrection, result.Data());
      steps.UpTo(1.0);
      result.Finish();
    }
  });
  StatisticsOf(context).numberOfSlabs = static_cast<unsigned int>(DivideUp(all, planes));
  context.ReportProgress(1.0);
}

namespace
{

void
RequireArguments(Context &                               context,
                 const AdaptiveNonLocalMeansParameters & parameters,
                 const Grid &                            grid,
                 const ConstVolume &                     input,
                 const ConstVolume &                     mask,
                 const Volume &                          output)
{
  RequireImages(context, grid, input, mask, output);
  RequireParameters(parameters, grid);
  ChooseAxes(grid);
  if (parameters.ricianCorrection)
  {
    RequireMagnitude(context, grid, input, mask);
  }
}

void
Denoise(Context & context, const AdaptiveCall & call)
{
  DenoiseInSlabs(context, call, PlanesOfSlabs(context, call));
}

} // namespace

void
AdaptiveNonLocalMeans(Context &                               context,
                      const AdaptiveNonLocalMeansParameters & parameters,
                      const Grid &                            grid,
                      const ConstVolume &                     input,
                      const ConstVolume &                     mask,
                      const Volume &                          output)
{
  RequireArguments(context, parameters, grid, input, mask, output);
  Denoise(context, { parameters, grid, input, mask, output, {}, {} });
}

std::int64_t
AdaptiveNonLocalMeansWithNoiseMap(Context &                               context,
                                  const AdaptiveNonLocalMeansParameters & parameters,
                                  const Grid &                            grid,
                                  const ConstVolume &                     input,
                                  const ConstVolume &                     mask,
                                  const ConstVolume &                     noise,
                                  const Volume &                          output)
{
  RequireArguments(context, parameters, grid, input, mask, output);
  const NoiseValues               values = RequireNoiseMap(context, grid, noise, mask);
  AdaptiveNonLocalMeansParameters whereLargest = parameters;
  whereLargest.noiseStandardDeviation =
    WhereNoiseIsLargest("NoiseStandardDeviation", parameters.noiseStandardDeviation, values);
  Denoise(context, { whereLargest, grid, input, mask, output, noise, values });
  return values.zeros;
}

} // namespace cudaneuro
