// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "registration/labels/PrepareLabels.h"

#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "core/PlaneFrames.h"
#include "images/ImageChecks.h"
#include "jobs/DeviceVolumes.h"
#include "registration/labels/LabelCodes.h"

#include <algorithm>

namespace cudaneuro
{

namespace
{

constexpr ParameterRange rangeOfWeights = Between(0.0, 1e6);

void
RequireWeights(const std::vector<double> & weights)
{
  if (weights.empty())
  {
    return;
  }
  if (weights.size() > static_cast<std::size_t>(largestLabelCode) + 1)
  {
    ThrowInvalid("the number of weights of labels", weights.size(), "65534 or smaller, one a code from 0 to 65533");
  }
  for (std::size_t code = 0; code < weights.size(); ++code)
  {
    RequireInRange("the weight of label " + std::to_string(code), weights[code], rangeOfWeights);
  }
  if (*std::max_element(weights.begin(), weights.end()) == 0.0)
  {
    ThrowInvalid("the largest weight of a label", 0, "greater than 0");
  }
}

DeviceMemory
AllocateCodes(Context & context, std::int64_t count)
{
  return context.Allocate(static_cast<std::size_t>(count) * sizeof(std::uint16_t));
}

std::uint16_t *
Codes(const DeviceMemory & memory)
{
  return static_cast<std::uint16_t *>(memory.Data());
}

void
UploadWeights(Context & context, const std::vector<double> & weights, PreparedLabels & prepared)
{
  // Without weights, 0 is no label, and all others have the same weight.
  std::vector<float> values(weights.begin(), weights.end());
  if (values.empty())
  {
    values.push_back(0.0f);
    prepared.weightBeyond = 1.0f;
  }
  prepared.numberOfWeights = static_cast<int>(values.size());
  prepared.weights = context.Allocate(values.size() * sizeof(float));
  Grid row;
  row.size = { static_cast<std::int64_t>(values.size()), 1, 1 };
  CopyVolume(context,
             row,
             { values.data(), PixelType::Float, MemorySpace::Host },
             { prepared.weights.Data(), PixelType::Float, MemorySpaceOf(context) });
}

} // namespace

void
RequireLabelMap(const std::string & name,
                const Context &     context,
                int                 dimension,
                const Geometry &    geometry,
                const ConstVolume & labels)
{
  RequireVolume(name.c_str(), context, labels);
  if (labels.type != PixelType::UnsignedChar && labels.type != PixelType::UnsignedShort)
  {
    ThrowInvalid("the type of the " + name, PixelTypeName(labels.type), "uint8 or uint16");
  }
  RequireRegistrationGrid(name, geometry.grid);
  if (IsFlat(geometry.grid) != (dimension == 2))
  {
    ThrowInvalid("the size of the " + name,
                 SizeText(geometry.grid),
                 dimension == 2 ? "that of one slice, as the images are" : "that of several slices, as the images are");
  }
  PointToIndex(geometry);
}

DeviceMemory
TakeLabelsToGrid(Context & context, const LabelMap & map, const Grid & grid, const IndexMapping & mapping)
{
  const bool isWide = map.type == PixelType::UnsignedShort;
  if (isWide)
  {
    const auto * const labels = static_cast<const std::uint16_t *>(map.data);
    const int          largest = LargestLabel(context, map.geometry.grid.NumberOfVoxels(), labels);
    if (largest > largestLabelCode)
    {
      ThrowInvalid("the largest label of the " + map.name, largest, std::to_string(largestLabelCode) + " or smaller");
    }
  }
  DeviceMemory codes = AllocateCodes(context, grid.NumberOfVoxels());
  ResampleLabels(context, { ExtentOf(map.geometry.grid), map.data, isWide, ExtentOf(grid), mapping, Codes(codes) });
  return codes;
}

void
RequireLabels(const Context & context, int dimension, const LabelPair & labels)
{
  if (labels.IsEmpty())
  {
    return;
  }
  if (labels.fixed.data == nullptr || labels.moving.data == nullptr)
  {
    ThrowInvalid("the number of maps of labels", 1, "2, one of each head, or 0");
  }
  RequireLabelMap("fixed labels", context, dimension, labels.fixedGeometry, labels.fixed);
  RequireLabelMap("moving labels", context, dimension, labels.movingGeometry, labels.moving);
  RequireWeights(labels.weights);
}

PreparedLabels
PrepareLabels(Context & context, const LabelPair & labels, const LabelPlaces & places)
{
  RequireInSlice("the place of the fixed labels", places.geometry, places.toFixed, labels.fixedGeometry);
  RequireInSlice("the place of the moving labels", places.geometry, places.toMoving, labels.movingGeometry);
  PreparedLabels         prepared;
  Context::ProgressSteps progress(context);
  prepared.extent = ExtentOf(places.geometry.grid);
  progress.UpTo(0.4);
  const LabelInput fixed(context, labels.fixedGeometry.grid, labels.fixed);
  progress.UpTo(0.8);
  const LabelInput moving(context, labels.movingGeometry.grid, labels.moving);
  progress.UpTo(1.0);
  UploadWeights(context, labels.weights, prepared);
  prepared.fixed = TakeLabelsToGrid(context,
                                    { "fixed labels", labels.fixedGeometry, labels.fixed.type, fixed.Data() },
                                    places.geometry.grid,
                                    { IndexMapBetween(places.geometry, places.toFixed, labels.fixedGeometry), {} });
  prepared.moving =
    TakeLabelsToGrid(context,
                     { "moving labels", labels.movingGeometry, labels.moving.type, moving.Data() },
                     places.geometry.grid,
                     { IndexMapBetween(places.geometry, places.toMoving, labels.movingGeometry), places.field });
  return prepared;
}

PreparedLabels
LabelsOfLevel(Context & context, const PreparedLabels & labels, const std::array<int, 3> & factors)
{
  const Extent & full = labels.extent;
  const Extent   used{ full.x > 1 ? factors[0] : 1, full.y > 1 ? factors[1] : 1, full.z > 1 ? factors[2] : 1 };
  if (used.x == 1 && used.y == 1 && used.z == 1)
  {
    return labels;
  }
  PreparedLabels level = labels;
  level.extent = { DivideUp(full.x, used.x), DivideUp(full.y, used.y), DivideUp(full.z, used.z) };
  const auto shrink = [&](const DeviceMemory & from) {
    DeviceMemory codes = AllocateCodes(context, NumberOfVoxels(level.extent));
    ShrinkLabels(context, { full, Codes(from), { used.x, used.y, used.z }, level.extent, Codes(codes) });
    return codes;
  };
  level.fixed = shrink(labels.fixed);
  level.moving = shrink(labels.moving);
  return level;
}

} // namespace cudaneuro
