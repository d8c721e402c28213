// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/noisemap/NoiseMap.h"

#include "core/ContextAccess.h"
#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "denoising/noisemap/NoiseMapFormulas.h"
#include "images/smoothing/GaussianSmoothing.h"
#include "images/ReferenceIntensity.h"
#include "jobs/AvailableMemory.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cudaneuro
{

void
SumComponents(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  CUDANEURO_DISPATCH(context, SumComponents(context, image, nodes));
}

void
SumWeighted(Context & context, const NoiseImage & image, const NoiseNodes & nodes)
{
  CUDANEURO_DISPATCH(context, SumWeighted(context, image, nodes));
}

void
UpdateNodes(Context & context, NodeStep step, const NoiseNodes & nodes)
{
  CUDANEURO_DISPATCH(context, UpdateNodes(context, step, nodes));
}

NoiseMapPartial
WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map)
{
  CUDANEURO_DISPATCH(context, WriteNoiseMap(context, image, nodes, map));
}

namespace
{

/** Sets the size of blocks. Slices may be thick along any axis. */
void
SetBlocks(NoiseImage & image, const Grid & grid)
{
  const int edge = NoiseBlockEdge(image.axes);
  for (int axis = 0; axis < 3; ++axis)
  {
    const double others = std::max(grid.spacing[(axis + 1) % 3], grid.spacing[(axis + 2) % 3]);
    image.block[axis] = image.axes == 3 ? NoiseBlockDepth(grid.spacing[axis] / others) : axis < 2 ? edge : 1;
    image.blocksPerVoxel[axis] = 1.0f / static_cast<float>(image.block[axis]);
  }
}

/** Returns the image's description without pointers to pixels. */
NoiseImage
MakeNoiseImage(const NoiseMapParameters & parameters, const Grid & grid, float limit)
{
  std::array<std::int64_t, 3> size{ 1, 1, 1 };
  int                         axes = 0;
  for (const std::int64_t length : grid.size)
  {
    if (length > 1)
    {
      size[axes++] = length;
    }
  }
  NoiseImage image;
  image.axes = std::max(axes, 2); // a line has no cubes
  image.extent = ExtentOf(Grid{ size });
  SetBlocks(image, grid);
  // A sample of zeros does not bound the other voxels; this limit keeps their squares finite.
  constexpr float mostWithoutSample = 1e15f;
  const bool      isKnown = limit < std::numeric_limits<float>::max();
  image.limit = isKnown ? limit : mostWithoutSample;
  image.scale = isKnown ? std::ldexp(1.0f, -std::clamp(std::ilogb(limit), -120, 120)) : 1.0f;
  image.isRician = parameters.ricianCorrection;
  return image;
}

/** The memory for the nodes' values. */
class NodeMemory
{
public:
  NodeMemory(Context & context, const NoiseImage & image)
    : m_IsRician(image.isRician)
    , m_InverseSquaredWidth(1.0f / SquaredNoiseWidth(image.axes))
    , m_Extent(NodesOf(image))
    , m_Count(NumberOfVoxels(m_Extent))
    , m_Sums(context, m_Count)
    , m_Smoothed(context, m_Count)
    , m_Scratch(context, m_Count)
    , m_Values(context, m_Count)
  {}

  NoiseNodes
  View() const
  {
    const SoAField values = m_Values.View();
    return {
      m_Extent, m_Sums.View(), m_Smoothed.View(), values.x, values.y, values.z, m_IsRician, m_InverseSquaredWidth
    };
  }

  /** Smooths the sums. \param sigma standard deviation of the Gaussian, in nodes */
  void
  Smooth(Context & context, double sigma) const
  {
    constexpr double      cut = 0.01; // 3.03 standard deviations
    const GaussianWeights weights({ sigma, sigma, sigma }, cut);
    const FieldSmoothing  smoothing{ m_Extent, Boundary::Zero, m_Sums.View(), m_Scratch.View(), m_Smoothed.View(), {} };
    CUDANEURO_DISPATCH(context, SmoothField(context, weights, smoothing));
  }

private:
  static Extent
  NodesOf(const NoiseImage & image)
  {
    return { NumberOfNoiseNodes(image.extent.x, image.block[0]),
             NumberOfNoiseNodes(image.extent.y, image.block[1]),
             NumberOfNoiseNodes(image.extent.z, image.block[2]) };
  }

