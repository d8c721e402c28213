// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_denoising_adaptive_BlockLayout_h
#define cudaneuro_denoising_adaptive_BlockLayout_h

#include "core/HostDevice.h"
#include "core/SoAField.h"

#include <cstdint>

/** Where blocks are, and which of them are compared. */
namespace cudaneuro
{

/** Voxels of a block along x and y. */
constexpr int blockEdge = 4;

/** Every third block along an axis is a reference, for which a group is made: each voxel is in one or more. */
constexpr int referenceStep = 3;

/** Blocks of a group, with its reference, which comes first. */
constexpr int groupSize = 16;

/** The place of a member that a group lacks, because there are too few blocks. */
constexpr std::uint16_t noMember = 0xffff;

/** Blocks of 4 x 4 x 4 voxels, or of 4 x 4 in a plane, and the window in which they are looked for.
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
  /** Voxels that a group depends on reach so far beyond the first voxel of its reference. */
  static constexpr int farthestZ = reachZ + VDepth - 1;
};

/** Calls body(BlockShape) for the blocks of so many voxels along z. */
template <typename TBody>
void
WithBlockShape(int depth, const TBody & body)
{
  depth > 1 ? body(BlockShape<4>()) : body(BlockShape<1>());
}

/** References along an axis on which blocks have so many places: every one \p step further, and the last. */
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

/** Planes [firstPlane, firstPlane + extent.z) of a volume, and those references of which groups are made:
 * [firstReference, firstReference + references.z) along z, all of them along x and y. */
struct BlockImage
{
  Extent extent;
  int    firstPlane = 0;
  /** Of the whole volume. */
  int    planes = 1;
  int    depth = blockEdge; // of blocks
  Extent references;
  int    firstReference = 0;
};

/** Bits of a key that tell which block of the window it is of. */
constexpr int candidateBits = 11;
static_assert(BlockShape<4>::candidates < (1 << candidateBits) && BlockShape<1>::candidates < (1 << candidateBits));

/** Orders the blocks of a window by their squared distance from the reference, and by their place where that is the
 * same but for its last bits.
 * \param bits of the distance, a float */
CUDANEURO_HOST_DEVICE std::uint32_t
                      CandidateKey(std::uint32_t bits, int candidate)
{
  return (bits & ~((1u << candidateBits) - 1)) | static_cast<std::uint32_t>(candidate);
}

/** Other members of a group. */
constexpr int otherMembers = groupSize - 1;

/** The key of places without a member: that of a squared distance of 2^60. Blocks in which a voxel has no value have larger
 * ones, and are never members; all others have less than 2^57. */
constexpr std::uint32_t noKey = 0x5d800000;
constexpr float         noValue = 1099511627776.0f; // 2^40

CUDANEURO_HOST_DEVICE std::uint16_t
                      MemberOfKey(std::uint32_t key)
{
  return key == noKey ? noMember : static_cast<std::uint16_t>(key & ((1u << candidateBits) - 1));
}

/** Puts a key in its place among sorted ones, of which the largest is lost. */
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

/** Places of blocks along z that a window has, counted from its first. */
struct WindowPlanes
{
  int begin;
  int end;

  /** \param z of the reference's first voxel, in the planes of the image */
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

/** The first plane, in the planes of the image, of the blocks of a reference along z. */
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
