// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/adaptive/AdaptiveNonLocalMeans.h"

#include "core/ContextAccess.h"
#include "core/HostMemory.h"
#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
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

/** The axes of the grid in the order of the blocks' image. */
struct BlockAxes
{
  std::array<int, 3> order{ 0, 1, 2 };
  int                depth = blockEdge;
};

/** Blocks take 4 voxels of an axis where there are so many. Where one axis has fewer, it comes last, and blocks take one.
 * \throws InvalidParameterError where two axes have fewer */
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

/** Planes [begin, end) of a result, and those of the images on which they depend. */
struct Slab
{
  std::int64_t begin;
  std::int64_t end;
  std::int64_t firstRead;
  std::int64_t endRead;
};

/** Voxels along z between which a result and what it depends on can be, in one pass and in both. */
constexpr std::int64_t haloOfPass = BlockShape<blockEdge>::reachZ + BlockShape<blockEdge>::farthestZ;
constexpr std::int64_t haloOfPasses = 2 * haloOfPass + blockEdge - 1;

/** The references whose groups planes [begin, end) of a pass's result depend on. */
BlockImage
WithReferencesOf(BlockImage image, std::int64_t begin, std::int64_t end)
{
  WithBlockShape(image.depth, [&](auto shape) {
    using Shape = decltype(shape);
    const int  places = image.planes - Shape::depth + 1;
    const int  count = NumberOfReferences(places, Shape::stepZ);
    const auto lowest = std::max<std::int64_t>(begin - Shape::farthestZ, 0);
    const auto highest = end - 1 + Shape::reachZ;
    const auto endReference = highest >= places - 1 ? std::int64_t{ count } : highest / Shape::stepZ + 1;
    const auto firstReference = std::min<std::int64_t>(DivideUp(lowest, Shape::stepZ), count);
    image.firstReference = static_cast<int>(firstReference);
    image.references = { NumberOfReferences(image.extent.x - blockEdge + 1, referenceStep),
                         NumberOfReferences(image.extent.y - blockEdge + 1, referenceStep),
                         static_cast<int>(std::max<std::int64_t>(endReference - firstReference, 0)) };
  });
  return image;
}

template <typename TStep>
void
RunStep(Context & context, std::int64_t count, const TStep & step)
{
  CUDANEURO_DISPATCH(context, ForEachIndex(context, count, step));
}

template <typename T>
DeviceMemory
AllocateArray(Context & context, std::int64_t count)
{
  return context.Allocate(static_cast<std::size_t>(count) * sizeof(T));
}

/** The passes over the planes of a slab. */
class SlabDenoiser
{
public:
  SlabDenoiser(Context & context, const NoisyImage & noisy, const BlockAxes & axes, const Slab & slab, int planes)
    : m_Context(context)
    , m_NoisyImage(noisy)
    , m_Slab(slab)
    , m_Voxels(NumberOfVoxels(noisy.extent))
    , m_Noisy(AllocateArray<float>(context, m_Voxels))
    , m_Estimate(AllocateArray<float>(context, m_Voxels))
    , m_Sums(AllocateArray<std::int64_t>(context, m_Voxels))
    , m_Counts(AllocateArray<int>(context, m_Voxels))
  {
    m_Image.extent = noisy.extent;
    m_Image.firstPlane = static_cast<int>(slab.firstRead);
    m_Image.planes = planes;
    m_Image.depth = axes.depth;
  }