  bool           m_IsRician;
  float          m_InverseSquaredWidth;
  Extent         m_Extent;
  std::int64_t   m_Count;
  SoAFieldMemory m_Sums;
  SoAFieldMemory m_Smoothed;
  SoAFieldMemory m_Scratch;
  SoAFieldMemory m_Values;
};

/** Replaces the sums over the cubes of blocks by averaged first values. It is fast, because nodes are few. */
void
BeginNodes(Context & context, const NodeMemory & memory, double sigma)
{
  constexpr int                rounds = 3;
  constexpr double             widening = 1.5; // first values have larger errors than refined ones
  const Context::ProgressPause pause(context);
  const NoiseNodes             nodes = memory.View();
  UpdateNodes(context, NodeStep::Begin, nodes);
  memory.Smooth(context, widening * sigma);
  for (int i = 0; i < rounds; ++i)
  {
    UpdateNodes(context, NodeStep::WeighDown, nodes);
    memory.Smooth(context, widening * sigma);
  }
  UpdateNodes(context, NodeStep::SetSigma, nodes);
}

void
RefineNodes(Context & context, const NodeMemory & memory, double sigma)
{
  const Context::ProgressPause pause(context);
  memory.Smooth(context, sigma);
  UpdateNodes(context, NodeStep::Refine, memory.View());
}

/** The image on the device: all of it for all passes, or slabs of planes, which each pass copies there again. */
class NoiseSource
{
public:
  NoiseSource(Context &           context,
              const NoiseImage &  image,
              const Grid &        grid,
              const ConstVolume & input,
              const ConstVolume & mask,
              std::int64_t        planes)
    : m_Context(context)
    , m_Image(image)
    , m_Grid(grid)
    , m_Input(input)
    , m_Mask(mask)
    , m_Planes(planes)
  {
    if (planes >= grid.size[2])
    {
      m_Whole.emplace(context, grid, input, mask);
    }
  }

  /** Calls body(image, grid, first plane) for each slab.
   * \param halo planes after those of a slab, which the slab includes */
  template <typename TBody>
  void
  ForSlabs(std::int64_t halo, const TBody & body) const
  {
    if (m_Whole)
    {
      body(this->ImageOf(*m_Whole, m_Image.extent.z, 0), m_Grid, 0);
      return;
    }
    Context::ProgressSteps progress(m_Context);
    const std::int64_t     all = m_Grid.size[2];
    // With a halo, the last plane holds no cubes of its own.
    for (std::int64_t first = 0; first < all - halo; first += m_Planes)
    {
      Grid grid = m_Grid;
      grid.size[2] = std::min(m_Planes + halo, all - first);
      progress.UpTo(static_cast<double>(std::min(first + m_Planes, all)) / static_cast<double>(all));
      {
        const Context::ProgressPause pause(m_Context);
        const Volumes volumes(m_Context, grid, PlanesFrom(m_Input, m_Grid, first), PlanesFrom(m_Mask, m_Grid, first));
        body(this->ImageOf(volumes, static_cast<int>(grid.size[2]), static_cast<int>(first)), grid, first);
      }
      m_Context.ReportProgress(1.0);
    }
  }

private:
  struct Volumes
  {
    FloatInput input;
    MaskInput  mask;

    Volumes(Context & context, const Grid & grid, const ConstVolume & itsInput, const ConstVolume & itsMask)
      : input(context, grid, itsInput)
      , mask(context, grid, itsMask)
    {}
  };

  NoiseImage
  ImageOf(const Volumes & volumes, int planes, int first) const
  {
    NoiseImage image = m_Image;
    image.input = volumes.input.Data();
    image.mask = volumes.mask.Data();
    image.extent.z = planes;
    image.firstPlane = first;
    return image;
  }

