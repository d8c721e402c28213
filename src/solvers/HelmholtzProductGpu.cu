// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "solvers/HelmholtzProduct.h"

#include "fields/VectorLengthKernel.cuh"
#include "solvers/SineProductKernel.cuh"
#include "solvers/UploadedTable.cuh"

#include <algorithm>

namespace cudaneuro::gpu
{

namespace
{

template <int VRows>
auto
ChooseKernel(bool isAlongX, bool divides)
{
  return isAlongX  ? SineProductKernel<true, false, VRows>
         : divides ? SineProductKernel<false, true, VRows>
                   : SineProductKernel<false, false, VRows>;
}

/** Transforms all components along x, y, z, divides, and transforms back. The results alternate between a field of its
 * own and the velocity, which has the last one because their number is even. */
class ProductSolver : public HelmholtzFft
{
public:
  ProductSolver(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
    : m_Gpu(GpuOf(context))
    , m_Extent(extent)
    , m_Parameters(parameters)
    , m_Lengths{ extent.x, extent.y, extent.z }
    , m_Field(context, NumberOfVoxels(extent))
  {
    for (int axis = 0; axis < 3; ++axis)
    {
      const bool isTransformed = axis < HelmholtzDimensions(extent);
      m_Eigenvalues[axis] =
        UploadTable(m_Gpu, isTransformed ? DirichletEigenvalues(m_Lengths[axis]) : std::vector<float>{ 0.0f });
      if (isTransformed)
      {
        m_Matrices[axis] = UploadTable(m_Gpu, FoldedSineMatrix(m_Lengths[axis]));
      }
    }
  }

  void
  Solve(const ConstSoAField & force, const SoAField & velocity, const SoAField &, const DeviceGate & gate) override
  {
    const int      last = HelmholtzDimensions(m_Extent) - 1;
    const SoAField own = m_Field.View();
    ConstSoAField  from = force;
    for (int step = 0; step < 2 * (last + 1); ++step)
    {
      const SoAField & to = step % 2 == 0 ? own : velocity;
      this->Transform(step <= last ? step : 2 * last + 1 - step, step == last, from, to, gate);
      from = to;
    }
    if (gate.largestSquaredLength)
    {
      LaunchVectorLength(m_Gpu, NumberOfVoxels(m_Extent), velocity, SoAField(), gate);
    }
  }

private:
  /** \param divides whether the results are divided by the operator's eigenvalues, as they are along the last axis. */
  void
  Transform(int axis, bool divides, const ConstSoAField & from, const SoAField & to, const DeviceGate & gate)
  {
    const int          n = m_Lengths[axis];
    const std::int64_t strides[4] = {
      1, m_Extent.x, std::int64_t{ m_Extent.x } * m_Extent.y, NumberOfVoxels(m_Extent)
    };
    const float * const inputs[3] = { from.x, from.y, from.z };
    float * const       outputs[3] = { to.x, to.y, to.z };
    ProductArguments    arguments{};
    std::copy(inputs, inputs + 3, arguments.from);
    std::copy(outputs, outputs + 3, arguments.to);
    arguments.n = n;
    arguments.lines = NumberOfVoxels(m_Extent) / n;
    arguments.inner = strides[axis];
    arguments.outer = strides[axis + 1];
    arguments.stride = static_cast<int>(strides[axis]);
    arguments.matrix = m_Matrices[axis].Data();
    arguments.rows = FoldedRows(n);
    arguments.columns = FoldedColumns(n);
    // Lines along the last axis are numbered along x and then along y, or along z if y is the last axis.
    arguments.eigenvalues[0] = m_Eigenvalues[axis].Data();
    arguments.eigenvalues[1] = m_Eigenvalues[0].Data();
    arguments.eigenvalues[2] = m_Eigenvalues[axis == 2 ? 1 : 2].Data();
    arguments.linesInner = m_Extent.x;
    arguments.alpha = static_cast<float>(m_Parameters.alpha);
    arguments.gamma = static_cast<float>(m_Parameters.gamma);
    arguments.gate = gate;
    const int  rows = ProductRows(n);
    const auto kernel = rows == manyProductRows ? ChooseKernel<manyProductRows>(axis == 0, divides)
                                                : ChooseKernel<fewProductRows>(axis == 0, divides);
    const dim3 blocks(static_cast<unsigned int>(DivideUp(arguments.lines, productLines) * (arguments.rows / rows)), 3);
    kernel<<<blocks, productThreads, 0, m_Gpu.ComputeStream()>>>(arguments);
    CUDANEURO_CUDA_LAUNCHED("SineProductKernel");
  }

  GpuContext &        m_Gpu;
  Extent              m_Extent;
  HelmholtzParameters m_Parameters;
  int                 m_Lengths[3];
  SoAFieldMemory      m_Field;
  DeviceBuffer<float> m_Eigenvalues[3];
  DeviceBuffer<float> m_Matrices[3];
};

} // namespace

std::unique_ptr<HelmholtzFft>
MakeHelmholtzProduct(Context & context, const Extent & extent, const HelmholtzParameters & parameters)
{
  return std::make_unique<ProductSolver>(context, extent, parameters);
}

} // namespace cudaneuro::gpu
