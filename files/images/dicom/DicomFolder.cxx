// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/dicom/DicomFolder.h"

#include "files/base/QuietItk.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"

#include <filesystem>
#include <fstream>

#ifdef CUDANEURO_USE_DICOM
#  include "files/base/AbortGuard.h"
#  include "files/base/Errors.h"
#  include "files/base/NumberTypes.h"
#  include "files/images/dicom/DicomSlices.h"
#  include "itkGDCMImageIO.h"
#  include "itkGDCMSeriesFileNames.h"
#  include "itkImageSeriesReader.h"
#  include "itkMetaDataObject.h"

#  include <gdcmImageReader.h>

#  include <algorithm>
#  include <functional>
#  include <set>
#endif

namespace cudaneuro::files
{

bool
HasDicomMark(const std::string & path)
{
  constexpr std::streamoff place = 128;
  std::error_code          error;
  char                     mark[4] = {};
  if (std::filesystem::is_regular_file(ToPath(path), error))
  {
    std::ifstream file(ToPath(path), std::ios::binary);
    file.seekg(place).read(mark, sizeof(mark));
  }
  return std::string(mark, sizeof(mark)) == "DICM";
}

#ifndef CUDANEURO_USE_DICOM

itk::ImageIOBase::Pointer
OpenDicom(const std::string & path)
{
  RefuseInput(
    path,
    (std::filesystem::is_directory(ToPath(path)) ? "it is a folder" : "it is a file of DICOM") +
      std::string(
        ", and this was built without ITK's module ITKIOGDCM, which reads DICOM; convert the series first, ") +
      byConverter);
}

#else

namespace
{

[[noreturn]] void
RefuseDamaged(const std::string & path)
{
  RefuseInput(path,
              std::string("it is cut short or damaged, or has what ITK's reader of DICOM does not take, such as a "
                          "slope without a number; remove it from its folder, or convert the series first, ") +
                byConverter);
}

/** Calls GDCM to read a file or folder.
 * \throws UserError that names it, where GDCM would end the program */
void
Guard(const std::string & path, const std::function<void()> & read)
{
  if (!EndsWithoutAbort(read))
  {
    RefuseDamaged(path);
  }
}

/** What a file's header says of its series. */
struct SeriesOfFile
{
  bool               isRead = false;
  gdcm::MediaStorage kind;
  /** The UID of the series; empty where the file ends before it. */
  std::string uid;
};

SeriesOfFile
ReadSeriesOf(const std::string & file)
{
  const gdcm::Tag uid(0x0020, 0x000e);
  const gdcm::Tag pixels(0x7fe0, 0x0010);
  SeriesOfFile    series;
  Guard(file, [&] {
    gdcm::Reader reader;
    reader.SetFileName(file.c_str());
    series.isRead = reader.ReadUpToTag(pixels, { pixels });
    if (!series.isRead)
    {
      return;
    }
    series.kind.SetFromFile(reader.GetFile());
    const gdcm::ByteValue * const bytes = reader.GetFile().GetDataSet().GetDataElement(uid).GetByteValue();
    series.uid = bytes != nullptr ? std::string(bytes->GetPointer(), bytes->GetLength()) : "";
  });
  return series;
}

/** Refuses a folder with a file that may be a slice of a series and is none of its images, since GDCM leaves it out
 * without a word: a file that cannot be read, or ends before what slices have. Reports and states of presentation are
 * of other kinds.
 * \param images the names of all files that are images
 * \param slice one of the series */
void
RequireAllSlices(const std::string & folder, const std::set<std::string> & images, const std::string & slice)
{
  const SeriesOfFile series = ReadSeriesOf(slice);
  for (const std::filesystem::path & file : FilesOfFolder(ToPath(folder)))
  {
    const std::string name = file.filename().string();
    if (images.count(name) > 0 || name == "DICOMDIR" || !HasDicomMark(file.string()))
    {
      continue;
    }
    const SeriesOfFile other = ReadSeriesOf(file.string());
    if (!other.isRead || (other.kind == series.kind && (other.uid.empty() || other.uid == series.uid)))
    {
      RefuseDamaged(file.string());
    }
  }
}

/** Lets GDCM look at all files of a folder.
 * \throws UserError that names the file with which it would end the program */
void
ReadFolder(itk::GDCMSeriesFileNames & names, const std::string & folder)
{
  if (EndsWithoutAbort([&] { names.SetDirectory(folder); }))
  {
    return;
  }
  for (const std::filesystem::path & file : FilesOfFolder(ToPath(folder)))
  {
    const auto read = [&] {
      gdcm::ImageReader reader;
      reader.SetFileName(file.string().c_str());
      reader.Read();
    };
    if (std::filesystem::is_regular_file(file))
    {
      Guard(file.string(), read);
    }
  }
  RefuseDamaged(folder);
}

/** The files of a series in the order of their places. */
std::vector<std::string>
FilesOfSeries(const std::string & path)
{
  namespace fs = std::filesystem;
  const bool        isFolder = fs::is_directory(ToPath(path));
  const std::string parent = ToPath(path).parent_path().string();
  const std::string folder = isFolder ? path : parent.empty() ? "." : parent;
  const auto        names = itk::GDCMSeriesFileNames::New();
  ReadFolder(*names, folder);
  std::string              listed;
  std::vector<std::string> files;
  std::set<std::string>    images;
  std::size_t              count = 0;
  for (const std::string & uid : names->GetSeriesUIDs())
  {
    const std::vector<std::string> own = names->GetFileNames(uid);
    std::transform(own.begin(), own.end(), std::inserter(images, images.end()), [](const std::string & file) {
      return ToPath(file).filename().string();
    });
    const auto isSame = [&](const std::string & file) { return fs::equivalent(ToPath(file), ToPath(path)); };
    if (isFolder || std::any_of(own.begin(), own.end(), isSame))
    {
      files = own;
      ++count;
      listed += (listed.empty() ? "" : ", ") + ToPath(own.front()).filename().string() + " (of " +
                std::to_string(own.size()) + ")";
    }
  }
  if (count == 0)
  {
    RefuseInput(path, isFolder ? "it is a folder without a series of DICOM" : "it belongs to no series of DICOM");
  }
  if (count > 1)
  {
    RefuseInput(path,
                "it is a folder with " + std::to_string(count) +
                  " series of DICOM; choose one by naming one of its files, of which these are the first: " + listed);
  }
  RequireAllSlices(folder, images, files.front());
  return files;
}

class DicomImageIO : public itk::ImageIOBase
{
public:
  using Self = DicomImageIO;
  using Superclass = itk::ImageIOBase;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);
  itkTypeMacro(DicomImageIO, ImageIOBase);