  Context &              m_Context;
  NoiseImage             m_Image;
  Grid                   m_Grid;
  ConstVolume            m_Input;
  ConstVolume            m_Mask;
  std::int64_t           m_Planes;
  std::optional<Volumes> m_Whole;
};

/** Runs all passes: sums over the cubes of the blocks, and after each pass the steps of the nodes. */
void
FindNoise(Context & context, const NoiseSource & source, const NodeMemory & memory, double sigma)
{
  constexpr int          refinements = 2;
  const NoiseNodes       nodes = memory.View();
  Context::ProgressSteps progress(context);
  progress.UpTo(0.3);
  source.ForSlabs(1,
                  [&](const NoiseImage & image, const Grid &, std::int64_t) { SumComponents(context, image, nodes); });
  BeginNodes(context, memory, sigma);
  for (int i = 0; i < refinements; ++i)
  {
    progress.UpTo(0.6 + 0.4 * i);
    source.ForSlabs(1,
                    [&](const NoiseImage & image, const Grid &, std::int64_t) { SumWeighted(context, image, nodes); });
    RefineNodes(context, memory, sigma);
  }
}

NoiseMapPartial
WriteMap(Context &           context,
         const NoiseSource & source,
         const NoiseNodes &  nodes,
         const Grid &        whole,
         const ConstVolume & input,
         const Volume &      map)
{
  NoiseMapPartial partial = NoiseMapPartial::Empty();
  source.ForSlabs(0, [&](const NoiseImage & image, const Grid & grid, std::int64_t first) {
    FloatOutput            output(context, grid, PlanesFrom(map, whole, first), PlanesFrom(input, whole, first).data);
    Context::ProgressSteps progress(context);
    progress.UpTo(0.7);
    partial.Include(WriteNoiseMap(context, image, nodes, output.Data()));
    progress.UpTo(1.0);
    output.Finish();
  });
  return partial;
}

NoiseMapResult
MakeNoiseMapResult(const NoiseMapPartial & partial, double sigma)
{
  if (partial.count == 0)
  {
    return { 0, std::nan(""), std::nan(""), std::nan(""), partial.excluded, sigma };
  }
  const double mean = partial.sum / static_cast<double>(partial.count);
  return { partial.count, mean, partial.minimum, partial.maximum, partial.excluded, sigma };
}

/** Returns the number of planes of image and map that fit into the memory of the device, or all planes. */
std::int64_t
PlanesOfSlabs(Context & context, const Grid & grid, const ConstVolume & mask)
{
  const std::int64_t planes = grid.size[2];
  if (*std::min_element(grid.size.begin(), grid.size.end()) == 1)
  {
    return planes;
  }
  // Input and map, each in its host type and as float; the nodes of blocks one cube deep take less.
  constexpr std::int64_t alignment = 8;
  const std::int64_t fitting = PlanesThatFit(context, grid, 2 * (sizeof(double) + sizeof(float)) + (mask.data ? 1 : 0));
  return fitting == planes ? planes : std::max(alignment, RoundDown(fitting - 1, alignment));
}

} // namespace

NoiseMapResult
EstimateNoiseMapInSlabs(Context &                  context,
                        const NoiseMapParameters & parameters,
                        const Grid &               grid,
                        const ConstVolume &        input,
                        const ConstVolume &        mask,
                        const Volume &             map,
                        std::int64_t               planes)
{
  NoiseMapResult result;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.1);
    const float       limit = SampleIntensities(context, grid, input, mask).limit;
    const NoiseImage  image = MakeNoiseImage(parameters, grid, limit);
    const int         edge = NoiseBlockEdge(image.axes);
    const double      sigma = parameters.smoothingSigma > 0.0 ? parameters.smoothingSigma : edge;
    const NodeMemory  memory(context, image);
    const NoiseSource source(context, image, grid, input, mask, planes);
    progress.UpTo(0.8);
    FindNoise(context, source, memory, sigma / edge);
    progress.UpTo(1.0);
    result = MakeNoiseMapResult(WriteMap(context, source, memory.View(), grid, input, map), sigma);
  });
  if (planes < grid.size[2])
  {
    StatisticsOf(context).numberOfSlabs = static_cast<unsigned int>(DivideUp(grid.size[2], planes));
  }
  context.ReportProgress(1.0);
  return result;
}

NoiseMapResult
EstimateNoiseMap(Context &                  context,
                 const NoiseMapParameters & parameters,
                 const Grid &               grid,
                 const ConstVolume &        input,
                 const ConstVolume &        mask,
                 const Volume &             map)
{
  RequireImages(context, grid, input, mask, map);
  RequireParameters(parameters, grid);
  if (parameters.ricianCorrection)
  {
    RequireMagnitude(context, grid, input, mask);
  }
  return EstimateNoiseMapInSlabs(context, parameters, grid, input, mask, map, PlanesOfSlabs(context, grid, mask));
}

} // namespace cudaneuro
