// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_NeighborNoise_h
#define apps_denoise_NeighborNoise_h

#include "itkImage.h"
#include "itkImageRegionIteratorWithIndex.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

/** Tells noise that is alike in neighbors, as interpolation, smoothing and zero-filling make it, from noise that is
 * independent. An estimate of the noise from differences of neighbors is too small for the former. */
class NeighborNoise
{
public:
  using Extent = std::array<std::int64_t, 3>;
  /** The corners of a cube, x first. */
  using Cube = std::array<double, 8>;

  /** \param size of the image */
  explicit NeighborNoise(const Extent & size);

  /** Where the blocks begin that are looked at: some thousand at most, evenly over the image. There are none in planes,
   * whose edges are too like noise of this kind. */
  std::vector<Extent>
  GetBegins() const;

  /** Voxels of a block along each axis. */
  const Extent &
  GetBlockSize() const
  {
    return m_BlockSize;
  }

  /** Looks at a block. \param voxels x first; NaN where they take no part */
  void
  Add(const std::vector<double> & voxels);

  /** For each axis: the variance of what neighbors along it have in common over that in which they differ, in both
   * cases of differences along all other axes. It is near 1 for independent noise. Of all blocks, it is what a tenth is
   * below, since edges make it larger; NaN where too few blocks tell. */
  std::array<double, 3>
  GetRatios() const;

private:
  Cube
  CubeAt(const std::vector<double> & voxels, const Extent & place) const;

  Extent                             m_Size;
  Extent                             m_BlockSize;
  std::array<std::vector<double>, 3> m_Ratios;
};

/** For each axis, whether something holds along it. */
using AxisFlags = std::array<bool, 3>;

/** The axes along which the noise is alike. \param ratios of NeighborNoise */
AxisFlags
AxesOfAlikeNoise(const std::array<double, 3> & ratios);

/** Whether it holds along one. */
inline bool
IsAny(const AxisFlags & axes)
{
  return axes[0] || axes[1] || axes[2];
}

/** The names of axes, as "x and y"; empty where there are none. */
std::string
NamesOfAxes(const AxisFlags & axes);

/** The axes along which the noise of an image is alike, inside a mask, which may be null. */
template <typename TPixel, unsigned int VDimension>
AxisFlags
AxesOfAlikeNoise(const itk::Image<TPixel, VDimension> & image, const itk::Image<unsigned char, VDimension> * mask)
{
  NeighborNoise::Extent size{ 1, 1, 1 };
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    size[axis] = static_cast<std::int64_t>(image.GetLargestPossibleRegion().GetSize()[axis]);
  }
  NeighborNoise                 noise(size);
  const NeighborNoise::Extent & block = noise.GetBlockSize();
  std::vector<double>           voxels(block[0] * block[1] * block[2]);
  for (const NeighborNoise::Extent & begin : noise.GetBegins())
  {
    for (std::size_t i = 0; i < voxels.size(); ++i)
    {
      const auto         place = static_cast<std::int64_t>(i);
      const std::int64_t row = place / block[0];
      const std::int64_t voxel =
        begin[0] + place % block[0] + size[0] * (begin[1] + row % block[1] + size[1] * (begin[2] + row / block[1]));
      const bool isInside = mask == nullptr || mask->GetBufferPointer()[voxel] != 0;
      voxels[i] = isInside ? static_cast<double>(image.GetBufferPointer()[voxel]) : std::nan("");
    }
    noise.Add(voxels);
  }
  return AxesOfAlikeNoise(noise.GetRatios());
}

/** An image of every second voxel along some axes, whose noise is independent where interpolation, or zero-filling to
 * twice the size, made that of neighbors alike. It has no place in space. */
template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
EverySecondVoxel(const itk::Image<TPixel, VDimension> & image, const AxisFlags & axes)
{
  using ImageType = itk::Image<TPixel, VDimension>;
  const auto                     region = image.GetLargestPossibleRegion();
  typename ImageType::SizeType   size = region.GetSize();
  typename ImageType::OffsetType step;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    step[axis] = axes[axis] ? 2 : 1;
    size[axis] = (size[axis] + step[axis] - 1) / step[axis];
  }
  const auto result = ImageType::New();
  result->SetRegions(size);
  result->Allocate();
  for (itk::ImageRegionIteratorWithIndex<ImageType> at(result, result->GetLargestPossibleRegion()); !at.IsAtEnd(); ++at)
  {
    typename ImageType::IndexType from = region.GetIndex();
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      from[axis] += step[axis] * at.GetIndex()[axis];
    }
    at.Set(image.GetPixel(from));
  }
  return result;
}

#endif
