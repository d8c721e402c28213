// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "meshes/MeshDenoising.h"

#include "cuda/GpuContext.h"
#include "meshes/LowPass.h"
#include "meshes/MeshPooling.cuh"
#include "meshes/MeshRemaindersGpu.cuh"
#include "meshes/MeshRisksKernel.cuh"
#include "meshes/MeshStepsKernel.cuh"
#include "meshes/MeshTopologyGpu.cuh"
#include "meshes/TrianglePairsGpu.cuh"

#include <algorithm>
#include <array>
#include <utility>

namespace cudaneuro::gpu
{
namespace
{

/** The steps of RunMeshDenoising on a CUDA device. */
class MeshSteps
{
public:
  MeshSteps(Context & context, const ConstTriangles & surface, const MeshMeasures & measures)
    : m_Gpu(GpuOf(context))
    , m_Measures(measures)
    , m_Topology(m_Gpu, surface, measures)
    , m_Vertices(static_cast<std::size_t>(surface.numberOfPoints))
    , m_Triangles(static_cast<std::size_t>(surface.numberOfTriangles))
    , m_Pairs(m_Gpu, m_Topology.Get().numberOfTriangles)
  {
    for (DeviceBuffer<float4> * array : { &m_Noisy, &m_Moved, &m_NextMoved, &m_Bends, &m_Last, &m_Before })
    {
      *array = m_Gpu.AllocateArray<float4>(versions * m_Vertices);
    }
    for (DeviceBuffer<float4> & band : m_Bands)
    {
      band = m_Gpu.AllocateArray<float4>(versions * m_Vertices);
    }
    for (DeviceBuffer<float4> * array :
         { &m_AreaVectors, &m_FirstGuides, &m_Guides, &m_NextGuides, &m_Means, &m_Residuals, &m_NextResiduals })
    {
      *array = m_Gpu.AllocateArray<float4>(versions * m_Triangles);
    }
    m_Centers = m_Gpu.AllocateArray<float4>(m_Triangles);
    m_Normals = m_Gpu.AllocateArray<float4>(m_Vertices);
    m_Moves = m_Gpu.AllocateArray<NormalMoves>(m_Vertices);
    for (DeviceBuffer<NormalMoves> & moves : m_CandidateMoves)
    {
      moves = m_Gpu.AllocateArray<NormalMoves>(m_Vertices);
    }
    m_Mixed = m_Gpu.AllocateArray<Vector3>(m_Vertices);
    for (DeviceBuffer<Vector3> & candidate : m_Candidates)
    {
      candidate = m_Gpu.AllocateArray<Vector3>(m_Vertices);
    }
    m_Risks = m_Gpu.AllocateArray<float>(numberOfCandidates * m_Vertices);
    StartVerticesKernel<<<this->VersionBlocks(m_Vertices), meshThreads, 0, this->Stream()>>>(this->Mesh(),
                                                                                             m_Noisy.Data());
    CUDANEURO_CUDA_LAUNCHED("StartVerticesKernel");
  }

  void
  SmoothByBands()
  {
    std::array<std::vector<double>, numberOfBands> coefficients;
    BandSums                                       bands{};
    for (int band = 0; band < numberOfBands; ++band)
    {
      coefficients[band] = LowPassCoefficients(passBands[band], sincSteps);
      bands.sums[band] = m_Bands[band].Data();
    }
    const unsigned int blocks = this->VersionBlocks(m_Vertices);
    CUDANEURO_CUDA(cudaMemsetAsync(m_Before.Data(), 0, versions * m_Vertices * sizeof(float4), this->Stream()));
    for (int step = 1; step <= sincSteps; ++step)
    {
      for (int band = 0; band < numberOfBands; ++band)
      {
        bands.coefficients[band] = static_cast<float>(coefficients[band][step]);
      }
      if (step == 1)
      {
        FirstSmoothingKernel<<<blocks, meshThreads, 0, this->Stream()>>>(
          this->Mesh(), m_Noisy.Data(), m_Bends.Data(), m_Last.Data(), bands);
      }
      else
      {
        SmoothingKernel<<<blocks, meshThreads, 0, this->Stream()>>>(
          this->Mesh(), m_Bends.Data(), m_Last.Data(), m_Before.Data(), bands);
        std::swap(m_Last, m_Before);
      }
      CUDANEURO_CUDA_LAUNCHED("SmoothingKernel");
    }
  }

