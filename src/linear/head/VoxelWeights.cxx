// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "linear/head/VoxelWeights.h"

#include "fields/warp/Warp.h"
#include "images/ImagePreparation.h"
#include "images/ValidImage.h"

namespace cudaneuro
{

namespace
{

/** Width of the margin around the head in which voxels count, as a fraction of the scale: 12 mm for an adult's head. */
constexpr double marginOfHead = 0.3;

constexpr double weightUnits = 255.0;

/** A piecewise linear function of the depth, constant beyond its outermost points. */
class WeightFunction
{
public:
  void
  Add(double depth, double weight)
  {
    m_Map.from.push_back(static_cast<float>(depth));
    m_Map.to.push_back(static_cast<float>(weight));
  }

  /** Interpolates the depth at the centers of a grid's voxels, and applies the function to it. */
  DeviceMemory
  Apply(Context & context, const HeadDepth & depth, const Geometry & geometry) const
  {
    const auto bytes = [](const Geometry & g) {
      return static_cast<std::size_t>(g.grid.NumberOfVoxels()) * sizeof(float);
    };
    const DeviceMemory coarse = context.Allocate(bytes(depth.GetGeometry()));
    DeviceMemory       weights = context.Allocate(bytes(geometry));
    CopyVolume(context,
               depth.GetGeometry().grid,
               { depth.GetDepth().data(), PixelType::Float, MemorySpace::Host },
               { coarse.Data(), PixelType::Float, MemorySpaceOf(context) });
    VolumeWarp warp;
    warp.inputExtent = ExtentOf(depth.GetGeometry().grid);
    warp.input = static_cast<const float *>(coarse.Data());
    warp.outputExtent = ExtentOf(geometry.grid);
    warp.mapping.indexMap = Compose(PointToIndex(depth.GetGeometry()), IndexToPoint(geometry));
    warp.output = static_cast<float *>(weights.Data());
    WarpVolume(context, warp);
    MapIntensities(context, geometry.grid.NumberOfVoxels(), m_Map, nullptr, warp.output);
    return weights;
  }

private:
  IntensityMap m_Map;
};

/** The weight near the head, 1 inside it, falls from 1 to 0 over the outer third of the margin. */
WeightFunction
NearHeadFunction(double scale)
{
  const double   margin = marginOfHead * scale;
  WeightFunction function;
  function.Add(-2.0 * margin, 0.0);
  function.Add(-margin, 0.0);
  function.Add(-margin / 1.5, weightUnits);
  function.Add(0.0, weightUnits);
  return function;
}

/** The weight is the square of the depth as a fraction of the scale, at most 1. */
WeightFunction
DepthFunction(double scale)
{
  constexpr int  pieces = 16;
  WeightFunction function;
  function.Add(-scale, 0.0);
  for (int piece = 0; piece <= pieces; ++piece)
  {
    const double part = static_cast<double>(piece) / pieces;
    function.Add(part * scale, weightUnits * part * part);
  }
  function.Add(2.0 * scale, weightUnits);
  return function;
}

} // namespace

DeviceMemory
MakeVoxelWeights(Context & context, const HeadDepth & depth, VoxelWeighting weighting, const Geometry & geometry)
{
  const WeightFunction function =
    weighting == VoxelWeighting::Depth ? DepthFunction(depth.GetScale()) : NearHeadFunction(depth.GetScale());
  const DeviceMemory values = function.Apply(context, depth, geometry);
  DeviceMemory       weights = context.Allocate(static_cast<std::size_t>(geometry.grid.NumberOfVoxels()));
  const MemorySpace  space = MemorySpaceOf(context);
  CopyVolume(context,
             geometry.grid,
             { values.Data(), PixelType::Float, space },
             { weights.Data(), PixelType::UnsignedChar, space });
  return weights;
}

DeviceMemory
MakeLinearDepthWeights(Context & context, const HeadDepth & depth, const Geometry & geometry)
{
  WeightFunction function;
  function.Add(-depth.GetScale(), 0.0);
  function.Add(0.0, 0.0);
  function.Add(depth.GetScale(), 1.0);
  function.Add(2.0 * depth.GetScale(), 1.0);
  return function.Apply(context, depth, geometry);
}

} // namespace cudaneuro
