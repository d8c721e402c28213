// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "neighbors/NearestNeighbors.h"

#include "core/Dispatch.h"
#include "core/IntegerMath.h"
#include "core/ParameterChecks.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "neighbors/NeighborFormulas.h"
#include "neighbors/NeighborVectors.h"

namespace cudaneuro
{
namespace
{

void
RequireFromOne(const char * name, std::int64_t value, std::int64_t largest)
{
  if (value < 1 || value > largest)
  {
    ThrowInvalid(name, value, "from 1 to " + std::to_string(largest));
  }
}

Grid
GridOf(std::int64_t count, int valuesPerVector)
{
  return { { valuesPerVector, count, 1 } };
}

/** An array, or its vectors, as a volume; values of 32 bits are copied unchanged. */
template <typename T>
Volume
AsVolume(T * data, MemorySpace space)
{
  static_assert(sizeof(T) == sizeof(float));
  return { data, PixelType::Float, space };
}

ConstVolume
AsVolume(const ConstVectors & vectors)
{
  return { vectors.data, PixelType::Float, vectors.space };
}

void
RequireArray(const char * name, const Context & context, const ConstVolume & array)
{
  if (array.data == nullptr)
  {
    ThrowInvalid(name, "absent (a null pointer)", "given");
  }
  RequireVolume(name, context, array);
}

void
RequireArguments(const Context &                    context,
                 const NearestNeighborsParameters & parameters,
                 const ConstVectors &               queries,
                 const ConstVectors &               points,
                 const Neighbors &                  output)
{
  RequireParameters(parameters);
  RequireFromOne("the number of points", points.count, maximumNumberOfVectors);
  RequireFromOne("the number of queries", queries.count, maximumNumberOfVectors);
  RequireArray("the array of points", context, AsVolume(points));
  RequireArray("the array of queries", context, AsVolume(queries));
  RequireArray("the array of indices", context, { output.indices, PixelType::Float, output.space });
}

bool
AreSame(const ConstVectors & a, const ConstVectors & b)
{
  return a.data == b.data && a.count == b.count;
}

RefusedComponent
PadVectors(Context & context, const VectorPadding & padding)
{
  CUDANEURO_DISPATCH(context, PadVectors(context, padding));
}

/** Pads vectors to working vectors on the context's device.
 * \throws InvalidParameterError naming a component that is not finite, or too large */
DeviceMemory
MakeWorkingVectors(Context & context, const std::string & name, int dimension, const ConstVectors & vectors)
{
  Context::ProgressSteps progress(context);
  progress.UpTo(0.5);
  const FloatInput input(context, GridOf(vectors.count, dimension), AsVolume(vectors));
  progress.UpTo(1.0);
  VectorPadding padding;
  padding.dimension = dimension;
  padding.count = vectors.count;
  padding.input = input.Data();
  padding.stride = RoundUp(dimension, componentGranularity);
  DeviceMemory memory = context.Allocate(static_cast<std::size_t>(vectors.count) * padding.stride * sizeof(float));
  padding.output = static_cast<float *>(memory.Data());
  const RefusedComponent refused = PadVectors(context, padding);
  if (refused.index >= 0)
  {
    ThrowInvalid("component " + std::to_string(refused.index % dimension) + " of " + name + " " +
                   std::to_string(refused.index / dimension),
                 refused.value,
                 "finite, and 1e15 or less in magnitude");
  }
  return memory;
}

void
Dispatch(Context & context, const NeighborSearch & search)
{
  CUDANEURO_DISPATCH(context, FindNeighbors(context, search));
}

/** Finds the neighbors for arguments that are valid, except that components have not been checked. */
void
Find(Context &                          context,
     const NearestNeighborsParameters & parameters,
     const ConstVectors &               queries,
     const ConstVectors &               points,
     const Neighbors &                  output)
{
  const int              dimension = parameters.dimension;
  Context::ProgressSteps progress(context);
  progress.UpTo(0.01);
  const DeviceMemory workingPoints = MakeWorkingVectors(context, "point", dimension, points);
  progress.UpTo(0.02);
  const DeviceMemory workingQueries =
    AreSame(queries, points) ? workingPoints : MakeWorkingVectors(context, "query", dimension, queries);
  const Grid  results = GridOf(queries.count, parameters.numberOfNeighbors);
  FloatOutput indices(context, results, AsVolume(output.indices, output.space));
  FloatOutput squaredDistances(context, results, AsVolume(output.squaredDistances, output.space));

  NeighborSearch search;
  search.stride = RoundUp(dimension, componentGranularity);
  search.dimension = dimension;
  search.numberOfNeighbors = parameters.numberOfNeighbors;
  search.excludeSelf = parameters.excludeSelf;
  search.numberOfQueries = queries.count;
  search.numberOfPoints = points.count;
  search.queries = static_cast<const float *>(workingQueries.Data());
  search.points = static_cast<const float *>(workingPoints.Data());
  search.indices = reinterpret_cast<std::int32_t *>(indices.Data());
  search.squaredDistances = squaredDistances.Data();
  progress.UpTo(0.98);
  Dispatch(context, search);
  progress.UpTo(0.99);
  indices.Finish();
  progress.UpTo(1.0);
  squaredDistances.Finish();
  context.ReportProgress(1.0);
}

} // namespace

void
FindNearestNeighbors(Context &                          context,
                     const NearestNeighborsParameters & parameters,
                     const ConstVectors &               queries,
                     const ConstVectors &               points,
                     const Neighbors &                  output)
{
  RequireArguments(context, parameters, queries, points, output);
  RunDeviceJob(context, [&] { Find(context, parameters, queries, points, output); });
}

} // namespace cudaneuro
