// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "SurfaceSteps.h"

#include "core/Dispatch.h"
#include "jobs/DeviceJob.h"
#include "neighbors/NearestNeighbors.h"
#include "surface/BandFormulas.h"
#include "surface/LevelSetVolume.h"
#include "surface/NonLocalMeansLevelSet.h"

namespace cudaneuro::benchmark
{

namespace
{

void
FindNeighborsOnDevice(Context & context, const NeighborSearch & search)
{
  CUDANEURO_DISPATCH(context, FindNeighbors(context, search));
}

/** The arrays of a pass, as in NonLocalMeansLevelSet. */
class SurfaceSteps
{
public:
  SurfaceSteps(const Settings & settings, SurfaceCase & surface)
    : m_Settings(settings)
    , m_Context(surface.GetContext())
    , m_Grid(surface.GetGrid())
    , m_Distances(static_cast<const float *>(surface.GetInput().data))
  {}

  std::vector<SurfaceStep>
  Run()
  {
    this->TimeBand();
    this->TimePatches();
    this->TimeSearch();
    this->TimeWeights();
    this->TimeDiffusion();
    this->TimeVolume();
    return std::move(m_Times);
  }

private:
  void
  Time(double bytes, const std::function<void()> & body)
  {
    const double milliseconds =
      MedianOnDevice(m_Settings.repetition, m_Context, [&] { RunDeviceJob(m_Context, body); });
    m_Times.push_back({ milliseconds, bytes });
  }

  void
  TimeBand()
  {
    const auto width = static_cast<float>(RecommendedBandWidth(m_Grid));
    // The image is read twice, and the host waits for an answer in between.
    const double bytes = 2.0 * sizeof(float) * static_cast<double>(m_Grid.NumberOfVoxels());
    this->Time(bytes, [&] {
      BandSurvey survey = BandSurvey::Empty();
      m_Band = FindBand(m_Context, { ExtentOf(m_Grid), m_Distances, nullptr, width }, survey);
    });
  }

  DeviceMemory
  Allocate(int elementsPerVoxel)
  {
    return m_Context.Allocate(static_cast<std::size_t>(m_Band.count * elementsPerVoxel) * sizeof(float));
  }
  double
  BytesOf(int elementsPerVoxel) const
  {
    return static_cast<double>(sizeof(float)) * static_cast<double>(m_Band.count) * elementsPerVoxel;
  }
  BandView
  View() const
  {
    return { ExtentOf(m_Grid), m_Distances, m_Band.count, m_Band.Data() };
  }
  SimilarVoxels
  Similar() const
  {
    return { m_Band.count,
             m_Parameters.numberOfNeighbors,
             static_cast<const std::int32_t *>(m_Indices.Data()),
             static_cast<float *>(m_Weights.Data()) };
  }

  void
  TimePatches()
  {
    m_Patches = this->Allocate(PatchStride(m_Parameters.patchSize));
    this->Time(this->BytesOf(PatchStride(m_Parameters.patchSize)), [&] {
      GatherPatches(m_Context, this->View(), m_Parameters.patchSize, static_cast<float *>(m_Patches.Data()));
    });
  }

  void
  TimeSearch()
  {
    m_Indices = this->Allocate(m_Parameters.numberOfNeighbors);
    m_Weights = this->Allocate(m_Parameters.numberOfNeighbors);
    NeighborSearch search;
    search.stride = PatchStride(m_Parameters.patchSize);
    search.dimension = m_Parameters.patchSize * m_Parameters.patchSize * m_Parameters.patchSize;
    search.numberOfNeighbors = m_Parameters.numberOfNeighbors;
    search.excludeSelf = true;
    search.numberOfQueries = search.numberOfPoints = m_Band.count;
    search.queries = search.points = static_cast<const float *>(m_Patches.Data());
    search.indices = static_cast<std::int32_t *>(m_Indices.Data());
    search.squaredDistances = static_cast<float *>(m_Weights.Data());
    this->Time(0.0, [&] { FindNeighborsOnDevice(m_Context, search); });
  }

  /** Times the weights, whose input may be weights already: the time is the same. */
  void
  TimeWeights()
  {
    const WeightRates rates = MakeWeightRates(100.0, 10.0, m_Grid);
    this->Time(this->BytesOf(3 * m_Parameters.numberOfNeighbors),
               [&] { m_LargestSum = ComputeWeights(m_Context, rates, m_Band.Data(), this->Similar()); });
  }

  void
  TimeDiffusion()
  {
    const DeviceMemory now = this->Allocate(1);
    const DeviceMemory next = this->Allocate(1);
    BandValues         values{ static_cast<float *>(now.Data()), static_cast<float *>(next.Data()) };
    const int          iterations = m_Parameters.numberOfIterations;
    const double       bytes = iterations * this->BytesOf(2 * m_Parameters.numberOfNeighbors + 2);
    RunDeviceJob(m_Context, [&] { ReadBand(m_Context, this->View(), values.now); });
    this->Time(bytes, [&] { Diffuse(m_Context, this->Similar(), 1.0f / m_LargestSum, iterations, values); });
  }

  void
  TimeVolume()
  {
    const double bytes = sizeof(float) * static_cast<double>(m_Grid.NumberOfVoxels());
    this->Time(bytes, [&] { EnclosedVolume(m_Context, { ExtentOf(m_Grid), m_Distances, nullptr, 0.0 }); });
  }

  const Settings &                m_Settings;
  Context &                       m_Context;
  Grid                            m_Grid;
  const float *                   m_Distances;
  NonLocalMeansLevelSetParameters m_Parameters;
  Band                            m_Band;
  DeviceMemory                    m_Patches;
  DeviceMemory                    m_Indices;
  DeviceMemory                    m_Weights;
  float                           m_LargestSum = 1.0f;
  std::vector<SurfaceStep>        m_Times;
};

} // namespace

std::vector<SurfaceStep>
TimeSurfaceSteps(const Settings & settings, SurfaceCase & surface)
{
  return SurfaceSteps(settings, surface).Run();
}

} // namespace cudaneuro::benchmark
