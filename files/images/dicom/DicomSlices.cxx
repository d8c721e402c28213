// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/dicom/DicomSlices.h"

#ifdef CUDANEURO_USE_DICOM

#  include "files/base/Errors.h"
#  include "files/base/NumberTypes.h"
#  include "files/base/Text.h"
#  include "files/images/dicom/DicomFolder.h"
#  include "files/input/InputFile.h"
#  include "files/system/SystemFile.h"
#  include <gdcmReader.h>
#  include <gdcmSequenceOfItems.h>
#  include "itkGDCMImageIO.h"
#  include "itkMath.h"
#  include "itkMetaDataObject.h"

#  include <algorithm>
#  include <array>
#  include <cmath>
#  include <cstdlib>
#  include <fstream>

namespace cudaneuro::files
{

namespace
{

using Point = std::array<double, 3>;

constexpr double smallDifference = 1e-3; // of numbers of directions, and of places in pixels
constexpr double largestShift = 0.1;     // of slices along themselves, in pixels

double
Dot(const Point & a, const Point & b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Point
Difference(const Point & a, const Point & b)
{
  return { a[0] - b[0], a[1] - b[1], a[2] - b[2] };
}

/** What a file's header says of its frames beside what ITK's reader tells: in the groups for all of them, and in those
 * of each one. */
class DicomHeader
{
public:
  explicit DicomHeader(const std::string & file)
    : m_File(file)
  {
    m_Reader.SetFileName(file.c_str());
    const gdcm::Tag pixels(0x7fe0, 0x0010);
    m_IsRead = m_Reader.ReadUpToTag(pixels, { pixels });
  }

  /** Refuses a file that ends before its pixels do. */
  void
  RequireAllPixels() const
  {
    const gdcm::TransferSyntax & syntax = m_Reader.GetFile().GetHeader().GetDataSetTransferSyntax();
    const bool                   isDeflated = syntax == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
    if (!m_IsRead || isDeflated || syntax.IsEncapsulated())
    {
      return; // compressed pixels that are cut short are errors of the reader
    }
    // The reader has stopped behind the length of the pixels.
    const std::size_t place = m_Reader.GetStreamCurrentPosition();
    char              length[4] = {};
    std::ifstream     stream(ToPath(m_File), std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(place - sizeof(length)));
    stream.read(length, sizeof(length));
    const bool          isSwapped = syntax.GetSwapCode() == gdcm::SwapCode::BigEndian;
    const std::uint64_t end = place + NumberAt<std::uint32_t>(length, isSwapped);
    const std::uint64_t size = CheckRegularFile(m_File);
    if (size < end)
    {
      RefuseInput(m_File,
                  "it is cut short: it has " + std::to_string(size) + " bytes, and its pixels would end after " +
                    std::to_string(end));
    }
  }

  /** Returns an element of each frame, which the group of a frame or that of all has; empty where none has it. */
  std::vector<std::vector<double>>
  ValuesOfFrames(const gdcm::Tag & group, const gdcm::Tag & element) const
  {
    const gdcm::DataSet &            all = m_Reader.GetFile().GetDataSet();
    const std::vector<gdcm::DataSet> shared = ItemsOf(all, { 0x5200, 0x9229 });
    std::vector<std::vector<double>> values;
    for (const gdcm::DataSet & frame : ItemsOf(all, { 0x5200, 0x9230 }))
    {
      std::vector<double> value = NumbersIn(ItemsOf(frame, group), element);
      if (value.empty() && !shared.empty())
      {
        value = NumbersIn(ItemsOf(shared.front(), group), element);
      }
      values.push_back(value);
    }
    return values;
  }

private:
  static std::vector<gdcm::DataSet>
  ItemsOf(const gdcm::DataSet & set, const gdcm::Tag & tag)
  {
    std::vector<gdcm::DataSet> items;
    if (set.FindDataElement(tag))
    {
      const auto sequence = set.GetDataElement(tag).GetValueAsSQ();
      for (gdcm::SequenceOfItems::SizeType i = 1; sequence && i <= sequence->GetNumberOfItems(); ++i)
      {
        items.push_back(sequence->GetItem(i).GetNestedDataSet());
      }
    }
    return items;
  }

  /** Returns the decimal numbers of an element of the first item. */
  static std::vector<double>
  NumbersIn(const std::vector<gdcm::DataSet> & items, const gdcm::Tag & tag)
  {
    std::vector<double> numbers;
    if (!items.empty() && items.front().FindDataElement(tag))
    {
      const gdcm::ByteValue * const bytes = items.front().GetDataElement(tag).GetByteValue();
      std::istringstream            text(bytes != nullptr ? std::string(bytes->GetPointer(), bytes->GetLength()) : "");
      for (std::string number; std::getline(text, number, '\\');)
      {
        numbers.push_back(std::strtod(number.c_str(), nullptr));
      }
    }
    return numbers;
  }

  std::string  m_File;
  gdcm::Reader m_Reader;
  bool         m_IsRead = false;
};

/** A slice's place, and how messages name it. */
struct Slice
{
  std::string name;
  Point       position;
};

/** Checks of one series, whose errors name it and say how it can be converted. */
class SeriesChecks
{
public:
  SeriesChecks(const std::string & path, const itk::ImageIOBase & first)
    : m_Path(path)
    , m_First(first)
  {
    const std::vector<double> normal = first.GetDirection(2);
    m_Normal = { normal[0], normal[1], normal[2] };
  }

  [[noreturn]] void
  Refuse(const std::string & what) const
  {
    RefuseInput(m_Path, what + "; convert it first, " + byConverter);
  }

  /** Refuses two of its slices. */
  [[noreturn]] void
  Refuse(const std::string & a, const std::string & b, const std::string & what) const
  {
    this->Refuse("its slices " + a + " and " + b + ' ' + what + ", and so its series is no single volume");
  }

  double
  Along(const Slice & slice) const
  {
    return Dot(slice.position, m_Normal);
  }

  /** Refuses slices, in their order along the normal, that are at one place, or that are shifted along themselves. */
  void
  RequireStack(const std::vector<Slice> & slices) const
  {
    const auto same = std::adjacent_find(slices.begin(), slices.end(), [&](const Slice & a, const Slice & b) {
      return Along(b) - Along(a) < smallDifference * m_First.GetSpacing(0);
    });
    if (same != slices.end())
    {
      this->Refuse(same->name, std::next(same)->name, "are at one place");
    }
    for (const Slice & slice : slices)
    {
      const Point  step = Difference(slice.position, slices.front().position);
      const double along = Dot(step, m_Normal);
      const double shift = std::sqrt(std::max(0.0, Dot(step, step) - along * along));
      if (shift > largestShift * std::min(m_First.GetSpacing(0), m_First.GetSpacing(1)))
      {
        this->Refuse("its slices " + slices.front().name + " and " + slice.name + " are shifted along themselves by " +
                     TextOf(shift, 4) + " mm, " +
                     TextOf(std::atan2(shift, std::abs(along)) * 180.0 / itk::Math::pi, 4) +
                     " degrees, as by a tilted gantry, and axes must be perpendicular here");
      }
    }
  }

  /** Refuses frames of one file that are no stack in their order, or of which each has a scale of its own. */
  void
  RequireStackOfFrames(const DicomHeader & header) const
  {
    std::vector<Slice> slices;
    for (const std::vector<double> & position : header.ValuesOfFrames({ 0x0020, 0x9113 }, { 0x0020, 0x0032 }))
    {
      if (position.size() == 3)
      {
        slices.push_back({ "frame " + std::to_string(slices.size() + 1), { position[0], position[1], position[2] } });
      }
    }
    if (slices.size() > 1 && Along(slices.back()) < Along(slices.front()))
    {
      std::reverse(slices.begin(), slices.end());
    }
    for (std::size_t i = 1; i < slices.size(); ++i)
    {
      const double step = Along(slices[i]) - Along(slices[i - 1]);
      const double mean = (Along(slices.back()) - Along(slices.front())) / static_cast<double>(slices.size() - 1);
      if (std::abs(step - mean) > smallDifference * std::max(std::abs(mean), m_First.GetSpacing(0)))
      {
        this->Refuse("its " + slices[i - 1].name + " and " + slices[i].name + " are " + TextOf(step, 4) +
                     " mm apart, and others " + TextOf(mean, 4) + " mm, so that its frames are no single volume");
      }
    }
    this->RequireStack(slices);
    for (const gdcm::Tag & number : { gdcm::Tag{ 0x0028, 0x1052 }, gdcm::Tag{ 0x0028, 0x1053 } })
    {
      const auto scales = header.ValuesOfFrames({ 0x0028, 0x9145 }, number);
      if (std::adjacent_find(scales.begin(), scales.end(), std::not_equal_to<>()) != scales.end())
      {
        this->Refuse("its frames have different scales of their numbers");
      }
    }
  }

private:
  std::string              m_Path;
  const itk::ImageIOBase & m_First;
  Point                    m_Normal;
};

bool
HaveSameDirections(const itk::ImageIOBase & a, const itk::ImageIOBase & b)
{
  double difference = 0.0;
  for (unsigned int i = 0; i < 6; ++i)
  {
    difference = std::max(difference, std::abs(a.GetDirection(i / 3)[i % 3] - b.GetDirection(i / 3)[i % 3]));
  }
  return difference <= smallDifference;
}

/** Returns a type that holds the numbers of both. */
itk::IOComponentEnum
CommonType(itk::IOComponentEnum a, itk::IOComponentEnum b)
{
  const auto holds = [](itk::IOComponentEnum type, itk::IOComponentEnum other) {
    return WithComponentType(type, [&](auto number) {
      using Limits = std::numeric_limits<decltype(number)>;
      return WithComponentType(other, [&](auto otherNumber) {
        using Others = std::numeric_limits<decltype(otherNumber)>;
        return Limits::digits >= Others::digits && Limits::is_signed >= Others::is_signed &&
               Limits::is_integer <= Others::is_integer;
      });
    });
  };
  for (const itk::IOComponentEnum type : { a, b, itk::IOComponentEnum::SHORT, itk::IOComponentEnum::INT })
  {
    if (holds(type, a) && holds(type, b))
    {
      return type;
    }
  }
  return itk::IOComponentEnum::DOUBLE;
}

std::string
NameOf(const std::string & file)
{
  return ToPath(file).filename().string();
}

} // namespace

itk::IOComponentEnum
CheckDicomSlices(const std::string & path, const std::vector<std::string> & files)
{
  const auto first = itk::GDCMImageIO::New();
  first->SetFileName(files.front());
  first->ReadImageInformation();
  const SeriesChecks   checks(path, *first);
  std::vector<Slice>   slices;
  itk::IOComponentEnum type = first->GetComponentType();
  for (const std::string & file : files)
  {
    const auto slice = itk::GDCMImageIO::New();
    slice->SetFileName(file);
    slice->ReadImageInformation();
    if (!HaveSameDirections(*slice, *first))
    {
      checks.Refuse(NameOf(files.front()), NameOf(file), "have different directions");
    }
    if (slice->GetDimensions(0) != first->GetDimensions(0) || slice->GetDimensions(1) != first->GetDimensions(1))
    {
      checks.Refuse(NameOf(files.front()), NameOf(file), "have different sizes");
    }
    std::string kind;
    itk::ExposeMetaData(slice->GetMetaDataDictionary(), "0008|0008", kind);
    if (kind.find("MOSAIC") != std::string::npos)
    {
      checks.Refuse("its file " + NameOf(file) + " is a mosaic, which has all slices beside each other");
    }
    const DicomHeader header(file);
    header.RequireAllPixels();
    if (slice->GetNumberOfDimensions() > 2 && slice->GetDimensions(2) > 1)
    {
      if (files.size() > 1)
      {
        checks.Refuse("its file " + NameOf(file) + " has several slices, and its series has " +
                      std::to_string(files.size()) + " files, so that it is no single volume");
      }
      checks.RequireStackOfFrames(header);
    }
    else if (slice->GetMetaDataDictionary().HasKey("0020|0032")) // the position
    {
      slices.push_back({ NameOf(file), { slice->GetOrigin(0), slice->GetOrigin(1), slice->GetOrigin(2) } });
    }
    type = CommonType(type, slice->GetComponentType());
  }
  std::stable_sort(
    slices.begin(), slices.end(), [&](const Slice & a, const Slice & b) { return checks.Along(a) < checks.Along(b); });
  checks.RequireStack(slices);
  if (files.size() > 1 && slices.empty())
  {
    Warn(path + ": the slices of its series have no positions: they are taken in the order of their numbers (instance "
                "number) or else of their names, and 1 mm apart");
  }
  return type;
}

} // namespace cudaneuro::files

#endif