  /** \param output the planes of the slab's result */
  void
  Run(bool isRician, float * output) const
  {
    auto * const           noisy = static_cast<float *>(m_Noisy.Data());
    auto * const           estimate = static_cast<float *>(m_Estimate.Data());
    const Extent &         extent = m_Image.extent;
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(0.02);
    RunStep(m_Context, m_Voxels, ScaleVoxel{ m_NoisyImage, estimate });
    progress.UpTo(0.05);
    RunStep(m_Context, m_Voxels, FillGap{ extent, m_Image.depth, estimate, noisy });
    // The estimate's place has the gaps until the first pass is over; the second needs the variances of fewer references.
    const BlockImage first = WithReferencesOf(m_Image, m_Slab.begin - haloOfPass, m_Slab.end + haloOfPass);
    const BlockImage second = WithReferencesOf(m_Image, m_Slab.begin, m_Slab.end);
    progress.UpTo(0.06);
    const auto  variances = this->FindVariances(first, estimate);
    const auto  members = AllocateArray<std::uint16_t>(m_Context, groupSize * NumberOfVoxels(first.references));
    BlockGroups groups{ static_cast<const float *>(variances.Data()), static_cast<std::uint16_t *>(members.Data()) };
    progress.UpTo(0.5);
    this->RunPass(first, noisy, nullptr, groups);
    progress.UpTo(0.52);
    RunStep(m_Context, m_Voxels, EstimateVoxel{ extent, m_Image.depth, this->Residuals(), noisy, estimate });
    const std::int64_t perPlane = std::int64_t{ first.references.x } * first.references.y;
    groups.variances += perPlane * (second.firstReference - first.firstReference);
    progress.UpTo(0.98);
    this->RunPass(second, noisy, estimate, groups);
    progress.UpTo(1.0);
    const std::int64_t plane = std::int64_t{ extent.x } * extent.y;
    const std::int64_t before = (m_Slab.begin - m_Slab.firstRead) * plane;
    const std::int64_t count = m_Voxels - before - (m_Slab.endRead - m_Slab.end) * plane;
    RunStep(m_Context, count, WriteVoxel{ m_NoisyImage, m_Image.depth, isRician, before, this->Residuals(), output });
  }

private:
  ResidualSums
  Residuals() const
  {
    return { static_cast<std::int64_t *>(m_Sums.Data()), static_cast<int *>(m_Counts.Data()) };
  }

  DeviceMemory
  FindVariances(const BlockImage & image, const float * scaled) const
  {
    const std::int64_t references = NumberOfVoxels(image.references);
    DeviceMemory       memory = AllocateArray<float>(m_Context, references);
    const FindVariance step{ m_NoisyImage, image, scaled, static_cast<float *>(memory.Data()) };
    RunStep(m_Context, references, step);
    return memory;
  }

  void
  RunPass(const BlockImage & image, const float * noisy, const float * guide, const BlockGroups & groups) const
  {
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(0.02);
    this->Clear();
    progress.UpTo(0.5);
    this->Match(image, guide != nullptr ? guide : noisy, groups);
    progress.UpTo(1.0);
    this->Shrink(image, noisy, guide, groups);
    m_Context.ReportProgress(1.0); // kernels do not tell
  }

  void
  Clear() const
  {
    CUDANEURO_DISPATCH(m_Context, ClearResiduals(m_Context, m_Voxels, this->Residuals()));
  }

  void
  Match(const BlockImage & image, const float * volume, const BlockGroups & groups) const
  {
    CUDANEURO_DISPATCH(m_Context, MatchBlocks(m_Context, image, volume, groups));
  }

  void
  Shrink(const BlockImage & image, const float * noisy, const float * guide, const BlockGroups & groups) const
  {
    CUDANEURO_DISPATCH(m_Context, ShrinkGroups(m_Context, image, noisy, guide, groups, this->Residuals()));
  }

  Context &    m_Context;
  NoisyImage   m_NoisyImage;
  Slab         m_Slab;
  BlockImage   m_Image;
  std::int64_t m_Voxels;
  DeviceMemory m_Noisy;
  DeviceMemory m_Estimate;
  DeviceMemory m_Sums;
  DeviceMemory m_Counts;
};

/** The image without pixels. */
NoisyImage
MakeNoisyImage(const AdaptiveNonLocalMeansParameters & parameters,
               const Grid &                            grid,
               const BlockAxes &                       axes,
               const NoiseValues &                     noiseValues,
               const IntensitySample &                 sample)
{
  const std::int64_t strides[3] = { 1, grid.size[0], grid.VoxelsPerPlane() };
  const double       sigma = parameters.noiseStandardDeviation * double{ noiseValues.largest };
  const double       unit = parameters.smoothingFactor * sigma;
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
  image.largestNoise = noiseValues.largest;
  image.unit = static_cast<float>(unit);
  image.sigma = static_cast<float>(sigma);
  return image;
}

