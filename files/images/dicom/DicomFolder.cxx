// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/dicom/DicomFolder.h"

#include "files/base/QuietItk.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"

#include <filesystem>

#ifdef CUDANEURO_USE_DICOM
#  include "files/base/Errors.h"
#  include "files/base/NumberTypes.h"
#  include "files/images/dicom/DicomSlices.h"
#  include "itkGDCMImageIO.h"
#  include "itkGDCMSeriesFileNames.h"
#  include "itkImageSeriesReader.h"
#  include "itkMetaDataObject.h"

#  include <algorithm>
#endif

namespace cudaneuro::files
{

bool
IsDicomName(const std::string & path)
{
  const std::string ending = EndingOf(path);
  return std::filesystem::is_directory(ToPath(path)) || ending == ".dcm" || ending == ".ima";
}

#ifndef CUDANEURO_USE_DICOM

itk::ImageIOBase::Pointer
OpenDicom(const std::string & path)
{
  RefuseInput(path,
              std::string(std::filesystem::is_directory(ToPath(path)) ? "it is a folder" : "it is a file of DICOM") +
                ", and this was built without ITK's module ITKIOGDCM, which reads DICOM; convert the series first, by "
                "\"dcm2niix FOLDER\" for example");
}

#else

namespace
{

/** The files of a series in the order of their places. */
std::vector<std::string>
FilesOfSeries(const std::string & path)
{
  namespace fs = std::filesystem;
  const bool        isFolder = fs::is_directory(ToPath(path));
  const std::string parent = ToPath(path).parent_path().string();
  const std::string folder = isFolder ? path : parent.empty() ? "." : parent;
  const QuietItk    quiet;
  const auto        names = itk::GDCMSeriesFileNames::New();
  names->SetDirectory(folder);
  std::string              listed;
  std::vector<std::string> files;
  std::size_t              count = 0;
  for (const std::string & uid : names->GetSeriesUIDs())
  {
    const std::vector<std::string> own = names->GetFileNames(uid);
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

private:
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
  io->files = FilesOfSeries(path);
  io->numberType = CheckDicomSlices(path, io->files);
  io->SetFileName(io->files.front());
  io->ReadImageInformation();
  return io.GetPointer();
}

#endif

} // namespace cudaneuro::files
