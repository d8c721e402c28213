// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "surface/NonLocalMeansLevelSet.h"

#include "core/Dispatch.h"
#include "core/ParameterChecks.h"
#include "cudaneuro/SignedDistance.h"
#include "jobs/DeviceJob.h"
#include "jobs/DeviceVolumes.h"
#include "neighbors/NearestNeighbors.h"
#include "surface/BandFormulas.h"
#include "surface/LevelSetDefaults.h"
#include "surface/LevelSetVolume.h"
#include "surface/NonLocalMeansLevelSetChecks.h"

#include <algorithm>
#include <cmath>

namespace cudaneuro
{

namespace
{

void
FindNeighborsOnDevice(Context & context, const NeighborSearch & search)
{
  CUDANEURO_DISPATCH(context, FindNeighbors(context, search));
}

template <typename T>
T *
DataOf(const DeviceMemory & memory)
{
  return static_cast<T *>(memory.Data());
}

/** The smallest norm of the gradient that is not exceeded in this fraction of the voxels, to half a bin. */
double
QuantileOf(const std::vector<std::int64_t> & gradientCounts, double part, std::int64_t voxels)
{
  double below = 0.0;
  int    bin = 0;
  for (; bin < numberOfGradientBins - 1; ++bin)
  {
    below += static_cast<double>(gradientCounts[static_cast<std::size_t>(bin)]);
    if (below >= part * static_cast<double>(voxels))
    {
      break;
    }
  }
  return (bin + 0.5) * gradientBinWidth;
}

/** Denoises distances in memory of the context's device, in place. */
class LevelSetRun
{
public:
  LevelSetRun(Context &                               context,
              const NonLocalMeansLevelSetParameters & parameters,
              const Grid &                            grid,
              const unsigned char *                   mask)
    : m_Context(context)
    , m_Parameters(parameters)
    , m_Grid(grid)
    , m_Extent(ExtentOf(grid))
    , m_Mask(mask)
  {
    m_Result.bandWidth = parameters.bandWidth > 0.0 ? parameters.bandWidth : RecommendedBandWidth(grid);
  }

  /** Finds the narrow band, checks it, and records its statistics. */
  void
  Begin(const float * input)
  {
    const Context::ProgressPause pause(m_Context);
    BandSurvey                   survey = BandSurvey::Empty();
    m_Band = this->FindBandOf(input, survey);
    RequireBand(m_Context, m_Result.bandWidth, m_Grid, input, survey);
    m_Result.bandVoxels = m_Band.count;
    const std::vector<std::int64_t> counts = CountGradientNorms(m_Context, this->ViewOf(input), m_Grid.spacing);
    m_Result.lowGradientNorm = QuantileOf(counts, 0.05, m_Band.count);
    m_Result.highGradientNorm = QuantileOf(counts, 0.95, m_Band.count);
    m_Result.volumeBefore = this->VolumeOf(input, 0.0);
  }

  void
  Run(float * distances)
  {
    Context::ProgressSteps progress(m_Context);
    for (int pass = 0; pass < m_Parameters.numberOfPasses; ++pass)
    {
      progress.UpTo(static_cast<double>(pass + 1) / m_Parameters.numberOfPasses);
      if (pass > 0)
      {
        const Context::ProgressPause pause(m_Context);
        BandSurvey                   survey = BandSurvey::Empty();
        m_Band = this->FindBandOf(distances, survey);
      }
      this->RunPass(pass == 0, distances);
      m_Context.ReportProgress(1.0);
    }
  }

  void
  Finish(float * distances)
  {
    const Context::ProgressPause pause(m_Context);
    if (m_Parameters.volumeCorrection)
    {
      const double unit = 0.01 * MeanSpacing(m_Grid);
      m_Result.volumeOffset =
        FindOffset([&](double offset) { return this->VolumeOf(distances, offset); }, m_Result.volumeBefore, unit);
      AddOffset(m_Context, this->WithOffset(distances, m_Result.volumeOffset), distances);
    }
    m_Result.volumeAfter = this->VolumeOf(distances, 0.0);
  }