/** The planes of results that fit into the memory of the device with all that they need, or all. */
std::int64_t
PlanesThatFit(Context & context, const Grid & grid, const ConstVolume & mask, const ConstVolume & noise)
{
  const std::int64_t planes = grid.size[2];
  if constexpr (builtWithCuda)
  {
    const bool hasVolumes = *std::min_element(grid.size.begin(), grid.size.end()) >= blockEdge;
    if (context.GetDevice().IsCuda() && hasVolumes)
    {
      // Images as they are in host memory and as float; two volumes of float, sums and counts; groups.
      constexpr std::size_t image = sizeof(double) + sizeof(float);
      constexpr std::size_t work = 2 * sizeof(float) + sizeof(std::int64_t) + sizeof(int);
      constexpr std::size_t group = (groupSize * sizeof(std::uint16_t) + sizeof(float)) / 9;
      const std::size_t     bytes = (noise.data ? 3 : 2) * image + (mask.data ? 1 : 0) + work + group;
      const std::size_t     perPlane = bytes * static_cast<std::size_t>(grid.VoxelsPerPlane());
      const auto            fitting = static_cast<std::int64_t>(gpu::AvailableBytes(context) / perPlane);
      return fitting >= planes ? planes : std::max<std::int64_t>(fitting - 2 * haloOfPasses, 1);
    }
  }
  return planes;
}

/** The planes of a slab, in memory of the context's device. */
struct SlabInputs
{
  FloatInput image;
  MaskInput  mask;
  FloatInput noise;
};

/** A copy of a volume in host memory, where a result in its place would overwrite planes that are still to be read. */
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
DenoiseInSlabs(Context &                               context,
               const AdaptiveNonLocalMeansParameters & parameters,
               const Grid &                            grid,
               const ConstVolume &                     input,
               const ConstVolume &                     mask,
               const ConstVolume &                     noise,
               const NoiseValues &                     noiseValues,
               const Volume &                          output,
               std::int64_t                            planes)
{
  const BlockAxes axes = ChooseAxes(grid);
  const auto      all = grid.size[2];
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.02);
    const KeptInput kept(context, grid, input, output, planes < all);
    NoisyImage      image =
      MakeNoisyImage(parameters, grid, axes, noiseValues, SampleIntensities(context, grid, kept.Get(), mask));
    for (std::int64_t begin = 0; begin < all; begin += planes)
    {
      const std::int64_t end = std::min(begin + planes, all);
      const Slab slab{ begin, end, std::max<std::int64_t>(begin - haloOfPasses, 0), std::min(end + haloOfPasses, all) };
      Grid       read = grid;
      read.size[2] = slab.endRead - slab.firstRead;
      Grid written = grid;
      written.size[2] = end - begin;
      progress.UpTo(0.02 + 0.98 * static_cast<double>(end) / static_cast<double>(all));
      Context::ProgressSteps steps(context);
      steps.UpTo(0.05);
      const SlabInputs inputs = [&] {
        const Context::ProgressPause pause(context);
        const std::int64_t           first = slab.firstRead;
        return SlabInputs{ { context, read, PlanesFrom(kept.Get(), grid, first) },
                           { context, read, PlanesFrom(mask, grid, first) },
                           { context, read, PlanesFrom(noise, grid, first) } };
      }();
      image.input = inputs.image.Data();
      image.mask = inputs.mask.Data();
      image.noise = inputs.noise.Data();
      image.extent.z = planes < all ? static_cast<int>(read.size[2]) : image.extent.z;
      FloatOutput result(context, written, PlanesFrom(output, grid, begin), image.input);
      steps.UpTo(0.95);
      const auto planesOfBlocks = planes < all ? all : image.extent.z;
      SlabDenoiser(context, image, axes, slab, static_cast<int>(planesOfBlocks))
        .Run(parameters.ricianCorrection, result.Data());
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
  NoiseValues one;
  one.largest = 1.0f;
  const std::int64_t planes = PlanesThatFit(context, grid, mask, {});
  DenoiseInSlabs(context, parameters, grid, input, mask, {}, one, output, planes);
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
  const NoiseValues  values = RequireNoiseMap(context, grid, noise);
  const std::int64_t planes = PlanesThatFit(context, grid, mask, noise);
  DenoiseInSlabs(context, parameters, grid, input, mask, noise, values, output, planes);
  return values.zeros;
}

} // namespace cudaneuro
