// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/OpenedImage.h"

#include "files/base/Errors.h"
#include "files/images/AxesShear.h"
#include "files/images/FormatReaders.h"
#include "files/base/NumberTypes.h"
#include "files/images/OpenedField.h"
#include "files/images/dicom/DicomFolder.h"
#include "files/input/InputFile.h"
#include <vnl/algo/vnl_determinant.h>

#include <algorithm>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

/** The supported type that holds the values of an image, as far as the computation in float needs them. */
itk::IOComponentEnum
PixelTypeFor(const OpenedImage & image)
{
  using Type = itk::IOComponentEnum;
  const Type type = image.componentType == Type::CHAR ? Type::SHORT : image.componentType;
  if (type != Type::UCHAR && type != Type::SHORT && type != Type::USHORT && type != Type::FLOAT)
  {
    return Type::DOUBLE;
  }
  return image.voxels.isScaled ? Type::FLOAT : type;
}

template <typename TValues>
std::string
Join(const TValues & values, std::size_t count)
{
  std::ostringstream text;
  for (unsigned int i = 0; i < count; ++i)
  {
    text << (i == 0 ? "" : " x ") << values[i];
  }
  return text.str();
}

itk::ImageIOBase::Pointer
OpenSeries(const std::string & path)
{
  itk::ImageIOBase::Pointer io;
  CallToRead(path, [&] { io = OpenDicom(path); });
  return io;
}

void
OpenByItk(OpenedImage & image)
{
  image.io = image.format == ImageFormat::MetaImage ? OpenMetaImage(image.path)
             : image.format == ImageFormat::Nrrd    ? OpenNrrd(image.path)
                                                    : OpenSeries(image.path);
  const itk::ImageIOBase & io = *image.io;
  image.metadata = io.GetMetaDataDictionary();
  image.componentType = io.GetComponentType();
  image.components = io.GetNumberOfComponents();
  for (unsigned int axis = 0; axis < io.GetNumberOfDimensions(); ++axis)
  {
    image.size.push_back(io.GetDimensions(axis));
  }
  const unsigned int placed = std::min(io.GetNumberOfDimensions(), 3u);
  for (unsigned int axis = 0; axis < placed; ++axis)
  {
    image.geometry.spacing[axis] = io.GetSpacing(axis);
    image.geometry.origin[axis] = io.GetOrigin(axis);
    for (unsigned int column = 0; column < placed; ++column)
    {
      image.geometry.direction[axis][column] = io.GetDirection(column)[axis];
    }
  }
}

void
CheckGeometry(const std::string & path, const ImageGeometry & geometry)
{
  for (unsigned int axis = 0; axis < 3; ++axis)
  {
    const std::string index = '[' + std::to_string(axis) + ']';
    CheckSpacing(path, "the spacing" + index, geometry.spacing[axis]);
    CheckCoordinate(path, "the origin" + index, geometry.origin[axis]);
    for (unsigned int row = 0; row < 3; ++row)
    {
      CheckCoordinate(path, "the direction" + index, geometry.direction[row][axis]);
    }
  }
}

/** Makes axes perpendicular that are so but for the rounding of a text, and refuses others. */
void
RequirePerpendicularAxes(OpenedImage & image)
{
  auto & directions = image.geometry.direction.GetVnlMatrix();
  if (vnl_determinant(directions.as_ref()) == 0.0)
  {
    RefuseInput(image.path, "the directions of its axes do not span space");
  }
  const AxesShear   shear = ShearOf(directions);
  const std::string text = "its directions have " + shear.text;
  if (shear.cosine > mostShearOfText)
  {
    RefuseInput(image.path, text + hintOnShear);
  }
  if (shear.cosine > mostShear)
  {
    WarnOnce(image.path, { text + ", which is left out" });
    directions = NearestRotation(directions);
  }
}

void
RequireScalar(const OpenedImage & image)
{
  if (image.dimension < 2 || image.dimension > 3)
  {
    const std::string volumes =
      image.dimension == 4
        ? ": it is a series of " + std::to_string(image.size[3]) + " volumes" +
            (image.nifti
               ? ", of which --volume takes one, from 0 on"
               : "; only NIfTI files of series can be read: convert it first, by mri_convert or SimpleITK for example")
        : "";
    throw UserError(image.path + " has " + std::to_string(image.dimension) + " axes (" +
                    Join(image.size, image.dimension) + ")" + volumes + IntentOf(image) +
                    "; images of 2 or 3 axes can be worked on");
  }
  if (image.components != 1)
  {
    throw UserError(
      image.path + " has " + std::to_string(image.components) + " values a voxel" + IntentOf(image) +
      "; images with one can be worked on: take one first, by SimpleITK.VectorIndexSelectionCast for example");
  }
  if (image.GetNumberOfVoxels() == 0)
  {
    throw UserError(image.path + " is empty: its size is " + Join(image.size, image.dimension));
  }
}

