// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_VoxelFiles_h
#define files_images_VoxelFiles_h

#include "files/input/InputFile.h"
#include "itkImageIOBase.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** How the numbers of voxels are stored; ITK's readers check the digits of hexadecimal ones themselves. */
enum class VoxelEncoding
{
  Raw,
  /** Compressed by gzip or zlib. */
  Deflated,
  Text,
  Hexadecimal
};

/** Where a header of MetaImage or NRRD says that the voxels are. ITK's readers take missing voxels for whatever is
 * in memory, do not compare checksums, and cut numbers of text to the range of their type. */
struct VoxelFiles
{
  std::string headerPath;
  /** Each has as many voxels as the others. */
  std::vector<std::string> paths;
  VoxelEncoding            encoding = VoxelEncoding::Raw;
  /** Bytes before the data of each file, and of what is compressed, before the voxels. */
  std::uint64_t offset = 0;
  std::uint64_t skippedBytes = 0;
  /** Whether NrrdIO reads the text, which takes commas for white space, and whole numbers like 1e2 for 1. MetaIO
   * takes neither so. */
  bool isNrrd = false;
  /** Compressed bytes; 0 is all that the file has. */
  std::uint64_t compressedBytes = 0;
  /** What ITK's reader makes of the header: the type of a number, and how many there are in all files together. */
  itk::IOComponentEnum type = itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE;
  std::uint64_t        count = 0;
};

/** Checks that the files are there and can hold the voxels.
 * \throws UserError that names the files */
void
CheckSizes(const VoxelFiles & files);

/** Checks that no voxel is missing where they are compressed or text, which takes as long as reading them. */
void
CheckVoxels(const VoxelFiles & files);

/** A reader of ITK that checks the voxels before it reads them, and corrects what the reader makes of a header. */
template <typename TReader>
class CheckedImageIO : public TReader
{
public:
  using Self = CheckedImageIO;
  using Superclass = TReader;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  VoxelFiles                              files;
  std::function<void(itk::ImageIOBase &)> correct = [](itk::ImageIOBase &) {};

  void
  ReadImageInformation() override
  {
    TReader::ReadImageInformation();
    correct(*this);
    files.type = this->GetComponentType();
    std::vector<std::uint64_t> factors{ this->GetNumberOfComponents() };
    for (unsigned int axis = 0; axis < this->GetNumberOfDimensions(); ++axis)
    {
      factors.push_back(this->GetDimensions(axis));
    }
    files.count = SaturatedProduct(factors);
    CheckSizes(files);
  }
  void
  Read(void * buffer) override
  {
    CheckVoxels(files);
    TReader::Read(buffer);
  }
};

} // namespace cudaneuro::files

#endif