  void
  StartGuide()
  {
    StartGuideKernel<<<this->VersionBlocks(m_Triangles), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Noisy.Data(), m_Bands[0].Data(), m_AreaVectors.Data(), m_FirstGuides.Data(), m_Centers.Data());
    CUDANEURO_CUDA_LAUNCHED("StartGuideKernel");
  }

  double
  EstimateNoise()
  {
    const auto positions = m_Gpu.AllocateArray<float4>(m_Vertices);
    NormalKernel<<<MeshBlocks(this->Mesh().numberOfVertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Noisy.Data(), m_Bands[0].Data(), m_Normals.Data(), positions.Data());
    CUDANEURO_CUDA_LAUNCHED("NormalKernel");
    const CellLists    cells(m_Gpu, this->GridFor(noiseRadius), this->Mesh().numberOfVertices, positions.Data());
    const auto         residuals = m_Gpu.AllocateArray<float>(m_Vertices);
    const auto         signs = m_Gpu.AllocateArray<unsigned long long>(2);
    const unsigned int blocks = static_cast<unsigned int>(DivideUp(this->Mesh().numberOfVertices, noiseThreads));
    CUDANEURO_CUDA(cudaMemsetAsync(signs.Data(), 0, 2 * sizeof(unsigned long long), this->Stream()));
    NoiseKernel<<<blocks, noiseThreads, 0, this->Stream()>>>(
      cells.Get(), this->Mesh().numberOfVertices, positions.Data(), m_Normals.Data(), residuals.Data());
    CUDANEURO_CUDA_LAUNCHED("NoiseKernel");
    SignsKernel<<<MeshBlocks(this->Mesh().numberOfVertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), residuals.Data(), signs.Data());
    CUDANEURO_CUDA_LAUNCHED("SignsKernel");
    const auto counts = m_Gpu.CopyToHost(signs, 2);
    return NoiseOfResiduals(m_Gpu.CopyToHost(residuals, m_Vertices),
                            { static_cast<std::int64_t>(counts[0]), static_cast<std::int64_t>(counts[1]) });
  }

  void
  FindPairs(float radius)
  {
    m_Pairs.Find(this->GridFor(radius), m_Centers.Data(), radius);
  }

  void
  WeighPairs(const NormalScale & scale)
  {
    m_Pairs.Weigh(m_Centers.Data(), scale);
  }

  void
  FilterNormals(const NormalScale & scale)
  {
    for (int round = 0; round < scale.rounds; ++round)
    {
      const float4 * const guides = round == 0 ? m_FirstGuides.Data() : m_Guides.Data();
      for (int pass = 0; pass <= scale.twicings; ++pass)
      {
        this->PassOverNeighbors(scale, guides, pass == 0, pass == scale.twicings);
        std::swap(m_Residuals, m_NextResiduals);
      }
      std::swap(m_Guides, m_NextGuides);
    }
  }

  void
  MoveVertices(const NormalScale & scale)
  {
    for (int step = 0; step < scale.vertexSteps; ++step)
    {
      PullKernel<<<this->VersionBlocks(m_Vertices), meshThreads, 0, this->Stream()>>>(
        this->Mesh(), m_Guides.Data(), step == 0 ? m_Noisy.Data() : m_Moved.Data(), m_NextMoved.Data());
      CUDANEURO_CUDA_LAUNCHED("PullKernel");
      std::swap(m_Moved, m_NextMoved);
    }
  }

  void
  TakeNormals()
  {
    NormalKernel<<<MeshBlocks(this->Mesh().numberOfVertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Moved.Data(), nullptr, m_Normals.Data(), nullptr);
    CUDANEURO_CUDA_LAUNCHED("NormalKernel");
  }

  void
  Probe(float noise)
  {
    m_Noise = RiskNoise(noise);
    ProbeKernel<<<this->VersionBlocks(m_Vertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Normals.Data(), m_Noise.probe, m_Noisy.Data());
    CUDANEURO_CUDA_LAUNCHED("ProbeKernel");
  }

  void
  Measure(int candidate)
  {
    this->Measure(candidate, m_Moved, nullptr);
  }

  void
  MeasureBand(int band)
  {
    this->Measure(numberOfScales + band, m_Noisy, m_Bands[band].Data());
  }

