// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_registration_step_PlainForceKernel_cuh
#define cudaneuro_registration_step_PlainForceKernel_cuh

#include "cuda/DependentLaunch.cuh"
#include "cuda/ResidentBlocks.cuh"
#include "registration/step/ForceParts.cuh"

/** The force without the unbiased term. Voxels need no stresses of their neighbors, so that tiles have no margin. */
namespace cudaneuro
{
namespace
{

/** Shape of a block: a thread per voxel of its tile in a plane. A warp is a row. */
constexpr int plainForceThreadsX = 32;
constexpr int plainForceThreadsY = 8;
constexpr int plainForceThreads = plainForceThreadsX * plainForceThreadsY;
/** Blocks per multiprocessor; more would leave too few registers to load a plane ahead. */
constexpr int plainForceBlocks = 3;

/** The displacements around a voxel of a column along z. The voxel itself replaces neighbors outside the grid. */
class DisplacementColumn
{
public:
  __device__ __forceinline__
  DisplacementColumn(const SoAField & field, const Extent & extent, const AxisPosition & x, const AxisPosition & y)
    : m_Field(field)
    , m_LowerX(x.onGrid > 0 ? -1 : 0)
    , m_UpperX(x.onGrid < extent.x - 1 ? 1 : 0)
    , m_LowerY(y.onGrid > 0 ? -extent.x : 0)
    , m_UpperY(y.onGrid < extent.y - 1 ? extent.x : 0)
    , m_ScaleX(x.Scale())
    , m_ScaleY(y.Scale())
  {}

  __device__ __forceinline__ Vector3
  At(int i) const
  {
    return { __ldg(m_Field.x + i), __ldg(m_Field.y + i), __ldg(m_Field.z + i) };
  }

  /** Twice the derivative of the map at voxel \p i. \p below and \p above are the displacements of the voxels in the
   * neighboring planes. */
  __device__ __forceinline__ FieldGradient
  Map(int i, const Vector3 & below, const Vector3 & above, float scaleZ) const
  {
    return TwiceMapGradient(this->At(i + m_UpperX) - this->At(i + m_LowerX),
                            this->At(i + m_UpperY) - this->At(i + m_LowerY),
                            above - below,
                            m_ScaleX,
                            m_ScaleY,
                            scaleZ);
  }

private:
  SoAField m_Field;
  int      m_LowerX; // offsets of the neighbors in memory
  int      m_UpperX;
  int      m_LowerY;
  int      m_UpperY;
  float    m_ScaleX;
  float    m_ScaleY;
};

/** The force of the candidate map, its energy and, for the first channel, its minimum Jacobian determinant.
 *
 * Reads the candidate displacement (12 bytes per voxel), the moving image around the deformed position (4) and the
 * fixed image or the derivative (4); writes the force (12), and reads it first (12) if other channels have written
 * theirs. Each thread marches through some planes with the displacements of three in registers; neighbors in a plane
 * come from the L1 cache. It loads the images of the next plane, and the displacement of the plane after it, before it
 * writes this plane's force. */
template <ImageForce VImageForce, bool VDeformedGradient, ForceUse VUse>
static __global__ void
__launch_bounds__(plainForceThreads, ResidentBlocks(plainForceBlocks, plainForceThreads))
  PlainForceKernel(const __grid_constant__ ForceArguments arguments)
{
  LetNextKernelBegin();
  if (arguments.state->isRunning == 0)
  {
    return;
  }
  const Extent &           extent = arguments.extent;
  const int                plane = arguments.grid.plane;
  const int                x = blockIdx.x * plainForceThreadsX + threadIdx.x;
  const int                y = blockIdx.y * plainForceThreadsY + threadIdx.y;
  const AxisPosition       axisX(x, extent.x);
  const AxisPosition       axisY(y, extent.y);
  const bool               isInside = axisX.onGrid == x && axisY.onGrid == y;
  const DisplacementColumn column(arguments.maps.Candidate(*arguments.state), extent, axisX, axisY);
  const int                begin = blockIdx.z * arguments.planesPerBlock;
  const int                end = min(begin + arguments.planesPerBlock, extent.z);
  const int                lastZ = extent.z - 1;
  int                      i = (begin * extent.y + axisY.onGrid) * extent.x + axisX.onGrid;
  Vector3                  below = column.At(begin > 0 ? i - plane : i);
  Vector3                  own = column.At(i);
  Vector3                  above = column.At(begin < lastZ ? i + plane : i);
  ImageSample              image;
  const auto               loadImage = [&](int z, int voxel, const Vector3 & d) {
    const auto zOnGrid = static_cast<float>(z);
    image.Load(
      arguments, isInside && z < end, voxel, static_cast<float>(x) + d.x, static_cast<float>(y) + d.y, zOnGrid + d.z);
  };
  loadImage(begin, i, own);
  float imageEnergy = 0.0f;
  float minimumJacobian = 3.4e38f;
  for (int z = begin; z < end; ++z, i += plane)
  {
    const Vector3       next = z + 1 < min(end, lastZ) ? column.At(i + 2 * plane) : above;
    const float         scaleZ = z > 0 && z < lastZ ? 1.0f : 2.0f;
    const FieldGradient map = column.Map(i, below, above, scaleZ);
    Vector3             force = ImageForceOf<VImageForce, VDeformedGradient>(arguments, image, map, imageEnergy);
    loadImage(z + 1, i + plane, above);
    if (isInside && (VUse == ForceUse::Begun || VUse == ForceUse::Added))
    {
      LeaveForce<VUse>(arguments, i, force);
    }
    else if (isInside)
    {
      if (VUse == ForceUse::Completed)
      {
        force = ReadForce(arguments, i) + force;
      }
      const float jacobian = 0.125f * Determinant(map);
      minimumJacobian = fminf(minimumJacobian, jacobian == jacobian ? jacobian : -1.0f); // NaN counts as a fold
      WriteForce(arguments, i, force);
    }
    below = own;
    own = above;
    above = next;
  }
  WriteBlockSums<plainForceThreads / 32>(arguments,
                                         static_cast<int>(threadIdx.y * plainForceThreadsX + threadIdx.x),
                                         { static_cast<double>(imageEnergy), 0.0, minimumJacobian });
}

} // namespace
} // namespace cudaneuro

#endif