  const NonLocalMeansLevelSetResult &
  GetResult() const
  {
    return m_Result;
  }

private:
  Band
  FindBandOf(const float * distances, BandSurvey & survey)
  {
    m_Band = Band(); // frees the old band first
    return FindBand(m_Context, { m_Extent, distances, m_Mask, static_cast<float>(m_Result.bandWidth) }, survey);
  }

  BandView
  ViewOf(const float * distances) const
  {
    return { m_Extent, distances, m_Band.count, m_Band.Data() };
  }

  OffsetDistances
  WithOffset(const float * distances, double offset) const
  {
    return { m_Extent, distances, m_Mask, offset };
  }

  /** The enclosed volume in mm^3. */
  double
  VolumeOf(const float * distances, double offset) const
  {
    const double ofVoxel = m_Grid.spacing[0] * m_Grid.spacing[1] * m_Grid.spacing[2];
    return ofVoxel * EnclosedVolume(m_Context, this->WithOffset(distances, offset));
  }

  DeviceMemory
  AllocateForBand(int elementsPerVoxel)
  {
    return m_Context.Allocate(static_cast<std::size_t>(m_Band.count) * static_cast<std::size_t>(elementsPerVoxel) *
                              sizeof(float));
  }

  void
  RunPass(bool isFirst, float * distances)
  {
    Context::ProgressSteps progress(m_Context);
    progress.UpTo(0.8);
    // A single voxel has no neighbor to be averaged with.
    if (m_Band.count > 1)
    {
      const int neighbors = static_cast<int>(std::min<std::int64_t>(m_Parameters.numberOfNeighbors, m_Band.count - 1));
      const DeviceMemory indices = this->AllocateForBand(neighbors);
      const DeviceMemory weights = this->AllocateForBand(neighbors);
      this->FindSimilar(distances, neighbors, indices, weights);
      const SimilarVoxels similar{ m_Band.count, neighbors, DataOf<std::int32_t>(indices), DataOf<float>(weights) };
      const float         timeStep = this->ComputeWeightsOf(similar, isFirst);
      progress.UpTo(0.9);
      this->DiffuseBand(similar, timeStep, distances);
    }
    progress.UpTo(1.0);
    if (m_Parameters.reinitialize)
    {
      this->Reinitialize(distances);
    }
  }

  void
  FindSimilar(const float *        distances,
              int                  neighbors,
              const DeviceMemory & indices,
              const DeviceMemory & squaredDistances)
  {
    NeighborSearch search;
    search.stride = PatchStride(m_Parameters.patchSize);
    search.dimension = m_Parameters.patchSize * m_Parameters.patchSize * m_Parameters.patchSize;
    const DeviceMemory patches = this->AllocateForBand(search.stride);
    {
      const Context::ProgressPause pause(m_Context);
      GatherPatches(m_Context, this->ViewOf(distances), m_Parameters.patchSize, DataOf<float>(patches));
    }
    search.numberOfNeighbors = neighbors;
    search.excludeSelf = true;
    search.numberOfQueries = m_Band.count;
    search.numberOfPoints = m_Band.count;
    search.queries = DataOf<float>(patches);
    search.points = DataOf<float>(patches);
    search.indices = DataOf<std::int32_t>(indices);
    search.squaredDistances = DataOf<float>(squaredDistances);
    FindNeighborsOnDevice(m_Context, search);
  }

  /** Computes the weights. \returns the time step, which is 0 if all weights vanish */
  float
  ComputeWeightsOf(const SimilarVoxels & similar, bool isFirst)
  {
    const Context::ProgressPause pause(m_Context);
    double                       spatialScale = m_Parameters.spatialScale;
    double                       similarityScale = m_Parameters.similarityScale;
    if (spatialScale == 0.0)
    {
      spatialScale = DefaultSpatialScale(m_Grid);
    }
    if (similarityScale == 0.0)
    {
      std::vector<float> distances = DistancesOfNeighbor(m_Context, similar, 0);
      similarityScale = DefaultSimilarityScale(m_Grid, m_Parameters.patchSize, distances);
    }
    const WeightRates rates = MakeWeightRates(spatialScale, similarityScale, m_Grid);
    const double      largestSum = ComputeWeights(m_Context, rates, m_Band.Data(), similar);
    const double      timeStep = largestSum > 0.0 ? 1.0 / largestSum : 0.0;
    if (isFirst)
    {
      m_Result.spatialScale = spatialScale;
      m_Result.similarityScale = similarityScale;
      m_Result.timeStep = timeStep;
    }
    return static_cast<float>(timeStep);
  }

