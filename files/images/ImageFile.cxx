// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFile.h"

#include "files/base/FormatFiles.h"
#include "files/images/ImageReader.h"
#include "files/input/InputFile.h"
#include "files/images/NiftiVoxels.h"
#include "files/images/ImageGrid.h"
#include "files/output/ParallelFile.h"
#include "files/output/WrittenFile.h"
#include "itkImageFileReader.h"
#include "itkImageFileWriter.h"
#include "itkImageIOFactory.h"
#include "itkVector.h"
#include "files/base/ErrorStream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <sstream>

namespace
{

constexpr const char * formats = "NIfTI (.nii, .nii.gz), MetaImage (.mha, .mhd), NRRD (.nrrd, .nhdr)";
constexpr const char * writtenEndings[] = { ".nii", ".nii.gz", ".hdr", ".img", ".mha", ".mhd", ".nrrd", ".nhdr" };

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

/** Reads an image of numbers or vectors, through the checks of all inputs. */
template <typename TImage>
typename TImage::Pointer
ReadChecked(const std::string & path, const InputImage & file)
{
  using ValueType = typename itk::NumericTraits<typename TImage::PixelType>::ValueType;
  constexpr std::uint64_t components = sizeof(typename TImage::PixelType) / sizeof(ValueType);
  const auto              reader = itk::ImageFileReader<TImage>::New();
  reader->SetImageIO(MakeImageIO(file));
  reader->SetFileName(file.headerPath);
  if (file.format != ImageFormat::Nifti)
  {
    file.checkVoxels();
    CallToRead(path, [&] { reader->Update(); });
    const typename TImage::Pointer image = reader->GetOutput();
    image->DisconnectPipeline();
    return image;
  }
  CallToRead(path, [&] { reader->UpdateOutputInformation(); });
  const typename TImage::Pointer image = reader->GetOutput();
  image->DisconnectPipeline();
  image->SetRegions(image->GetLargestPossibleRegion());
  const NiftiLayout layout = CheckNifti(path);
  if (layout.components != components || layout.voxels != image->GetLargestPossibleRegion().GetNumberOfPixels())
  {
    RefuseInput(path, "it has other axes than ITK's reader takes it to have");
  }
  try
  {
    image->Allocate();
    ReadNiftiVoxels(layout, reinterpret_cast<ValueType *>(image->GetBufferPointer()));
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(path, "there is not enough memory for its pixels");
  }
  catch (const itk::MemoryAllocationError &)
  {
    RefuseInput(path, "there is not enough memory for its pixels");
  }
  return image;
}

} // namespace

ImageFileInformation
ReadImageInformation(const std::string & path)
{
  const InputImage                file = CheckImage(path);
  const itk::ImageIOBase::Pointer io = OpenImage(path, file);
  ImageFileInformation            information;
  information.format = io->GetNameOfClass();
  information.componentType = io->GetComponentType();
  information.pixelType = PixelTypeFor(information.componentType);
  // ITK ignores slopes below 2e-16.
  const bool isScaled = file.format == ImageFormat::Nifti && CheckNifti(path).isScaled;
  if (isScaled && information.pixelType != itk::IOComponentEnum::DOUBLE)
  {
    information.pixelType = itk::IOComponentEnum::FLOAT;
  }
  information.dimension = io->GetNumberOfDimensions();
  while (information.dimension > 3 && io->GetDimensions(information.dimension - 1) == 1)
  {
    --information.dimension;
  }
  for (unsigned int axis = 0; axis < information.dimension; ++axis)
  {
    information.size.push_back(io->GetDimensions(axis));
    information.spacing.push_back(io->GetSpacing(axis));
  }
  if (information.dimension < 2 || information.dimension > 3)
  {
    throw UserError(path + " has " + std::to_string(information.dimension) + " axes (" + Join(information.size) +
                    "); images of 2 or 3 axes can be worked on");
  }
  if (io->GetNumberOfComponents() != 1)
  {
    throw UserError(path + " has " + std::to_string(io->GetNumberOfComponents()) +
                    " values a voxel; images with one can be worked on");
  }
  if (std::find(information.size.begin(), information.size.end(), 0u) != information.size.end())
  {
    throw UserError(path + " is empty: its size is " + Join(information.size));
  }
  return information;
}

