// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/HelmholtzFft.h"

#include "fields/VectorLengthKernel.cuh"
#include "solvers/CufftLibrary.cuh"
#include "solvers/HelmholtzFftKernel.cuh"
#include "solvers/HelmholtzProduct.h"
#include "solvers/SineProductFormulas.h"
#include "solvers/UploadedTable.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

/** The common members of both solvers. */
class Solver : public HelmholtzFft
{
protected:
  Solver(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
    : m_Gpu(GpuOf(context))
    , m_Library(cufft::Library::Get())
    , m_Extent(extent)
    , m_Parameters(parameters)
  {}

  cudaStream_t
  GetStream() const
  {
    return m_Gpu.ComputeStream();
  }
  /** Returns the number of blocks of a kernel with a grid-stride loop: enough to fill the device. */
  unsigned int
  BlocksFor(std::int64_t wanted) const
  {
    return static_cast<unsigned int>(std::min<std::int64_t>(wanted, m_Gpu.NumberOfMultiprocessors() * 16));
  }

  GpuContext &           m_Gpu;
  const cufft::Library & m_Library;
  Extent                 m_Extent;
  HelmholtzParameters    m_Parameters;
  DeviceBuffer<float>    m_Symbols[3];
  DeviceBuffer<char>     m_WorkArea;
};

/** Transforms one component and one axis after another. The lines are stored along x, then y, then z, with the axes
 * always in cyclic order, and in reverse on the way back. */
class SineSolver : public Solver
{
public:
  SineSolver(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
    : Solver(context, extent, parameters)
    , m_Dimensions(HelmholtzDimensions(extent))
    , m_Lengths{ extent.x, extent.y, extent.z }
  {
    const std::int64_t voxels = NumberOfVoxels(extent);
    std::int64_t       mostExtended = 0;
    std::size_t        workBytes = 0;
    m_Factor = 1.0;
    for (int axis = 0; axis < 3; ++axis)
    {
      const int n = m_Lengths[axis];
      if (axis >= m_Dimensions)
      {
        m_Symbols[axis] = UploadTable(m_Gpu, { 0.0f });
        continue;
      }
      m_Symbols[axis] = UploadTable(m_Gpu, DirichletEigenvalues(n));
      m_Lines[axis] = voxels / n;
      m_Factor *= 2.0 * (n + 1.0);
      mostExtended = std::max(mostExtended, m_Lines[axis] * (2 * (n + std::int64_t{ 1 })));
      m_Plans[axis] = cufft::Plan(m_Library, { 2 * (n + 1LL) }, CUFFT_R2C, m_Lines[axis], this->GetStream());
      workBytes = std::max(workBytes, m_Plans[axis].GetWorkBytes());
    }
    m_WorkArea = m_Gpu.AllocateArray<char>(std::max<std::size_t>(workBytes, 1));
    for (int axis = 0; axis < m_Dimensions; ++axis)
    {
      m_Plans[axis].SetWorkArea(m_WorkArea.Data());
    }
    m_Extended = m_Gpu.AllocateArray<float>(static_cast<std::size_t>(mostExtended));
    // Per line, n + 2 complex values take 2 floats more than 2 (n + 1) real ones.
    const std::int64_t mostLines = *std::max_element(m_Lines, m_Lines + 3);
    m_Spectrum = m_Gpu.AllocateArray<cufftComplex>(static_cast<std::size_t>(mostExtended / 2 + mostLines));
  }

  void
  Solve(const ConstSoAField & force, const SoAField & velocity, const SoAField &, const DeviceGate & gate) override
  {
    this->EnqueueComponent(force.x, velocity.x, gate);
    this->EnqueueComponent(force.y, velocity.y, gate);
    this->EnqueueComponent(force.z, velocity.z, gate);
    if (gate.largestSquaredLength)
    {
      LaunchVectorLength(m_Gpu, NumberOfVoxels(m_Extent), velocity, SoAField(), gate);
    }
  }

private:
  void
  EnqueueComponent(const float * force, float * velocity, const DeviceGate & gate)
  {
    const dim3         threads(fftTile, fftTileRows);
    const cudaStream_t stream = this->GetStream();
    const unsigned int blocks = this->BlocksFor(DivideUp(m_Lines[0], fftTileRows));
    ExtendKernel<<<blocks, threads, 0, stream>>>(m_Lengths[0], m_Lines[0], force, m_Extended.Data(), gate);
    CUDANEURO_CUDA_LAUNCHED("ExtendKernel");
    const int last = m_Dimensions - 1;
    for (int axis = 0; axis < last; ++axis)
    {
      this->Transform(axis);
      this->Turn(axis, true, gate);
    }
    this->Transform(last);
    this->Divide(last, gate);
    for (int axis = last; axis > 0; --axis)
    {
      this->Transform(axis);
      this->Turn(axis, false, gate);
    }
    this->Transform(0);
    ExtractKernel<<<blocks, threads, 0, stream>>>(m_Lengths[0], m_Lines[0], m_Spectrum.Data(), velocity, gate);
    CUDANEURO_CUDA_LAUNCHED("ExtractKernel");
  }

  void
  Transform(int axis)
  {
    m_Plans[axis].Execute(m_Extended.Data(), m_Spectrum.Data());
  }

  /** Transposes lines along \p axis to lines along the next axis or the previous one. */
  void
  Turn(int axis, bool forward, const DeviceGate & gate)
  {
    const int     next = m_Lengths[(axis + 1) % 3];
    const int     afterNext = m_Lengths[(axis + 2) % 3];
    TurnArguments arguments{};
    arguments.n = m_Lengths[axis];
    arguments.turned = forward ? next : afterNext;
    arguments.others = forward ? afterNext : next;
    arguments.readTurned = forward ? 1 : next;
    arguments.readOther = forward ? next : 1;
    arguments.writeIndex = forward ? afterNext : 1;
    arguments.writeOther = forward ? 1 : m_Lengths[axis];
    arguments.from = m_Spectrum.Data();
    arguments.to = m_Extended.Data();
    arguments.gate = gate;
    const dim3 blocks(DivideUp(arguments.n, fftTile),
                      DivideUp(arguments.turned, fftTile),
                      static_cast<unsigned int>(std::min(arguments.others, 65535)));
    TurnKernel<<<blocks, dim3(fftTile, fftTileRows), 0, this->GetStream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("TurnKernel");
  }

  void
  Divide(int axis, const DeviceGate & gate)
  {
    DivideArguments arguments{};
    arguments.n = m_Lengths[axis];
    arguments.lines = m_Lines[axis];
    arguments.linesInner = m_Lengths[(axis + 1) % 3];
    arguments.from = m_Spectrum.Data();
    arguments.to = m_Extended.Data();
    for (int i = 0; i < 3; ++i)
    {
      arguments.eigenvalues[i] = m_Symbols[(axis + i) % 3].Data();
    }
    arguments.alpha = static_cast<float>(m_Parameters.alpha * m_Factor);
    arguments.gamma = static_cast<float>(m_Parameters.gamma * m_Factor);
    arguments.gate = gate;
    DivideKernel<<<this->BlocksFor(DivideUp(arguments.lines, fftTileRows)),
                   dim3(fftTile, fftTileRows),
                   0,
                   this->GetStream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("DivideKernel");
  }

  int                        m_Dimensions;
  int                        m_Lengths[3];
  std::int64_t               m_Lines[3]{};
  double                     m_Factor = 1.0;
  DeviceBuffer<float>        m_Extended;
  DeviceBuffer<cufftComplex> m_Spectrum;
  cufft::Plan                m_Plans[3];
};

class PeriodicSolver : public Solver
{
public:
  PeriodicSolver(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
    : Solver(context, extent, parameters)
  {
    const int              lengths[3] = { extent.x, extent.y, extent.z };
    std::vector<long long> planLengths{ extent.y, extent.x };
    if (HelmholtzDimensions(extent) == 3)
    {
      planLengths.insert(planLengths.begin(), extent.z);
    }
    m_Forward = cufft::Plan(m_Library, planLengths, CUFFT_R2C, 1, this->GetStream());
    m_Backward = cufft::Plan(m_Library, planLengths, CUFFT_C2R, 1, this->GetStream());
    m_WorkArea = m_Gpu.AllocateArray<char>(
      std::max<std::size_t>(std::max(m_Forward.GetWorkBytes(), m_Backward.GetWorkBytes()), 1));
    m_Forward.SetWorkArea(m_WorkArea.Data());
    m_Backward.SetWorkArea(m_WorkArea.Data());
    m_Half = extent.x / 2 + 1;
    m_Frequencies = std::int64_t{ m_Half } * extent.y * extent.z;
    for (int i = 0; i < 3; ++i)
    {
      m_Symbols[i] = UploadTable(m_Gpu, PeriodicSymbols(lengths[i]));
      m_Spectra[i] = m_Gpu.AllocateArray<cufftComplex>(static_cast<std::size_t>(m_Frequencies));
    }
  }

  void
  Solve(const ConstSoAField & force,
        const SoAField &      velocity,
        const SoAField &      scratch,
        const DeviceGate &    gate) override
  {
    const float * const forces[3] = { force.x, force.y, force.z };
    float * const       results[3] = { scratch.x, scratch.y, scratch.z };
    FrequencyArguments  arguments{};
    arguments.half = m_Half;
    arguments.rows = m_Extent.y;
    arguments.frequencies = m_Frequencies;
    for (int i = 0; i < 3; ++i)
    {
      arguments.values[i] = m_Spectra[i].Data();
      arguments.symbols[i] = m_Symbols[i].Data();
      // This transform does not change its input.
      m_Forward.Execute(const_cast<float *>(forces[i]), m_Spectra[i].Data());
    }
    arguments.alpha = static_cast<float>(m_Parameters.alpha);
    arguments.beta = static_cast<float>(m_Parameters.beta);
    arguments.gamma = static_cast<float>(m_Parameters.gamma);
    arguments.scale = static_cast<float>(1.0 / static_cast<double>(NumberOfVoxels(m_Extent)));
    arguments.gate = gate;
    constexpr int threads = 256;
    FrequencyKernel<<<this->BlocksFor(DivideUp(m_Frequencies, threads)), threads, 0, this->GetStream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("FrequencyKernel");
    for (int i = 0; i < 3; ++i)
    {
      m_Backward.Execute(m_Spectra[i].Data(), results[i]);
    }
    // cuFFT does not know the gate; this kernel copies the result to the velocity only if the gate is open.
    LaunchVectorLength(m_Gpu, NumberOfVoxels(m_Extent), scratch, velocity, gate);
  }

private:
  int                        m_Half = 0;
  std::int64_t               m_Frequencies = 0;
  DeviceBuffer<cufftComplex> m_Spectra[3];
  cufft::Plan                m_Forward;
  cufft::Plan                m_Backward;
};

} // namespace

void
RequireFft()
{
  cufft::Library::Get();
}

std::unique_ptr<HelmholtzFft>
MakeHelmholtzFft(Context &                   context,
                 const Extent &              extent,
                 const HelmholtzParameters & parameters,
                 SineTransform               transform)
{
  if (parameters.beta != 0.0)
  {
    return std::make_unique<PeriodicSolver>(context, extent, parameters);
  }
  if (transform == SineTransform::Product || (transform == SineTransform::Cheapest && SineProductsAreCheaper(extent)))
  {
    return MakeHelmholtzProduct(context, extent, parameters);
  }
  return std::make_unique<SineSolver>(context, extent, parameters);
}

} // namespace cudaneuro::gpu
