// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "denoising/noisemap/NoiseMap.h"

#include "core/ParameterChecks.h"
#include "denoising/noisemap/NoiseMapFormulas.h"
#include "images/GaussianSmoothing.h"
#include "images/ReferenceIntensity.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

NoiseMapResult
WriteNoiseMap(Context & context, const NoiseImage & image, const NoiseNodes & nodes, float * map)
{
  CUDANEURO_DISPATCH(context, WriteNoiseMap(context, image, nodes, map));
}

namespace
{

/** The image without pixels. */
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
  image.depthZ = axes == 3 ? NoiseBlockDepth(grid.spacing[2] / std::sqrt(grid.spacing[0] * grid.spacing[1])) : 1;
  // A sample of zeros says nothing of the other voxels: those are within this limit whose squares are finite.
  constexpr float mostWithoutSample = 1e15f;
  const bool      isKnown = limit < std::numeric_limits<float>::max();
  image.limit = isKnown ? limit : mostWithoutSample;
  image.scale = isKnown ? std::ldexp(1.0f, -std::clamp(std::ilogb(limit), -120, 120)) : 1.0f;
  image.isRician = parameters.ricianCorrection;
  return image;
}

/** The memory of the nodes' values. */
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

  /** Smooths the sums. \param sigma in nodes */
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
    const int edge = NoiseBlockEdge(image.axes);
    return { NumberOfNoiseNodes(image.extent.x, edge),
             NumberOfNoiseNodes(image.extent.y, edge),
             NumberOfNoiseNodes(image.extent.z, image.depthZ) };
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

/** Replaces the sums over the cubes of blocks by the first values, averaged. Nodes are few. */
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

NoiseMapResult
MapOnDevice(Context & context, const NoiseMapParameters & parameters, const NoiseImage & image, float * map)
{
  constexpr int          refinements = 2;
  const double           chosen = parameters.smoothingSigma / NoiseBlockEdge(image.axes);
  const double           sigma = parameters.smoothingSigma > 0.0 ? chosen : 1.0;
  const NodeMemory       memory(context, image);
  const NoiseNodes       nodes = memory.View();
  Context::ProgressSteps progress(context);
  progress.UpTo(0.2);
  SumComponents(context, image, nodes);
  BeginNodes(context, memory, sigma);
  for (int i = 0; i < refinements; ++i)
  {
    progress.UpTo(0.5 + 0.3 * i);
    SumWeighted(context, image, nodes);
    RefineNodes(context, memory, sigma);
  }
  progress.UpTo(1.0);
  return WriteNoiseMap(context, image, nodes, map);
}

} // namespace

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
  NoiseMapResult result;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.1);
    NoiseImage       image = MakeNoiseImage(parameters, grid, SampleIntensities(context, grid, input, mask).limit);
    const FloatInput source(context, grid, input);
    const MaskInput  inside(context, grid, mask);
    FloatOutput      output(context, grid, map, input.data);
    image.input = source.Data();
    image.mask = inside.Data();
    progress.UpTo(0.9);
    result = MapOnDevice(context, parameters, image, output.Data());
    progress.UpTo(1.0);
    output.Finish();
  });
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro
