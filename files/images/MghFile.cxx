// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/MghFile.h"

#include "files/base/NumberTypes.h"
#include "files/images/ReadOnlyImageIO.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "itkByteSwapper.h"

#include <algorithm>

namespace
{

/** The fields of a header, which are big endian. */
class MghFields
{
public:
  explicit MghFields(const std::string & path)
    : m_Path(path)
    , m_Bytes(ReadStart(path, headerBytes))
  {
    constexpr int version = 1;
    if (m_Bytes.size() < headerBytes || this->At<std::int32_t>(0) != version)
    {
      RefuseInput(path, "it is no file of FreeSurfer's format .mgh: it does not begin with its header of 284 bytes");
    }
  }

  template <typename T>
  T
  At(std::size_t offset) const
  {
    return NumberAt<T, true>(m_Bytes.data() + offset);
  }

  static constexpr std::size_t headerBytes = 284;

private:
  std::string m_Path;
  std::string m_Bytes;
};

itk::IOComponentEnum
TypeOf(const std::string & path, int code)
{
  switch (code)
  {
    case 0:
      return itk::IOComponentEnum::UCHAR;
    case 1:
      return itk::IOComponentEnum::INT;
    case 3:
      return itk::IOComponentEnum::FLOAT;
    case 4:
      return itk::IOComponentEnum::SHORT;
    case 10:
      return itk::IOComponentEnum::USHORT;
    default:
      RefuseField(path, "its type", code, "it must be 0, 1, 3, 4 or 10: uchar, int, float, short or ushort");
  }
}

class MghImageIO : public ReadOnlyImageIO
{
public:
  using Self = MghImageIO;
  using Superclass = ReadOnlyImageIO;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);
  itkTypeMacro(MghImageIO, ReadOnlyImageIO);

  void
  ReadImageInformation() override
  {
    const MghFields        fields(m_FileName);
    constexpr std::int32_t largest = 0x7fffffff;
    this->SetNumberOfDimensions(fields.At<std::int32_t>(16) > 1 ? 4 : 3);
    for (unsigned int axis = 0; axis < m_NumberOfDimensions; ++axis)
    {
      const std::int64_t size = fields.At<std::int32_t>(4 + 4 * axis);
      this->SetDimensions(
        axis, static_cast<itk::SizeValueType>(ParseInteger(m_FileName, "a size", std::to_string(size), 1, largest)));
    }
    this->SetPixelType(itk::IOPixelEnum::SCALAR);
    this->SetNumberOfComponents(1);
    this->SetComponentType(TypeOf(m_FileName, fields.At<std::int32_t>(20)));
    this->SetGeometry(fields);
    this->CheckSize();
  }
  void
  Read(void * buffer) override
  {
    const std::uint64_t bytes = MghFields::headerBytes + this->GetImageSizeInBytes();
    const auto          file = ReadBytes(m_FileName, 0, CheckRegularFile(m_FileName));
    const auto          data = this->IsCompressed() ? InflateGzip(m_FileName, file, bytes) : file;
    std::copy_n(data.begin() + MghFields::headerBytes, this->GetImageSizeInBytes(), static_cast<char *>(buffer));
    WithComponentType(m_ComponentType, [&](auto number) {
      using Number = decltype(number);
      itk::ByteSwapper<Number>::SwapRangeFromSystemToBigEndian(static_cast<Number *>(buffer),
                                                               this->GetImageSizeInComponents());
    });
  }

private:
  bool
  IsCompressed() const
  {
    return EndingOf(m_FileName) != ".mgh";
  }

  void
  CheckSize() const
  {
    const std::uint64_t        size = CheckRegularFile(m_FileName);
    std::vector<std::uint64_t> factors{ BytesOf(m_ComponentType) };
    factors.insert(factors.end(), m_Dimensions.begin(), m_Dimensions.end());
    const std::uint64_t bytes = SaturatedProduct(factors);
    this->IsCompressed() ? CheckRatio(m_FileName, size, bytes)
                         : RequireBytes(m_FileName, size, MghFields::headerBytes, bytes);
  }

  /** The header has places in the system right, anterior, superior, from the center of the volume. */
  void
  SetGeometry(const MghFields & fields)
  {
    const bool hasGeometry = fields.At<std::int16_t>(28) > 0;
    // Coronal slices, as FreeSurfer has them without geometry.
    constexpr double    coronal[3][3] = { { -1.0, 0.0, 0.0 }, { 0.0, 0.0, -1.0 }, { 0.0, 1.0, 0.0 } };
    constexpr double    signs[3] = { -1.0, -1.0, 1.0 };
    std::vector<double> origin(3, 0.0);
    for (unsigned int axis = 0; axis < 3; ++axis)
    {
      const double        spacing = hasGeometry ? static_cast<double>(fields.At<float>(30 + 4 * axis)) : 1.0;
      std::vector<double> direction(m_NumberOfDimensions, 0.0);
      for (unsigned int k = 0; k < 3; ++k)
      {
        const double cosine =
          hasGeometry ? static_cast<double>(fields.At<float>(42 + 12 * axis + 4 * k)) : coronal[axis][k];
        direction[k] = signs[k] * cosine;
        origin[k] -= direction[k] * spacing * static_cast<double>(m_Dimensions[axis]) / 2.0;
      }
      this->SetSpacing(axis, spacing);
      this->SetDirection(axis, direction);
    }
    for (unsigned int k = 0; k < 3; ++k)
    {
      const double center = hasGeometry ? static_cast<double>(fields.At<float>(78 + 4 * k)) : 0.0;
      this->SetOrigin(k, origin[k] + signs[k] * center);
    }
  }
};

} // namespace

itk::ImageIOBase::Pointer
OpenMgh(const std::string & path)
{
  const auto io = MghImageIO::New();
  io->SetFileName(path);
  io->ReadImageInformation();
  return io.GetPointer();
}