std::string
Describe(const ImageFileInformation & information)
{
  return Join(information.size) + " voxels of " + Join(information.spacing) + " mm, " + NameOf(information.pixelType);
}

std::string
NameOf(itk::IOComponentEnum type)
{
  std::string name = itk::ImageIOBase::GetComponentTypeAsString(type);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string
CheckOutputFormat(const std::string & path)
{
  const itk::ImageIOBase::Pointer io = itk::ImageIOFactory::CreateImageIO(path.c_str(), itk::IOFileModeEnum::WriteMode);
  if (io.IsNull() || std::none_of(std::begin(writtenEndings), std::end(writtenEndings), [&](const char * ending) {
        return HasEnding(path, ending);
      }))
  {
    throw UserError("cannot write " + path + ": its ending is that of no known format, which are " + formats);
  }
  return io->GetNameOfClass();
}

template <typename TPixel, unsigned int VDimension>
typename itk::Image<TPixel, VDimension>::Pointer
ReadImage(const std::string & path)
{
  const auto image = ReadChecked<itk::Image<TPixel, VDimension>>(path, CheckImage(path));
  ThrowIfInterrupted();
  return image;
}

template <typename TValue, unsigned int VDimension>
typename itk::Image<itk::Vector<TValue, VDimension>, VDimension>::Pointer
ReadField(const std::string & path)
{
  using FieldType = itk::Image<itk::Vector<TValue, VDimension>, VDimension>;
  const InputImage                file = CheckImage(path);
  const itk::ImageIOBase::Pointer io = OpenImage(path, file);
  if (io->GetNumberOfComponents() != VDimension)
  {
    throw UserError(path + " has " + std::to_string(io->GetNumberOfComponents()) +
                    " values a voxel; a displacement field of " + std::to_string(VDimension) + " axes has " +
                    std::to_string(VDimension));
  }
  const typename FieldType::Pointer field = ReadChecked<FieldType>(path, file);
  ThrowIfInterrupted();
  return field;
}

namespace
{

/** Checks that the header of a written file can be read and has the image's size. */
template <unsigned int VDimension>
void
RequireHeader(const std::string & path, const itk::ImageBase<VDimension> & image)
{
  const itk::ImageIOBase::Pointer io = itk::ImageIOFactory::CreateImageIO(path.c_str(), itk::IOFileModeEnum::ReadMode);
  bool                            isWhole = io.IsNotNull();
  if (isWhole)
  {
    const ErrorStreamCapture errors;
    io->SetFileName(path);
    io->ReadImageInformation();
    for (unsigned int axis = 0; axis < VDimension; ++axis)
    {
      // Some formats leave out axes at the end of size 1.
      const itk::SizeValueType size = axis < io->GetNumberOfDimensions() ? io->GetDimensions(axis) : 1;
      isWhole = isWhole && size == image.GetLargestPossibleRegion().GetSize(axis);
    }
  }
  if (!isWhole)
  {
    throw std::runtime_error("the disk may be full: the header is cut short");
  }
}

/** Several writers of ITK only print what they could not write. */
template <typename TImage>
void
WriteByItk(const std::string & path, const TImage * image)
{
  const auto               writer = itk::ImageFileWriter<TImage>::New();
  const ErrorStreamCapture errors;
  writer->SetInput(image);
  writer->SetFileName(path);
  writer->Update();
  const std::string complaint = errors.TakeText();
  if (!complaint.empty())
  {
    throw std::runtime_error("the disk may be full: " + complaint);
  }
  RequireWholeImage(path, image->GetLargestPossibleRegion().GetNumberOfPixels() * sizeof(typename TImage::PixelType));
}

/** The header of a NIfTI file of an image: ITK writes that of an image of one voxel, and the size is put in. */
template <typename TImage>
std::string
MakeNiftiHeader(const std::filesystem::path & folder, const TImage & image)
{
  constexpr std::size_t headerBytes = 352;
  constexpr std::size_t atSize = 42;
  const auto            voxel = TImage::New();
  voxel->CopyInformation(&image);
  typename TImage::SizeType one;
  one.Fill(1);
  voxel->SetRegions(one);
  voxel->Allocate();
  const std::string path = (folder / "header.nii").string();
  WriteByItk(path, voxel.GetPointer());
  const std::vector<char> bytes = ReadBytes(path, 0, headerBytes);
  std::filesystem::remove(path);
  std::string header(bytes.begin(), bytes.end());
  for (unsigned int axis = 0; axis < TImage::ImageDimension; ++axis)
  {
    const itk::SizeValueType size = image.GetLargestPossibleRegion().GetSize(axis);
    if (size > static_cast<itk::SizeValueType>(std::numeric_limits<std::int16_t>::max()))
    {
      throw std::runtime_error("its axis " + std::to_string(axis) + " has " + std::to_string(size) +
                               " voxels, and NIfTI allows 32767; MetaImage (.mha) and NRRD (.nrrd) allow more");
    }
    const auto number = static_cast<std::int16_t>(size);
    std::memcpy(&header[atSize + axis * sizeof(number)], &number, sizeof(number));
  }
  return header;
}

/** The voxels in the order of NIfTI, which has all values of one component before those of the next. */
template <typename TPixel, unsigned int VDimension>
std::function<void(std::uint64_t, std::size_t, char *)>
VoxelsInOrderOfNifti(const itk::Image<TPixel, VDimension> & image)
{
  using ValueType = typename itk::NumericTraits<TPixel>::ValueType;
  constexpr std::size_t    components = sizeof(TPixel) / sizeof(ValueType);
  const auto * const       values = reinterpret_cast<const ValueType *>(image.GetBufferPointer());
  const itk::SizeValueType voxels = image.GetLargestPossibleRegion().GetNumberOfPixels();
  return [values, voxels](std::uint64_t begin, std::size_t count, char * to) {
    if constexpr (components == 1)
    {
      std::memcpy(to, reinterpret_cast<const char *>(values) + begin, count);
    }
    else
    {
      std::uint64_t component = begin / sizeof(ValueType) / voxels;
      std::uint64_t voxel = begin / sizeof(ValueType) % voxels;
      for (char * const end = to + count; to < end; to += sizeof(ValueType))
      {
        std::memcpy(to, values + voxel * components + component, sizeof(ValueType));
        if (++voxel == voxels)
        {
          voxel = 0;
          ++component;
        }
      }
    }
  };
}

} // namespace

template <typename TPixel, unsigned int VDimension>
StagedFile
StageImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image)
{
  return file.Stage([&](const std::string & path) {
    if (HasEnding(path, ".nii") || HasEnding(path, ".nii.gz"))
    {
      FileContent content;
      content.header = MakeNiftiHeader(std::filesystem::path(path).parent_path(), *image);
      content.bytes = image->GetLargestPossibleRegion().GetNumberOfPixels() * sizeof(TPixel);
      content.copy = VoxelsInOrderOfNifti(*image);
      WriteInParallel(path, content);
      return;
    }
    WriteByItk(path, image);
    RequireHeader(path, *image);
  });
}