  void
  DiffuseBand(const SimilarVoxels & similar, float timeStep, float * distances)
  {
    const DeviceMemory now = this->AllocateForBand(1);
    const DeviceMemory next = this->AllocateForBand(1);
    BandValues         values{ DataOf<float>(now), DataOf<float>(next) };
    {
      const Context::ProgressPause pause(m_Context);
      ReadBand(m_Context, this->ViewOf(distances), values.now);
    }
    Diffuse(m_Context, similar, timeStep, m_Parameters.numberOfIterations, values);
    const Context::ProgressPause pause(m_Context);
    WriteBand(m_Context, this->ViewOf(distances), values.now, distances);
  }

  /** Makes distances exact within the reach of the band's patches. */
  void
  Reinitialize(float * distances)
  {
    const auto &             spacing = m_Grid.spacing;
    const int                patchRadius = m_Parameters.patchSize / 2;
    const double             diagonal = std::hypot(spacing[0], spacing[1], spacing[2]);
    const auto               reach = static_cast<float>(m_Result.bandWidth + patchRadius * diagonal);
    const std::int64_t       voxels = m_Grid.NumberOfVoxels();
    const DeviceMemory       exact = m_Context.Allocate(static_cast<std::size_t>(voxels) * sizeof(float));
    const MemorySpace        space = MemorySpaceOf(m_Context);
    SignedDistanceParameters parameters;
    parameters.reach = static_cast<double>(reach);
    ReinitializeSignedDistance(
      m_Context, parameters, m_Grid, { distances, PixelType::Float, space }, { exact.Data(), PixelType::Float, space });
    const Context::ProgressPause pause(m_Context);
    JoinDistances(m_Context, voxels, { DataOf<float>(exact), m_Mask, reach, distances });
  }

  Context &                               m_Context;
  const NonLocalMeansLevelSetParameters & m_Parameters;
  const Grid &                            m_Grid;
  Extent                                  m_Extent;
  const unsigned char *                   m_Mask;
  Band                                    m_Band;
  NonLocalMeansLevelSetResult             m_Result;
};

} // namespace

NonLocalMeansLevelSetResult
NonLocalMeansLevelSet(Context &                               context,
                      const NonLocalMeansLevelSetParameters & parameters,
                      const Grid &                            grid,
                      const ConstVolume &                     input,
                      const ConstVolume &                     mask,
                      const Volume &                          output)
{
  RequireParameters(parameters);
  RequireImages(context, grid, input, mask, output);
  RequireThreeDimensions(grid);
  NonLocalMeansLevelSetResult result;
  RunDeviceJob(context, [&] {
    Context::ProgressSteps progress(context);
    progress.UpTo(0.01);
    const FloatInput source(context, grid, input);
    progress.UpTo(0.02);
    const MaskInput inside(context, grid, mask);
    LevelSetRun     run(context, parameters, grid, inside.Data());
    run.Begin(source.Data());
    FloatOutput target(context, grid, output, input.data);
    {
      const Context::ProgressPause pause(context);
      CopyDistances(context, grid.NumberOfVoxels(), source.Data(), target.Data());
    }
    progress.UpTo(0.95);
    run.Run(target.Data());
    progress.UpTo(0.98);
    run.Finish(target.Data());
    progress.UpTo(1.0);
    target.Finish();
    result = run.GetResult();
  });
  context.ReportProgress(1.0);
  return result;
}

} // namespace cudaneuro
