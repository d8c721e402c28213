// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_OpenedImage_h
#define files_images_OpenedImage_h

#include "files/images/ImageDescription.h"
#include "files/images/ImageFormat.h"
#include "files/images/PlainVoxels.h"
#include "files/images/ReadingOptions.h"
#include "itkImageIOBase.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace cudaneuro::files
{

class NiftiHeader;

/** An image file whose header was read, once: what all that read its grid or its voxels are given. Of its axes,
 * those of size 1 after the third are left out. */
struct OpenedImage : ImageDescription
{
  std::string path;
  ImageFormat format = ImageFormat::Nifti;
  /** The supported type to read the pixels as: the file's own where it is supported. */
  itk::IOComponentEnum pixelType = itk::IOComponentEnum::FLOAT;

  /** The header of a NIfTI file. */
  std::shared_ptr<const NiftiHeader> nifti;
  /** The reader of ITK that has read the header; without one the voxels are plain. */
  itk::ImageIOBase::Pointer io;
  PlainVoxels               voxels;

  /** The type that the numbers have: that of the file, or of what its scale makes of them. */
  itk::IOComponentEnum
  GetNumberType() const
  {
    return voxels.isScaled ? pixelType : componentType;
  }
};

/** Reads the header of an image of 2 or 3 axes with one value a voxel.
 * \throws UserError that names the file when it is none, or its header is damaged */
OpenedImage
OpenImage(const std::string & path, const ReadingOptions & reading = {});

/** Reads the header of an image of any number of axes and of values a voxel, of which ReadField can make
 * displacements. */
OpenedImage
OpenAnyImage(const std::string & path, const ReadingOptions & reading = {});

/** \throws UserError unless an image has as many axes as another */
void
RequireAxesOf(const OpenedImage & other, const OpenedImage & image);

/** Whether an image is a series of volumes: a NIfTI file of four axes with one value a voxel. */
bool
IsSeries(const OpenedImage & image);

/** A volume of a series, counted from 0, as an image of three axes. */
OpenedImage
VolumeOf(const OpenedImage & series, std::size_t volume);

/** Images that several parts of a program read, by their paths: each is opened once. Threads may ask at the same
 * time. */
class OpenedImages
{
public:
  /** Holds for all images; to be set before the first one is opened. */
  ReadingOptions reading;

  /** Does what OpenAnyImage does. */
  OpenedImage
  OpenAny(const std::string & path);
  /** Does what OpenImage does. */
  OpenedImage
  Open(const std::string & path);
  /** Does what Open does, but leaves a series whole where no volume was chosen. */
  OpenedImage
  OpenWithSeries(const std::string & path);
  /** Does what Open does, of a series too where no volume was chosen, whose volumes have one grid. */
  OpenedImage
  OpenGrid(const std::string & path);
  /** Does what Open does; the image must have as many axes as another. */
  OpenedImage
  OpenLike(const std::string & path, const OpenedImage & other);

  /** Whether an image that was opened is a volume of a series. */
  bool
  HasVolumeOfSeries() const
  {
    return m_HasVolumeOfSeries;
  }

private:
  std::mutex                         m_Mutex;
  std::map<std::string, OpenedImage> m_Images;
  bool                               m_HasVolumeOfSeries = false;
};

/** Like "197 x 233 x 189 voxels of 1 x 1 x 1 mm, unsigned char". */
std::string
Describe(const OpenedImage & image);

/** Like "unsigned char". */
std::string
NameOf(itk::IOComponentEnum type);

} // namespace cudaneuro::files

#endif