template <typename TPixel, unsigned int VDimension>
void
WriteImage(const OutputFile & file, const itk::Image<TPixel, VDimension> * image)
{
  StageImage<TPixel, VDimension>(file, image).Commit();
}

template <unsigned int VDimension>
void
AlignWith(const itk::ImageBase<VDimension> & reference,
          const std::string &                referencePath,
          itk::ImageBase<VDimension> &       image,
          const std::string &                path)
{
  const auto require = [&](bool isSame, const char * what, const auto & value, const auto & referenceValue) {
    if (!isSame)
    {
      std::ostringstream text;
      text << path << " and " << referencePath << " differ in their " << what << ": " << value << " and "
           << referenceValue;
      throw UserError(text.str());
    }
  };
  const auto size = image.GetLargestPossibleRegion().GetSize();
  const auto referenceSize = reference.GetLargestPossibleRegion().GetSize();
  require(size == referenceSize, "size", size, referenceSize);
  double spacingError = 0.0;
  double originError = 0.0;
  double directionError = 0.0;
  for (unsigned int axis = 0; axis < VDimension; ++axis)
  {
    const double spacing = reference.GetSpacing()[axis];
    spacingError = std::max(spacingError, std::abs(image.GetSpacing()[axis] / spacing - 1.0));
    originError = std::max(originError, std::abs(image.GetOrigin()[axis] - reference.GetOrigin()[axis]) / spacing);
    for (unsigned int column = 0; column < VDimension; ++column)
    {
      directionError =
        std::max(directionError, std::abs(image.GetDirection()[axis][column] - reference.GetDirection()[axis][column]));
    }
  }
  require(spacingError < 1e-4, "spacing", image.GetSpacing(), reference.GetSpacing());
  require(originError < 1e-2, "origin", image.GetOrigin(), reference.GetOrigin());
  require(directionError < 1e-4, "axis directions", image.GetDirection(), reference.GetDirection());
  image.CopyInformation(&reference);
}

