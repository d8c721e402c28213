// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/OpenedImage.h"

#include "files/base/Errors.h"
#include "files/images/ImageReader.h"
#include "files/images/NiftiFile.h"
#include "files/images/NiftiGeometry.h"
#include "files/images/NumberTypes.h"
#include "files/images/SeriesVolume.h"
#include "files/input/InputFile.h"
#include "itkMetaDataObject.h"
#include <vnl/algo/vnl_determinant.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
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

/** Warns of what is remarkable about a file, once in a run, in one line. */
void
WarnOnce(const std::string & path, const std::vector<std::string> & notes)
{
  static std::mutex            mutex;
  static std::set<std::string> said;
  std::string                  text;
  for (const std::string & note : notes)
  {
    text += (text.empty() ? path + ": " : "; ") + note;
  }
  const std::lock_guard<std::mutex> lock(mutex);
  if (!text.empty() && said.insert(text).second)
  {
    Warn(text);
  }
}

void
SetGrid(OpenedImage & image, const ImageGeometry & geometry)
{
  for (unsigned int axis = 0; axis < image.dimension; ++axis)
  {
    image.spacing.push_back(axis < 3 ? geometry.spacing[axis] : 1.0);
    image.origin.push_back(axis < 3 ? geometry.origin[axis] : 0.0);
    for (unsigned int column = 0; column < image.dimension; ++column)
    {
      const bool isInside = axis < 3 && column < 3;
      image.direction.push_back(isInside ? geometry.direction[axis][column] : axis == column ? 1.0 : 0.0);
    }
  }
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
  SetGrid(image, GeometryOf(file->headerPath, file->header, image.dimension == 2 ? 2 : 3, notes));
  WarnOnce(image.path, notes);
  if (file->header.GetKind() != NiftiKind::Analyze)
  {
    file->header.AddTo(image.metadata);
    itk::EncapsulateMetaData<std::string>(image.metadata, "nifti_extensions", file->extensions);
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

/** What the header says of the meaning of vectors, for messages. */
std::string
IntentOf(const OpenedImage & image)
{
  const std::int64_t intent = image.nifti ? image.nifti->header.Integer("intent_code") : 0;
  return intent == 0 ? "" : ", and its intent_code is " + std::to_string(intent) + ", " + NameOfIntent(intent);
}

std::optional<std::size_t> volumeInUse;
std::atomic<bool>          isVolumeTaken{ false };

/** Makes an image of three axes of a series, if a volume was chosen. */
void
TakeVolume(OpenedImage & image)
{
  if (!volumeInUse || image.dimension != 4 || image.components != 1 || !image.nifti)
  {
    return;
  }
  const auto        file = std::make_shared<NiftiFile>(*image.nifti);
  const std::size_t count = image.size[3];
  if (*volumeInUse >= count)
  {
    throw UserError(image.path + " has " + std::to_string(count) + " volumes; --volume is " +
                    std::to_string(*volumeInUse) + ", and must be from 0 to " + std::to_string(count - 1));
  }
  file->voxels /= count;
  file->offset += *volumeInUse * file->voxels * BytesOf(file->type);
  file->size.resize(3);
  std::vector<std::string> ignored;
  image.nifti = file;
  image.dimension = 3;
  image.size.resize(3);
  image.spacing.clear();
  image.origin.clear();
  image.direction.clear();
  SetGrid(image, GeometryOf(file->headerPath, file->header, 3, ignored));
  isVolumeTaken = true;
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

/** Takes the last axis of a NIfTI file for the components of vectors. */
void
TakeLastAxis(OpenedImage & image, NiftiFile & file, unsigned int dimension)
{
  file.components = dimension;
  file.voxels /= dimension;
  image.components = dimension;
  image.dimension = dimension;
  image.size.resize(dimension, 1);
  std::vector<std::string> ignored;
  image.spacing.clear();
  image.origin.clear();
  image.direction.clear();
  SetGrid(image, GeometryOf(file.headerPath, file.header, dimension, ignored));
}

/** Applies what the header says of the meaning of vectors. Those of 1006 are along RAS and in the unit of the header; those of 1007 are
 * along LPS, as ITK and ANTs write them. */
void
TakeMeaning(OpenedImage & image, unsigned int dimension)
{
  constexpr std::int64_t displacements = 1006;
  constexpr std::int64_t vectors = 1007;
  const auto             file = std::make_shared<NiftiFile>(*image.nifti);
  const std::int64_t     intent = file->header.Integer("intent_code");
  const std::string      name = file->header.Text("intent_name");
  const bool             isKnown = intent == 0 || intent == displacements || intent == vectors;
  if (!isKnown || name == "Mapping" || name == "NREG_TRANS")
  {
    throw UserError(
      image.path + " has intent_code " + std::to_string(intent) + " (" + NameOfIntent(intent) + ")" +
      (name.empty() ? "" : " and intent_name " + name) +
      ", which is no field of displacements in mm along RAS or LPS; convert it by the program that made it, "
      "or by wb_command -convert-warpfield");
  }
  std::vector<std::string> notes;
  const bool               isLastAxis =
    image.components == 1 && image.size.size() > dimension && image.size.back() == dimension &&
    std::all_of(image.size.begin() + dimension, image.size.end() - 1, [](std::size_t size) { return size == 1; });
  if (isLastAxis)
  {
    TakeLastAxis(image, *file, dimension);
  }
  if (intent == 0)
  {
    notes.emplace_back(
      "its vectors have no intent_code, and are taken as displacements along LPS, as ITK and ANTs have them; "
      "1006 in it would stand for RAS, and 1007 for LPS");
  }
  std::vector<std::string> ignored;
  file->factors.assign(file->components, MillimetersOf(file->header, ignored));
  if (intent == displacements)
  {
    std::for_each_n(file->factors.begin(), std::min<std::size_t>(2, file->components), [](double & f) { f = -f; });
  }
  image.nifti = file;
  WarnOnce(image.path, notes);
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
SetSeriesVolume(std::size_t volume)
{
  volumeInUse = volume;
}

bool
IsSeriesMissing()
{
  return volumeInUse && !isVolumeTaken;
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

OpenedImage
AsField(const OpenedImage & image, unsigned int dimension)
{
  OpenedImage field = image;
  if (field.nifti)
  {
    TakeMeaning(field, dimension);
  }
  if (field.components != dimension || field.dimension != dimension)
  {
    throw UserError(field.path + " has " + std::to_string(field.components) + " values a voxel and " +
                    std::to_string(field.dimension) + " axes" + IntentOf(field) + "; a displacement field of " +
                    std::to_string(dimension) + " axes has " + std::to_string(dimension) + " values");
  }
  return field;
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
