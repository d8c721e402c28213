// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageWriter.h"

#include "files/base/ErrorStream.h"
#include "files/base/Errors.h"
#include "files/base/FormatFiles.h"
#include "files/base/Text.h"
#include "files/images/FormatReaders.h"
#include "files/images/NrrdFileIO.h"
#include "files/images/Segmentation.h"
#include "files/images/NiftiWriter.h"
#include "files/images/OpenedImage.h"
#include "files/output/ParallelFile.h"
#include "files/system/SystemFile.h"
#include "itkIOCommon.h"
#include "itkMetaDataObject.h"
#include "itkMetaImageIO.h"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

namespace cudaneuro::files
{

namespace
{

/** Writes the header and the voxels of an image, to one file or two.
 * \param content how voxels are made; where it does not say, those of the image are written */
void
WriteNifti(const std::string & path, const ImageToWrite & image, FileContent content = {})
{
  const bool         isPair = !HasEnding(path, ".nii") && !HasEnding(path, ".nii.gz");
  const NiftiToWrite nifti(image, isPair ? NiftiKind::Pair : NiftiKind::OneFile);
  content.header = nifti.MakeHeader();
  content.bytes = image.GetNumberOfVoxels() * image.components * BytesOf(image.componentType);
  if (!content.copy)
  {
    content.memory = image.components == 1 ? static_cast<const char *>(image.pixels) : nullptr;
    content.copy = [&](std::uint64_t begin, std::size_t count, char * to) { nifti.CopyVoxels(begin, count, to); };
  }
  if (isPair)
  {
    const auto  files = FilesToWrite(ToPath(path));
    const bool  isHeader = HasEnding(path, ".hdr");
    FileContent header;
    header.header = std::exchange(content.header, "");
    WriteInParallel(files[isHeader ? 0 : 1].string(), header);
    WriteInParallel(files[isHeader ? 1 : 0].string(), content);
    return;
  }
  WriteInParallel(path, content);
}

/** A writer of ITK, which reads its own headers, too. One thread at a time makes one: the first one of MetaImage
 * makes a global object of ITK. */
itk::ImageIOBase::Pointer
MakeWriter(ImageFormat format)
{
  static std::mutex                 mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  if (format == ImageFormat::MetaImage)
  {
    return itk::MetaImageIO::New().GetPointer();
  }
  return NrrdFileIO::New().GetPointer();
}

/** Gives a writer of ITK an image. */
void
Describe(const ImageToWrite & image, itk::ImageIOBase & io)
{
  itk::ImageIORegion region(image.dimension);
  io.SetNumberOfDimensions(image.dimension);
  for (unsigned int axis = 0; axis < image.dimension; ++axis)
  {
    std::vector<double> direction;
    for (unsigned int row = 0; row < image.dimension; ++row)
    {
      direction.push_back(image.geometry.direction[row][axis]);
    }
    io.SetDimensions(axis, image.size[axis]);
    io.SetSpacing(axis, image.geometry.spacing[axis]);
    io.SetOrigin(axis, image.geometry.origin[axis]);
    io.SetDirection(axis, direction);
    region.SetSize(axis, image.size[axis]);
  }
  io.SetNumberOfComponents(static_cast<unsigned int>(image.components));
  io.SetPixelType(image.components == 1 ? itk::IOPixelEnum::SCALAR : itk::IOPixelEnum::VECTOR);
  io.SetComponentType(image.componentType);
  itk::MetaDataDictionary metadata = image.metadata;
  metadata.Erase(niftiKey);
  metadata.Erase(itk::ITK_InputFilterName);
  io.SetMetaDataDictionary(metadata);
  io.SetIORegion(region);
}

/** Leaves out keys of other formats that a MetaImage cannot have, with a warning. */
itk::MetaDataDictionary
KeysOfMetaImage(itk::MetaDataDictionary metadata, const std::string & path)
{
  std::vector<std::string> others;
  for (const std::string & key : metadata.GetKeys())
  {
    std::string value;
    itk::ExposeMetaData(metadata, key, value);
    if (key != niftiKey && !FitsMetaImage(key, value))
    {
      others.push_back(Printable(key));
      metadata.Erase(key);
    }
  }
  if (!others.empty())
  {
    Warn(path + ": a MetaImage cannot have the keys " + Listed(others) + " of its input, which are left out");
  }
  return metadata;
}

/** Checks what was written: ITK's writers report nothing, or print a message, when the disk is full.
 * \throws std::runtime_error when header or voxels are cut short */
void
RequireWhole(const std::string & path, const ImageToWrite & image)
{
  bool isWhole = false;
  try
  {
    isWhole = OpenAnyImage(path).size == image.size;
  }
  catch (const UserError &)
  {
    isWhole = false;
  }
  if (!isWhole)
  {
    throw std::runtime_error("the disk may be full: what was written is cut short");
  }
}

void
WriteByItk(const std::string & path, ImageFormat format, const ImageToWrite & image)
{
  const itk::ImageIOBase::Pointer io = MakeWriter(format);
  std::string                     complaint;
  {
    const ErrorStreamCapture errors;
    Describe(image, *io);
    io->SetFileName(path);
    io->Write(image.pixels);
    complaint = errors.TakeText();
  }
  if (!complaint.empty())
  {
    throw std::runtime_error("the disk may be full: " + complaint);
  }
  RequireWhole(path, image);
}

} // namespace

itk::MetaDataDictionary
MovedMetadata(const ImageDescription & grid, const ImageDescription & image)
{
  itk::MetaDataDictionary metadata = GridMetadata(grid.metadata);
  itk::MetaDataDictionary own = image.metadata;
  for (const std::string & key : own.GetKeys())
  {
    if (key != niftiKey && key.rfind("NRRD_", 0) != 0)
    {
      metadata[key] = own[key];
    }
  }
  if (const std::string header = MovedHeader(grid, image); !header.empty())
  {
    itk::EncapsulateMetaData<std::string>(metadata, niftiKey, header);
  }
  return metadata;
}

StagedFile
StageImage(const OutputFile & file, const ImageToWrite & given)
{
  const ImageFormat format = CheckOutputFormat(file.GetPath());
  ImageToWrite      image = given;
  if (format == ImageFormat::MetaImage)
  {
    image.metadata = KeysOfMetaImage(image.metadata, file.GetPath());
  }
  return file.Stage([&](const std::string & path) {
    if (format != ImageFormat::Nrrd)
    {
      RequireOneLayer(image.metadata, file.GetPath() + " is not of NRRD, which has layers");
    }
    format == ImageFormat::Nifti ? WriteNifti(path, image) : WriteByItk(path, format, image);
  });
}

StagedFile
StageSeries(const OutputFile & file, const ImageToWrite & series, const MakeVolume & make, unsigned int volumesAtOnce)
{
  const std::size_t bytes =
    series.GetNumberOfVoxels() / series.size.back() * series.components * BytesOf(series.componentType);
  FileContent content;
  content.partsAtOnce = volumesAtOnce;
  // Whole volumes, of small ones several.
  content.bytesOfPart = bytes * std::max<std::size_t>(1, content.bytesOfPart / bytes);
  content.copy = [&make, bytes](std::uint64_t begin, std::size_t count, char * to) {
    for (std::size_t done = 0; done < count; done += bytes)
    {
      make((begin + done) / bytes, to + done);
    }
  };
  return file.Stage([&](const std::string & path) { WriteNifti(path, series, content); });
}

StagedFile
StageConverted(const OutputFile & file, const ImageToWrite & image, itk::IOComponentEnum type)
{
  return WithComponentType(type, [&](auto number) {
    const auto * const            integers = static_cast<const std::int64_t *>(image.pixels);
    std::vector<decltype(number)> converted(image.GetNumberOfVoxels() * image.components);
    std::transform(integers, integers + converted.size(), converted.begin(), [](std::int64_t value) {
      return static_cast<decltype(number)>(value);
    });
    ImageToWrite other = image;
    other.componentType = type;
    other.pixels = converted.data();
    return StageImage(file, other);
  });
}

} // namespace cudaneuro::files