template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
ReadMask(const std::string & path, const itk::ImageBase<VDimension> & image, const std::string & imagePath)
{
  const ImageFileInformation information = ReadImageInformation(path);
  if (information.dimension != VDimension)
  {
    throw UserError(path + " has " + std::to_string(information.dimension) + " axes, and " + imagePath + " " +
                    std::to_string(VDimension));
  }
  const auto values = ReadImage<float, VDimension>(path);
  AlignWith<VDimension>(image, imagePath, *values, path);
  const auto mask = MaskOf<VDimension>(*values);
  const auto count = static_cast<std::ptrdiff_t>(mask->GetLargestPossibleRegion().GetNumberOfPixels());
  if (std::count(mask->GetBufferPointer(), mask->GetBufferPointer() + count, 0) == count)
  {
    throw UserError("the mask " + path + " of " + imagePath + " leaves no voxel: all are 0 or NaN");
  }
  return mask;
}

template <unsigned int VDimension>
typename itk::Image<unsigned char, VDimension>::Pointer
MaskOf(const itk::Image<float, VDimension> & values)
{
  const auto mask = itk::Image<unsigned char, VDimension>::New();
  mask->CopyInformation(&values);
  mask->SetRegions(values.GetLargestPossibleRegion());
  mask->Allocate();
  // Both comparisons are false for NaN.
  std::transform(values.GetBufferPointer(),
                 values.GetBufferPointer() + values.GetLargestPossibleRegion().GetNumberOfPixels(),
                 mask->GetBufferPointer(),
                 [](float value) { return static_cast<unsigned char>(value < 0.0f || value > 0.0f); });
  return mask;
}

template <unsigned int VDimension>
using FloatVector = itk::Vector<float, VDimension>;
template <unsigned int VDimension>
using DoubleVector = itk::Vector<double, VDimension>;

#define INSTANTIATE_WRITING(TPixel, VDimension) \
  template StagedFile StageImage(const OutputFile &, const itk::Image<TPixel, VDimension> *); \
  template void       WriteImage(const OutputFile &, const itk::Image<TPixel, VDimension> *)

#define INSTANTIATE_FIELD(TVector, VDimension) \
  template itk::Image<TVector, VDimension>::Pointer ReadField<TVector::ValueType, VDimension>(const std::string &)

#define INSTANTIATE_PIXEL(TPixel, VDimension) \
  template itk::Image<TPixel, VDimension>::Pointer ReadImage<TPixel, VDimension>(const std::string &); \
  INSTANTIATE_WRITING(TPixel, VDimension)

#define INSTANTIATE(VDimension) \
  template void AlignWith( \
    const itk::ImageBase<VDimension> &, const std::string &, itk::ImageBase<VDimension> &, const std::string &); \
  template itk::Image<unsigned char, VDimension>::Pointer ReadMask( \
    const std::string &, const itk::ImageBase<VDimension> &, const std::string &); \
  template itk::Image<unsigned char, VDimension>::Pointer MaskOf(const itk::Image<float, VDimension> &); \
  INSTANTIATE_FIELD(FloatVector<VDimension>, VDimension); \
  INSTANTIATE_FIELD(DoubleVector<VDimension>, VDimension); \
  INSTANTIATE_WRITING(FloatVector<VDimension>, VDimension); \
  INSTANTIATE_PIXEL(unsigned char, VDimension); \
  INSTANTIATE_PIXEL(short, VDimension); \
  INSTANTIATE_PIXEL(unsigned short, VDimension); \
  INSTANTIATE_PIXEL(float, VDimension); \
  INSTANTIATE_PIXEL(double, VDimension)

INSTANTIATE(2);
INSTANTIATE(3);

#undef INSTANTIATE
#undef INSTANTIATE_PIXEL
#undef INSTANTIATE_FIELD
#undef INSTANTIATE_WRITING