/** Makes an image of three axes of a series, if a volume was chosen. */
OpenedImage
TakeVolume(OpenedImage image, const ReadingOptions & reading)
{
  if (reading.volume && IsSeries(image))
  {
    const std::size_t count = image.size[3];
    if (*reading.volume >= count)
    {
      throw UserError(image.path + " has " + std::to_string(count) + " volumes; --volume is " +
                      std::to_string(*reading.volume) + ", and must be from 0 to " + std::to_string(count - 1));
    }
    image = VolumeOf(image, *reading.volume);
  }
  RequireScalar(image);
  return image;
}

} // namespace

OpenedImage
OpenAnyImage(const std::string & path, const ReadingOptions & reading)
{
  OpenedImage image;
  image.path = path;
  image.format = FormatOf(path);
  image.format == ImageFormat::Nifti ? OpenNifti(image, reading.place)
  : image.format == ImageFormat::Mgh ? OpenMgh(image)
                                     : OpenByItk(image);
  CheckGeometry(path, image.geometry);
  while (image.size.size() > 3 && image.size.back() == 1)
  {
    image.size.pop_back();
  }
  image.dimension = static_cast<unsigned int>(image.size.size());
  image.pixelType = PixelTypeFor(image);
  // Images of more axes are refused, whatever their directions are.
  if (image.dimension <= 3)
  {
    RequirePerpendicularAxes(image);
  }
  return image;
}

OpenedImage
OpenImage(const std::string & path, const ReadingOptions & reading)
{
  return TakeVolume(OpenAnyImage(path, reading), reading);
}

bool
IsSeries(const OpenedImage & image)
{
  return image.nifti && image.dimension == 4 && image.components == 1;
}

OpenedImage
VolumeOf(const OpenedImage & series, std::size_t volume)
{
  OpenedImage image = series;
  image.dimension = 3;
  image.size.resize(3);
  image.voxels.offset += volume * image.GetNumberOfVoxels() * BytesOf(image.componentType);
  return image;
}

void
RequireAxesOf(const OpenedImage & other, const OpenedImage & image)
{
  if (image.dimension != other.dimension)
  {
    throw UserError(image.path + " has " + std::to_string(image.dimension) + " axes, and " + other.path + " " +
                    std::to_string(other.dimension));
  }
}

OpenedImage
OpenedImages::OpenAny(const std::string & path)
{
  const std::lock_guard<std::mutex> lock(m_Mutex);
  auto                              found = m_Images.find(path);
  if (found == m_Images.end())
  {
    found = m_Images.emplace(path, OpenAnyImage(path, reading)).first;
    m_HasVolumeOfSeries = m_HasVolumeOfSeries || (reading.volume && IsSeries(found->second));
  }
  return found->second;
}

OpenedImage
OpenedImages::Open(const std::string & path)
{
  return TakeVolume(this->OpenAny(path), reading);
}

OpenedImage
OpenedImages::OpenWithSeries(const std::string & path)
{
  const OpenedImage image = this->OpenAny(path);
  return IsSeries(image) && !reading.volume ? image : TakeVolume(image, reading);
}

OpenedImage
OpenedImages::OpenGrid(const std::string & path)
{
  const OpenedImage image = this->OpenWithSeries(path);
  return IsSeries(image) ? VolumeOf(image, 0) : image;
}

OpenedImage
OpenedImages::OpenLike(const std::string & path, const OpenedImage & other)
{
  OpenedImage image = this->Open(path);
  RequireAxesOf(other, image);
  return image;
}

std::string
Describe(const OpenedImage & image)
{
  return Join(image.size, image.dimension) + " voxels of " +
         Join(image.geometry.spacing, std::min(image.dimension, 3u)) + " mm, " + NameOf(image.GetNumberType());
}

std::string
NameOf(itk::IOComponentEnum type)
{
  std::string name = itk::ImageIOBase::GetComponentTypeAsString(type);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

} // namespace cudaneuro::files
