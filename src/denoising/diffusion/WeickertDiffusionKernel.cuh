// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_WeickertDiffusionKernel_cuh
#define cudaneuro_denoising_diffusion_WeickertDiffusionKernel_cuh

#include "denoising/diffusion/DiffusionOutput.cuh"
#include "denoising/diffusion/WeickertColumn.cuh"

namespace cudaneuro::gpu
{

template <DiffusionStencil VStencil, typename TShape>
constexpr std::size_t
WeickertSharedBytes()
{
  constexpr int slots = VStencil == DiffusionStencil::Weickert26 ? 12 * TShape::rows * TShape::threads : 0;
  using Tile = DiffusionTile<TShape, 2, DiffusionBeyond::Zero, true>;
  return sizeof(float) * (Tile::ringFloats + 2 * Tile::stride * (TShape::height + 2) + slots);
}

/** Reads input, mask, restore and, with a map, noise; writes planes [zBegin, zEnd) of the output. A block marches along
 * z: it loads a plane, computes the conductances of the plane before, and finishes the plane before that. Rows whose
 * length is no multiple of 4 voxels need VPadded. */
template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape, bool VPadded, bool VFirst>
static __global__ void
__launch_bounds__(TShape::threads, TShape::minimumBlocks) WeickertDiffusionKernel(const DiffusionArguments a)
{
  extern __shared__ float4 diffusionShared[];
  BeginDiffusionStep<VFirst>();
  using Column = WeickertColumn<VStencil, VConductance, TShape, VPadded, VFirst>;
  using Tile = typename Column::Tile;
  float * const        ring = reinterpret_cast<float *>(diffusionShared);
  float * const        conductances = ring + Tile::ringFloats;
  const DiffusionBlock block = LocateDiffusionBlock<TShape>(a);
  const bool           border = block.x0 == 0 || block.y0 == 0 || block.x0 + TShape::width >= a.size.x - 1 ||
                      block.y0 + TShape::height >= a.size.y - 1;
  const int       t0 = block.zBegin - 1;
  Tile            tile(a, block, ring, t0 - 1);
  Column          column(a, block, tile, conductances, conductances + 2 * Column::conductanceFloats);
  DiffusionOutput output(a, column.X(), column.Y(), block.zBegin);

  // Bit n: whether plane t + 1 - n of the tile has excluded voxels.
  int excluded = 0;
#pragma unroll 1
  for (int z = t0 - 1; z < t0 + 2; ++z)
  {
    tile.Load(z);
    excluded = 2 * excluded + tile.Arrive(z);
  }
  tile.Load(t0 + 2);

#pragma unroll 1
  for (int t = t0; t <= block.zEnd; ++t)
  {
    if ((excluded & 7) != 0)
    {
      column.template ComputeConductances<WeickertCase::Excluded>(t);
    }
    else if (border)
    {
      column.template ComputeConductances<WeickertCase::Border>(t);
    }
    else
    {
      column.template ComputeConductances<WeickertCase::Interior>(t);
    }
    excluded = 2 * excluded & 15;
    if (t < block.zEnd)
    {
      excluded += tile.Arrive(t + 2);
    }
    else
    {
      __syncthreads();
    }
    if (t + 1 < block.zEnd)
    {
      tile.Load(t + 3);
    }
    float result[TShape::rows][4];
    if ((excluded & 12) != 0)
    {
      column.template Exchange<WeickertCase::Excluded>(t, (excluded & 8) != 0, result);
    }
    else if (border)
    {
      column.template Exchange<WeickertCase::Border>(t, false, result);
    }
    else
    {
      column.template Exchange<WeickertCase::Interior>(t, false, result);
    }
    if (t > block.zBegin)
    {
      if (VPadded && border)
      {
        column.ClearPadding(result);
      }
      output.WritePlane(t - 1, result);
    }
  }
}

/** The shape that was measured to be the fastest on an H200; see benchmark/tuning. */
using WeickertDefaultShape = DiffusionShape<16, 8, 2, 3>;

template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape, bool VPadded>
void
LaunchWeickertSteps(const DiffusionArguments & arguments, bool first, int multiprocessors, cudaStream_t stream)
{
  LaunchDiffusion<TShape>(first,
                          first ? WeickertDiffusionKernel<VStencil, VConductance, TShape, VPadded, true>
                                : WeickertDiffusionKernel<VStencil, VConductance, TShape, VPadded, false>,
                          arguments,
                          WeickertSharedBytes<VStencil, TShape>(),
                          3,
                          multiprocessors,
                          stream);
}

template <DiffusionStencil VStencil, DiffusionConductance VConductance, typename TShape>
void
LaunchWeickertDiffusion(const DiffusionArguments & arguments, bool first, int multiprocessors, cudaStream_t stream)
{
  const bool isPadded = arguments.size.x % 4 != 0;
  const auto launch = isPadded ? LaunchWeickertSteps<VStencil, VConductance, TShape, true>
                               : LaunchWeickertSteps<VStencil, VConductance, TShape, false>;
  launch(arguments, first, multiprocessors, stream);
}

} // namespace cudaneuro::gpu

#endif
