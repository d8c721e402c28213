// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/OpenedImage.h"

#include "files/base/Errors.h"
#include "files/images/ImageReader.h"
#include "files/images/NiftiFile.h"
#include "files/images/NiftiGeometry.h"
#include "files/images/OpenedField.h"
#include "files/images/SeriesVolume.h"
#include "files/input/InputFile.h"
#include "itkMetaDataObject.h"
#include <vnl/algo/vnl_determinant.h>

#include <algorithm>
#include <mutex>
#include <sstream>

namespace
{

/** The supported type that holds the values of a file's type, as far as the computation in float needs them. */
itk::IOComponentEnum
PixelTypeFor(itk::IOComponentEnum component)
{
  switch (component)
  {
    case itk::IOComponentEnum::UCHAR:
    case itk::IOComponentEnum::SHORT:
    case itk::IOComponentEnum::USHORT:
    case itk::IOComponentEnum::FLOAT:
      return component;
    case itk::IOComponentEnum::CHAR:
      return itk::IOComponentEnum::SHORT;
    default:
      return itk::IOComponentEnum::DOUBLE;
  }
}

template <typename TValues>
std::string
Join(const TValues & values)
{
  std::ostringstream text;
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    text << (i == 0 ? "" : " x ") << values[i];
  }
  return text.str();
}

void
ReadNiftiHeader(OpenedImage & image)
{
  const auto file = std::make_shared<const NiftiFile>(OpenNifti(image.path));
  image.nifti = file;
  image.dimension = static_cast<unsigned int>(file->size.size());
  image.size.assign(file->size.begin(), file->size.end());
  image.components = file->components;
  image.componentType = file->type;
  image.pixelType = PixelTypeFor(file->type);
  if (file->isScaled && image.pixelType != itk::IOComponentEnum::DOUBLE)
  {
    image.pixelType = itk::IOComponentEnum::FLOAT;
  }
  std::vector<std::string> notes;
  MillimetersOf(file->header, notes);
  SetGeometry(image, GeometryOf(file->headerPath, file->header, image.dimension == 2 ? 2 : 3, notes));
  WarnOnce(image.path, notes);
  if (file->header.GetKind() != NiftiKind::Analyze)
  {
    file->header.AddTo(image.metadata);
    itk::EncapsulateMetaData<std::string>(image.metadata, niftiExtensionsKey, file->extensions);
  }
}

void
ReadHeaderByItk(OpenedImage & image)
{
  image.io = OpenByItk(image.path, image.format);
  const itk::ImageIOBase & io = *image.io;
  image.metadata = io.GetMetaDataDictionary();
  image.componentType = io.GetComponentType();
  image.pixelType = PixelTypeFor(image.componentType);
  image.components = io.GetNumberOfComponents();
  image.dimension = io.GetNumberOfDimensions();
  while (image.dimension > 3 && io.GetDimensions(image.dimension - 1) == 1)
  {
    --image.dimension;
  }
  for (unsigned int axis = 0; axis < image.dimension; ++axis)
  {
    image.size.push_back(io.GetDimensions(axis));
    image.spacing.push_back(io.GetSpacing(axis));
    image.origin.push_back(io.GetOrigin(axis));
    for (unsigned int column = 0; column < image.dimension; ++column)
    {
      image.direction.push_back(io.GetDirection(column)[axis]);
    }
  }
  // Images of more axes are refused, whatever their directions are.
  const vnl_matrix<double> direction(image.direction.data(), image.dimension, image.dimension);
  if (image.dimension <= 3 && vnl_determinant(direction) == 0.0)
  {
    RefuseInput(image.path, "the directions of its axes do not span space");
  }
}

void
RequireScalar(const OpenedImage & image)
{
  if (image.dimension < 2 || image.dimension > 3)
  {
    const std::string volumes = image.dimension == 4
                                  ? ": it is a series of " + std::to_string(image.size[3]) + " volumes" +
                                      (image.nifti ? ", of which --volume takes one, from 0 on" : "")
                                  : "";
    throw UserError(image.path + " has " + std::to_string(image.dimension) + " axes (" + Join(image.size) + ")" +
                    volumes + IntentOf(image) + "; images of 2 or 3 axes can be worked on");
  }
  if (image.components != 1)
  {
    throw UserError(image.path + " has " + std::to_string(image.components) + " values a voxel" + IntentOf(image) +
                    "; images with one can be worked on");
  }
  if (std::find(image.size.begin(), image.size.end(), 0u) != image.size.end())
  {
    throw UserError(image.path + " is empty: its size is " + Join(image.size));
  }
}

} // namespace

OpenedImage
OpenAnyImage(const std::string & path)
{
  OpenedImage image;
  image.path = path;
  image.format = FormatOf(path);
  image.format == ImageFormat::Nifti ? ReadNiftiHeader(image) : ReadHeaderByItk(image);
  return image;
}

OpenedImage
OpenImage(const std::string & path)
{
  OpenedImage image = OpenAnyImage(path);
  TakeVolume(image);
  RequireScalar(image);
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
    found = m_Images.emplace(path, OpenAnyImage(path)).first;
  }
  return found->second;
}

OpenedImage
OpenedImages::Open(const std::string & path)
{
  OpenedImage image = this->OpenAny(path);
  TakeVolume(image);
  RequireScalar(image);
  return image;
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
  return Join(image.size) + " voxels of " + Join(image.spacing) + " mm, " + NameOf(image.pixelType);
}

std::string
NameOf(itk::IOComponentEnum type)
{
  std::string name = itk::ImageIOBase::GetComponentTypeAsString(type);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}