  std::vector<std::string> files;
  /** It holds the numbers of all slices. */
  itk::IOComponentEnum numberType = itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE;

  bool
  CanReadFile(const char *) override
  {
    return true;
  }
  bool
  CanWriteFile(const char *) override
  {
    return false;
  }
  void
  WriteImageInformation() override
  {}
  void
  Write(const void *) override
  {}
  void
  ReadImageInformation() override
  {
    const QuietItk quiet;
    const auto     reader = MakeReader<float>(files);
    reader->UpdateOutputInformation();
    const auto & image = *reader->GetOutput();
    this->SetNumberOfDimensions(3);
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      this->SetDimensions(axis, image.GetLargestPossibleRegion().GetSize(axis));
      this->SetSpacing(axis, image.GetSpacing()[axis]);
      this->SetOrigin(axis, image.GetOrigin()[axis]);
      std::vector<double> direction;
      for (unsigned int k = 0; k < 3; ++k)
      {
        direction.push_back(image.GetDirection()[k][axis]);
      }
      this->SetDirection(axis, direction);
    }
    this->SetPixelType(itk::IOPixelEnum::SCALAR);
    this->SetNumberOfComponents(reader->GetImageIO()->GetNumberOfComponents());
    this->SetComponentType(numberType);
  }
  void
  Read(void * buffer) override
  {
    const QuietItk quiet;
    Guard(m_FileName, [&] { this->ReadVoxels(buffer); });
  }

private:
  void
  ReadVoxels(void * buffer)
  {
    WithComponentType(m_ComponentType, [&](auto number) {
      const auto reader = MakeReader<decltype(number)>(files);
      reader->Update();
      double deviation = 0.0;
      itk::ExposeMetaData(
        reader->GetOutput()->GetMetaDataDictionary(), "ITK_non_uniform_sampling_deviation", deviation);
      constexpr double tolerance = 1e-3;
      if (deviation > tolerance * this->GetSpacing(2))
      {
        Warn(m_FileName + ": the slices of its series are not evenly spaced, by up to " + std::to_string(deviation) +
             " mm, and are taken to be; some may be missing");
      }
      std::copy_n(
        reader->GetOutput()->GetBufferPointer(), this->GetImageSizeInPixels(), static_cast<decltype(number) *>(buffer));
    });
  }

  template <typename TPixel>
  static typename itk::ImageSeriesReader<itk::Image<TPixel, 3>>::Pointer
  MakeReader(const std::vector<std::string> & names)
  {
    const auto reader = itk::ImageSeriesReader<itk::Image<TPixel, 3>>::New();
    reader->SetImageIO(itk::GDCMImageIO::New());
    reader->SetFileNames(names);
    return reader;
  }
};

} // namespace

itk::ImageIOBase::Pointer
OpenDicom(const std::string & path)
{
  const QuietItk quiet;
  const auto     io = DicomImageIO::New();
  Guard(path, [&] {
    io->files = FilesOfSeries(path);
    io->numberType = CheckDicomSlices(path, io->files);
    io->SetFileName(io->files.front());
    io->ReadImageInformation();
  });
  return io.GetPointer();
}

#endif

} // namespace cudaneuro::files
