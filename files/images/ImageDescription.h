// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ImageDescription_h
#define files_images_ImageDescription_h

#include "itkCommonEnums.h"
#include "itkMatrix.h"
#include "itkMetaDataDictionary.h"
#include "itkPoint.h"
#include "itkVector.h"

#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace cudaneuro::files
{

/** The places of voxels in mm, LPS. An image of two axes is in the plane of the first two. */
struct ImageGeometry
{
  itk::Vector<double, 3>    spacing{ 1.0 };
  itk::Point<double, 3>     origin{ 0.0 };
  itk::Matrix<double, 3, 3> direction = itk::Matrix<double, 3, 3>::GetIdentity();
};

/** All of an image but its pixels: what a header tells. */
struct ImageDescription
{
  unsigned int             dimension = 0;
  std::vector<std::size_t> size;
  ImageGeometry            geometry;
  /** Number of values a voxel. */
  std::size_t components = 1;
  /** The type of a value in the file. */
  itk::IOComponentEnum componentType = itk::IOComponentEnum::FLOAT;
  /** What else the header says, by ITK's names. */
  itk::MetaDataDictionary metadata;

  std::size_t
  GetNumberOfVoxels() const
  {
    return std::accumulate(size.begin(), size.end(), std::size_t{ 1 }, std::multiplies<>());
  }
};

} // namespace cudaneuro::files

#endif
