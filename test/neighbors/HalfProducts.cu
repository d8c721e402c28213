// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "HalfProducts.h"

#include "cuda/GpuContext.h"
#include "neighbors/NeighborBounds.cuh"
#include "neighbors/ProductTile.cuh"

namespace halfproducts
{
namespace
{

using namespace cudaneuro;
using namespace cudaneuro::gpu;

using Shape = ProductShape<stride, 1, 2, 1, 16, 2>;

/** Block x computes the products of Shape::rows rows with all columns. */
__global__ void
__launch_bounds__(Shape::threads) ProductKernel(ProductOperands operands, float * products)
{
  extern __shared__ int4 sharedTiles[];
  const int              firstRow = static_cast<int>(blockIdx.x) * Shape::rows;
  const WarpRows<Shape>  rows(operands, firstRow);
  const int              points = operands.numberOfPoints;
  MultiplyColumns<Shape>(operands, rows, sharedTiles, 0, points, [&](const auto & sums, int first) {
    for (int tile = 0; tile < Shape::columnTiles; ++tile)
    {
      for (int i = 0; i < 4; ++i)
      {
        const int row = firstRow + i / 2 * 8 + static_cast<int>(threadIdx.x / 4);
        const int column = first + tile * 8 + static_cast<int>(threadIdx.x % 4 * 2) + i % 2;
        if (row < operands.numberOfRows && column < points)
        {
          products[static_cast<std::int64_t>(row) * points + column] = sums[0][tile][i];
        }
      }
    }
  });
}

/** Vectors on the device, with their halves. */
struct DeviceVectors
{
  DeviceBuffer<float>  values;
  DeviceBuffer<__half> data;
  DeviceBuffer<float>  errors;
  DeviceBuffer<float>  norms;
  int                  count;

  DeviceVectors(const GpuContext & gpu, const std::vector<float> & vectors)
    : values(gpu.CopyToDevice(vectors))
    , data(gpu.AllocateArray<__half>(vectors.size() + halfPadding * stride))
    , errors(gpu.AllocateArray<float>(vectors.size() / stride))
    , norms(gpu.AllocateArray<float>(vectors.size() / stride))
    , count(static_cast<int>(vectors.size() / stride))
  {}

  Fp16Vectors
  Halves() const
  {
    Fp16Vectors halves;
    halves.data = data.Data();
    halves.errors = errors.Data();
    halves.norms = norms.Data();
    halves.depth = stride;
    return halves;
  }
};

std::vector<float>
FloatsOf(const std::vector<__half> & halves)
{
  std::vector<float> floats;
  for (const __half half : halves)
  {
    floats.push_back(__half2float(half));
  }
  return floats;
}

} // namespace

HalfProducts
Multiply(Context & context, const std::vector<float> & queries, const std::vector<float> & points)
{
  const GpuContext &            gpu = GpuOf(context);
  const DeviceScope             scope(gpu.GetDevice());
  const cudaStream_t            stream = gpu.ComputeStream();
  const DeviceVectors           rows(gpu, queries);
  const DeviceVectors           columns(gpu, points);
  const DeviceBuffer<float>     center = gpu.CopyToDevice(std::vector<float>(stride, 0.0f));
  const DeviceBuffer<HalfScale> scale = gpu.CopyToDevice(std::vector<HalfScale>{ HalfScale{ 0, 0 } });
  for (const DeviceVectors * vectors : { &rows, &columns })
  {
    LargestKernel<<<64, halfThreads, 0, stream>>>(
      vectors->values.Data(), vectors->count, stride, center.Data(), scale.Data());
    CUDANEURO_CUDA_LAUNCHED("LargestKernel");
  }
  for (const DeviceVectors * vectors : { &rows, &columns })
  {
    HalfVectorKernel<<<DivideUp(vectors->count + halfPadding, halfWarps), halfThreads, 0, stream>>>(
      vectors->values.Data(),
      VectorChoice{ vectors->count },
      stride,
      dimension,
      center.Data(),
      scale.Data(),
      vectors->Halves(),
      vectors == &columns);
    CUDANEURO_CUDA_LAUNCHED("HalfVectorKernel");
  }
  ProductOperands operands;
  operands.rows = rows.Halves();
  operands.numberOfRows = rows.count;
  operands.dimension = dimension;
  operands.columns = columns.data.Data();
  operands.numberOfPoints = columns.count;
  operands.columnsOfBlock = columns.count;
  const std::size_t         pairs = static_cast<std::size_t>(rows.count) * static_cast<std::size_t>(columns.count);
  const DeviceBuffer<float> products = gpu.AllocateArray<float>(pairs);
  ProductKernel<<<DivideUp(rows.count, Shape::rows), Shape::threads, Shape::sharedBytes, stream>>>(operands,
                                                                                                   products.Data());
  CUDANEURO_CUDA_LAUNCHED("ProductKernel");

  HalfProducts    result;
  const HalfScale shared = gpu.CopyToHost(scale, 1)[0];
  result.factor = std::ldexp(1.0f, HalfExponent(shared));
  result.largestError = LargestErrorOf(shared);
  result.queries = FloatsOf(gpu.CopyToHost(rows.data, queries.size()));
  result.points = FloatsOf(gpu.CopyToHost(columns.data, points.size()));
  result.errors = gpu.CopyToHost(rows.errors, static_cast<std::size_t>(rows.count));
  result.norms = gpu.CopyToHost(rows.norms, static_cast<std::size_t>(rows.count));
  result.products = gpu.CopyToHost(products, pairs);
  return result;
}

double
AccumulationError()
{
  return gpu::AccumulationError(stride);
}

double
LeastProduct(const HalfProducts & products, std::size_t query, double reached)
{
  return gpu::LeastProduct(reached, products.norms[query], products.errors[query], products.largestError, stride);
}

} // namespace halfproducts
