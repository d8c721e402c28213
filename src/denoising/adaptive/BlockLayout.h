// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockLayout_h
#define cudaneuro_denoising_adaptive_BlockLayout_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cstdint>

/** The layout of blocks, references and search windows. A reference is a block for which a group is formed. */
namespace cudaneuro
{

/** Voxels of a block along x and along y. */
constexpr int blockEdge = 4;

/** References are 3 voxels apart, less than a block's 4, so that each voxel is in at least one of them. */
constexpr int referenceStep = 3;

/** Blocks of a group, including its reference, which comes first. */
constexpr int groupSize = 16;

/** The place of a missing member: a group has fewer members where its window has fewer blocks. */
constexpr std::uint16_t noMember = 0xffff;

/** Blocks of 4 x 4 x 4 voxels, or of 4 x 4 in a plane, and the window in which similar blocks are searched.
 * \tparam VDepth voxels along z, 4 or 1 */
template <int VDepth>
struct BlockShape
{
  static_assert(VDepth == 4 || VDepth == 1);
  static constexpr int depth = VDepth;
  static constexpr int voxels = VDepth * blockEdge * blockEdge;
  static constexpr int stepZ = VDepth > 1 ? referenceStep : 1;
  /** Half-widths of the window, in voxels. */
  static constexpr int reach = VDepth > 1 ? 3 : 5;
  static constexpr int reachZ = VDepth > 1 ? 3 : 2;
  static constexpr int width = 2 * reach + 1;
  static constexpr int widthZ = 2 * reachZ + 1;
  static constexpr int candidates = width * width * widthZ;
  /** The number of planes beyond the first plane of a reference on which its group depends. */
  static constexpr int farthestZ = reachZ + VDepth - 1;
};

/** Calls body(BlockShape) for blocks of \p depth voxels along z, 4 or 1. */
template <typename TBody>
void
WithBlockShape(int depth, const TBody & body)
{
  depth > 1 ? body(BlockShape<4>()) : body(BlockShape<1>());
}

/** Returns the number of references along an axis with \p places blocks: one every \p step places, and the last. */
CUDANEURO_HOST_DEVICE int
NumberOfReferences(int places, int step)
{
  return (places - 1 + step - 1) / step + 1;
}

CUDANEURO_HOST_DEVICE int
ReferencePlace(int reference, int places, int step)
{
  const int place = reference * step;
  return place < places - 1 ? place : places - 1;
}

/** Planes [firstPlane, firstPlane + extent.z) of a volume, and the references for which groups are formed there:
 * [firstReference, firstReference + references.z) along z, all of them along x and y. */
struct BlockImage
{
  Extent extent;
  int    firstPlane = 0;
  /** The number of planes of the whole volume. */
  int    planes = 1;
  int    depth = blockEdge; // voxels of a block along z
  Extent references;
  int    firstReference = 0;
};

/** The low bits of a key, which are the index of a block in its window. */
constexpr int candidateBits = 11;
static_assert(BlockShape<4>::candidates < (1 << candidateBits) && BlockShape<1>::candidates < (1 << candidateBits));

/** Returns a key that orders the blocks of a window by squared distance from the reference, then by their place. The
 * distance loses its last bits to the place.
 * \param bits the bit pattern of the distance, a float of at least 0, which is ordered as the distance is */
CUDANEURO_HOST_DEVICE std::uint32_t
                      CandidateKey(std::uint32_t bits, int candidate)
{
  return (bits & ~((1u << candidateBits) - 1)) | static_cast<std::uint32_t>(candidate);
}

/** The members of a group without its reference. */
constexpr int otherMembers = groupSize - 1;

/** The key of a missing member: that of a squared distance of 2^60. Blocks with a voxel of noValue have larger keys
 * and are never members; all others have squared distances below 2^57. */
constexpr std::uint32_t noKey = 0x5d800000;
constexpr float         noValue = 1099511627776.0f; // 2^40

CUDANEURO_HOST_DEVICE std::uint16_t
                      MemberOfKey(std::uint32_t key)
{
  return key == noKey ? noMember : static_cast<std::uint16_t>(key & ((1u << candidateBits) - 1));
}

/** Inserts a key into the sorted keys and drops the largest. */
CUDANEURO_HOST_DEVICE void
InsertKey(std::uint32_t key, std::uint32_t (&keys)[otherMembers])
{
#if defined(__CUDA_ARCH__)
#  pragma unroll
#endif
  for (std::uint32_t & other : keys)
  {
    const std::uint32_t smaller = key < other ? key : other;
    key = key < other ? other : key;
    other = smaller;
  }
}

/** The range of places along z, in a window, whose blocks lie inside the volume. */
struct WindowPlanes
{
  int begin;
  int end;

  /** \param z plane of the reference's first voxel, counted in the planes of the image */
  template <typename TShape>
  CUDANEURO_HOST_DEVICE static WindowPlanes
  Of(const TShape &, const BlockImage & image, int z)
  {
    const int first = z - TShape::reachZ;
    const int lowest = -image.firstPlane - first;
    const int highest = image.planes - TShape::depth - image.firstPlane - first + 1;
    return { lowest > 0 ? lowest : 0, highest < TShape::widthZ ? highest : TShape::widthZ };
  }
};

/** Returns the first plane of the blocks of a reference along z, counted in the planes of the image. */
template <typename TShape>
CUDANEURO_HOST_DEVICE int
ReferencePlane(const TShape &, const BlockImage & image, int reference)
{
  return ReferencePlace(image.firstReference + reference, image.planes - TShape::depth + 1, TShape::stepZ) -
         image.firstPlane;
}

CUDANEURO_HOST_DEVICE int
ReferenceX(const BlockImage & image, int reference)
{
  return ReferencePlace(reference, image.extent.x - blockEdge + 1, referenceStep);
}

CUDANEURO_HOST_DEVICE int
ReferenceY(const BlockImage & image, int reference)
{
  return ReferencePlace(reference, image.extent.y - blockEdge + 1, referenceStep);
}

} // namespace cudaneuro

#endif