  void
  PoolRisks()
  {
    PoolNumbers<numberOfCandidates>(m_Gpu, this->Mesh(), m_Risks);
  }

  void
  Mix()
  {
    CandidateArrays arrays{};
    for (int i = 0; i < numberOfCandidates; ++i)
    {
      arrays.displacements[i] = m_Candidates[i].Data();
      arrays.moves[i] = m_CandidateMoves[i].Data();
    }
    MixKernel<<<MeshBlocks(this->Mesh().numberOfVertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Normals.Data(), m_Risks.Data(), m_Noise, arrays, m_Mixed.Data(), m_Moves.Data());
    CUDANEURO_CUDA_LAUNCHED("MixKernel");
  }

  void
  ReturnRemainders()
  {
    gpu::ReturnRemainders(m_Gpu, this->Mesh(), m_Moves.Data(), m_Noise, m_Normals.Data(), m_Mixed.Data());
  }

  void
  TakeVersions(const VersionPositions & moves)
  {
    const DeviceBuffer<float> ofInput = m_Gpu.CopyToDevice(moves);
    for (const DeviceBuffer<float4> & band : m_Bands)
    {
      CUDANEURO_CUDA(cudaMemsetAsync(band.Data(), 0, versions * m_Vertices * sizeof(float4), this->Stream()));
    }
    TakeVersionsKernel<<<this->VersionBlocks(m_Vertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Topology.InputVertices(), ofInput.Data(), m_Noisy.Data());
    CUDANEURO_CUDA_LAUNCHED("TakeVersionsKernel");
  }

  VersionPositions
  GetMoves() const
  {
    const std::size_t count = 3 * versions * m_Vertices;
    const auto        moves = m_Gpu.AllocateArray<float>(count);
    GetMovesKernel<<<this->VersionBlocks(m_Vertices), meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Topology.InputVertices(), m_Moved.Data(), moves.Data());
    CUDANEURO_CUDA_LAUNCHED("GetMovesKernel");
    return m_Gpu.CopyToHost(moves, count);
  }

  DenoisedVertices
  TakeResult(double noise, bool keepsRisks)
  {
    DenoisedVertices result{ noise, m_Topology.NumberOfBorderEdges(), {}, {}, {} };
    result.displacements = this->InInputOrder(reinterpret_cast<const float *>(m_Mixed.Data()), 3, 3);
    result.normals = this->InInputOrder(reinterpret_cast<const float *>(m_Normals.Data()), 3, 4);
    if (keepsRisks)
    {
      result.risks = this->InInputOrder(m_Risks.Data(), numberOfCandidates, numberOfCandidates);
    }
    return result;
  }

