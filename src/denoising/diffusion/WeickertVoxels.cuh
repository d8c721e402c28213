// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_diffusion_WeickertVoxels_cuh
#define cudaneuro_denoising_diffusion_WeickertVoxels_cuh

#include "denoising/diffusion/DiffusionTile.cuh"

/** The reads of a thread of Weickert's step from the planes of a tile and from their conductances. */
namespace cudaneuro::gpu
{

/** A thread's part of a block's tile: 4 x rows voxels of each plane, with the values read there and around these
 * voxels. Plane t is the one whose conductances are computed. */
template <typename TShape, bool VPadded, bool VFirst>
class WeickertVoxels
{
public:
  static constexpr DiffusionBeyond beyond = VPadded ? DiffusionBeyond::ZeroAndPadding : DiffusionBeyond::Zero;
  using Tile = DiffusionTile<TShape, 2, beyond, VFirst>;
  static constexpr int rows = TShape::rows;
  static constexpr int stride = Tile::stride;
  static constexpr int conductanceFloats = stride * (TShape::height + 2);

  __device__ __forceinline__
  WeickertVoxels(const DiffusionArguments & a, const DiffusionBlock & block, const Tile & tile, float * conductances)
    : m_Arguments(a)
    , m_Block(block)
    , m_Tile(tile)
    , m_Conductances(conductances)
  {}

  /** Return the coordinates of the thread's first voxel. */
  __device__ __forceinline__ int
  X() const
  {
    return m_Block.x0 + this->ColumnInTile();
  }
  __device__ __forceinline__ int
  Y() const
  {
    return m_Block.y0 + this->RowInTile();
  }

protected:
  __device__ __forceinline__ int
  ColumnInTile() const
  {
    return 4 * (threadIdx.x % TShape::threadsX);
  }
  __device__ __forceinline__ int
  RowInTile() const
  {
    return TShape::rows * (threadIdx.x / TShape::threadsX);
  }
  /** Returns the conductances of plane \p t, which start one row and 4 columns before the block's first voxel. */
  __device__ __forceinline__ float *
  ConductancePlane(int t) const
  {
    return m_Conductances + (t & 1) * conductanceFloats;
  }

  template <typename TFunction>
  static __device__ __forceinline__ void
  ForEach(TFunction && function)
  {
#pragma unroll
    for (int j = 0; j < rows; ++j)
    {
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        function(j, i);
      }
    }
  }

  /** Reads the thread's own voxels of a plane of the tile. */
  __device__ __forceinline__ void
  ReadOwn(const float * plane, float (&to)[rows][4]) const
  {
#pragma unroll
    for (int j = 0; j < rows; ++j)
    {
      ReadQuad(plane + (this->RowInTile() + j + 2) * stride + this->ColumnInTile() + 4, to[j]);
    }
  }

  /** Sets m_V, but for its corners, to the thread's voxels and the rows and columns around them. */
  __device__ __forceinline__ void
  ReadRows(const float * plane)
  {
    const float * const corner = plane + (this->RowInTile() + 1) * stride + this->ColumnInTile() + 3;
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
      const bool own = j > 0 && j < rows + 1;
      float      quad[4];
      if (own)
      {
        m_V[j][0] = corner[j * stride];
        m_V[j][5] = corner[j * stride + 5];
      }
      else
      {
        ReadQuad(corner + j * stride + 1, quad);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        m_V[j][i + 1] = own ? m_Here[own ? j - 1 : 0][i] : quad[i];
      }
    }
  }

  /** Sets the corners of m_V. */
  __device__ __forceinline__ void
  ReadCorners(const float * plane)
  {
    const float * const corner = plane + (this->RowInTile() + 1) * stride + this->ColumnInTile() + 3;
    m_V[0][0] = corner[0];
    m_V[0][5] = corner[5];
    m_V[rows + 1][0] = corner[(rows + 1) * stride];
    m_V[rows + 1][5] = corner[(rows + 1) * stride + 5];
  }

  __device__ __forceinline__ void
  ReadConductances(const float * plane, float (&g)[rows + 2][6]) const
  {
    const float * const corner = plane + this->RowInTile() * stride + this->ColumnInTile() + 3;
#pragma unroll
    for (int j = 0; j < rows + 2; ++j)
    {
      const bool own = j > 0 && j < rows + 1;
      float      quad[4];
      if (!own)
      {
        ReadQuad(corner + j * stride + 1, quad);
      }
      g[j][0] = corner[j * stride];
      g[j][5] = corner[j * stride + 5];
#pragma unroll
      for (int i = 0; i < 4; ++i)
      {
        g[j][i + 1] = own ? m_G[own ? j - 1 : 0][i] : quad[i];
      }
    }
  }

  const DiffusionArguments & m_Arguments;
  const DiffusionBlock &     m_Block;
  const Tile &               m_Tile;
  float                      m_V[rows + 2][6]; // plane t
  float                      m_Here[rows][4];
  float                      m_G[rows][4];

private:
  float * m_Conductances;
};

} // namespace cudaneuro::gpu

#endif