private:
  cudaStream_t
  Stream() const
  {
    return m_Gpu.ComputeStream();
  }

  const DeviceMesh &
  Mesh() const
  {
    return m_Topology.Get();
  }

  static unsigned int
  VersionBlocks(std::size_t elements)
  {
    return MeshBlocks(versions * static_cast<std::int64_t>(elements));
  }

  /** A grid of cells around the noisy mesh; points beyond it are in the outermost cells. */
  PointGrid
  GridFor(float radius) const
  {
    const MeshFrame frame = FrameOf(m_Measures);
    const auto      at = [&](const std::array<double, 3> & point) {
      return Vector3{ frame.Coordinate(point.data(), 0),
                      frame.Coordinate(point.data(), 1),
                      frame.Coordinate(point.data(), 2) };
    };
    return MakePointGrid(at(m_Measures.low), at(m_Measures.high), radius);
  }

  /** Downloads numbers of vertices, \p each for each of them, in the order of the input. */
  std::vector<float>
  InInputOrder(const float * values, int each, int stride) const
  {
    const auto count = static_cast<std::int64_t>(m_Vertices) * each;
    const auto ordered = m_Gpu.AllocateArray<float>(static_cast<std::size_t>(count));
    InputOrderKernel<<<MeshBlocks(count), meshThreads, 0, this->Stream()>>>(
      count, each, stride, m_Topology.InputVertices(), values, ordered.Data());
    CUDANEURO_CUDA_LAUNCHED("InputOrderKernel");
    return m_Gpu.CopyToHost(ordered, static_cast<std::size_t>(count));
  }

  void
  PassOverNeighbors(const NormalScale & scale, const float4 * guides, bool isFirst, bool isLast)
  {
    const PassArguments arguments{ this->Mesh().numberOfTriangles,
                                   m_Pairs.NumberOfTiles(),
                                   m_Pairs.Get(),
                                   CosineFactor(scale),
                                   guides,
                                   m_AreaVectors.Data(),
                                   isFirst ? m_AreaVectors.Data() : m_Residuals.Data(),
                                   m_Means.Data(),
                                   m_NextResiduals.Data(),
                                   m_NextGuides.Data() };
    const auto          kernel = isFirst ? (isLast ? PassKernel<true, true> : PassKernel<true, false>)
                                         : (isLast ? PassKernel<false, true> : PassKernel<false, false>);
    kernel<<<MeshBlocks(threadsPerTile * std::int64_t{ m_Pairs.NumberOfTiles() }), meshThreads, 0, this->Stream()>>>(
      arguments);
    CUDANEURO_CUDA_LAUNCHED("PassKernel");
  }

  void
  Measure(int candidate, const DeviceBuffer<float4> & vertices, const float4 * displacements)
  {
    const unsigned int  blocks = MeshBlocks(this->Mesh().numberOfVertices);
    NormalMoves * const moves = m_CandidateMoves[candidate].Data();
    MovesKernel<<<blocks, meshThreads, 0, this->Stream()>>>(
      this->Mesh(), m_Normals.Data(), vertices.Data(), displacements, m_Candidates[candidate].Data(), moves);
    CUDANEURO_CUDA_LAUNCHED("MovesKernel");
    RiskKernel<<<blocks, meshThreads, 0, this->Stream()>>>(
      this->Mesh(), moves, m_Noise.divergenceScale, candidate, m_Risks.Data());
    CUDANEURO_CUDA_LAUNCHED("RiskKernel");
  }

  const GpuContext &   m_Gpu;
  const MeshMeasures & m_Measures;
  MeshTopologyOnDevice m_Topology;
  std::size_t          m_Vertices;
  std::size_t          m_Triangles;
  TrianglePairs        m_Pairs;
  RiskNoise            m_Noise;
  /** Arrays of all versions of vertices: the noisy ones, the moved ones, and the state of low-pass filters. */
  DeviceBuffer<float4>                            m_Noisy;
  DeviceBuffer<float4>                            m_Moved;
  DeviceBuffer<float4>                            m_NextMoved;
  DeviceBuffer<float4>                            m_Bends;
  DeviceBuffer<float4>                            m_Last;
  DeviceBuffer<float4>                            m_Before;
  std::array<DeviceBuffer<float4>, numberOfBands> m_Bands;
  /** Arrays of all versions of triangles. */
  DeviceBuffer<float4> m_AreaVectors;
  DeviceBuffer<float4> m_FirstGuides;
  DeviceBuffer<float4> m_Guides;
  DeviceBuffer<float4> m_NextGuides;
  DeviceBuffer<float4> m_Means;
  DeviceBuffer<float4> m_Residuals;
  DeviceBuffer<float4> m_NextResiduals;
  /** Arrays of one version. */
  DeviceBuffer<float4>                                      m_Centers;
  DeviceBuffer<float4>                                      m_Normals;
  std::array<DeviceBuffer<Vector3>, numberOfCandidates>     m_Candidates;
  std::array<DeviceBuffer<NormalMoves>, numberOfCandidates> m_CandidateMoves;
  /** Results of the mixture. */
  DeviceBuffer<NormalMoves> m_Moves;
  DeviceBuffer<Vector3>     m_Mixed;
  DeviceBuffer<float>       m_Risks;
};

} // namespace

DenoisedVertices
DenoiseVertices(
  Context & context, const ConstTriangles & surface, const MeshMeasures & measures, double noise, bool keepsRisks)
{
  MeshSteps steps(context, surface, measures);
  RunMeshDenoising(context, steps, noise);
  return steps.TakeResult(noise, keepsRisks);
}

std::vector<VersionPositions>
FilterVersions(Context &                        context,
               const ConstTriangles &           surface,
               const MeshMeasures &             measures,
               const std::vector<NormalScale> & scales,
               const VersionPositions &         moves)
{
  const Context::ProgressPause pause(context);
  MeshSteps                    steps(context, surface, measures);
  return RunVersionFilter(steps, scales, moves);
}

} // namespace cudaneuro::gpu
