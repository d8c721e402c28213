// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/SeriesFile.h"

#include "files/base/Errors.h"
#include "files/base/Interruption.h"
#include "files/base/NumberTypes.h"
#include "files/images/ImageGrid.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "itk_zlib.h"

#include <algorithm>
#include <fstream>
#include <new>
#include <string>
#include <vector>

namespace cudaneuro::files
{

void
RequireVolumesOf(const OpenedImage & other, const OpenedImage & series)
{
  if (series.size[3] != other.size[3])
  {
    throw UserError(series.path + " has " + std::to_string(series.size[3]) + " volumes, and " + other.path + " " +
                    std::to_string(other.size[3]));
  }
}

void
CheckSeriesFormat(const std::string & path, const OpenedImage & series)
{
  if (CheckOutputFormat(path) != ImageFormat::Nifti)
  {
    throw UserError("cannot write " + path + ": series, as " + series.path + " is, are written as NIfTI only");
  }
}

/** It is read by zlib, which decompresses piece by piece, unlike libdeflate, and reads plain files as they are. */
class SeriesBytes
{
public:
  explicit SeriesBytes(const OpenedImage & series)
    : m_Voxels(series.voxels)
    , m_File(gzopen(m_Voxels.path.c_str(), "rb"), gzclose)
    , m_Volume(VolumeOf(series, 0).GetNumberOfVoxels() * BytesOf(series.componentType))
    , m_Read(m_Voxels.offset)
  {
    constexpr unsigned int buffer = 1 << 18;
    if (!m_File || gzbuffer(m_File.get(), buffer) != 0 ||
        gzseek(m_File.get(), static_cast<z_off_t>(m_Voxels.offset), SEEK_SET) < 0)
    {
      this->RefuseDamage();
    }
  }

  /** The bytes of the next volume. */
  const char *
  ReadVolume()
  {
    for (std::size_t done = 0; done < m_Volume.size();)
    {
      done += this->Read(m_Volume.data() + done, m_Volume.size() - done);
    }
    m_Read += m_Volume.size();
    if (m_Read == m_Voxels.wholeBytes)
    {
      this->CheckEnd();
    }
    return m_Volume.data();
  }

private:
  [[noreturn]] void
  RefuseDamage() const
  {
    RefuseInput(m_Voxels.path, "it is cut short or damaged: its data cannot be decompressed");
  }

  /** Reads some of the bytes that are asked for. */
  std::size_t
  Read(char * to, std::size_t count)
  {
    constexpr std::size_t most = 1 << 24; // between two looks at whether to go on
    ThrowIfInterrupted();
    const int got = gzread(m_File.get(), to, static_cast<unsigned int>(std::min(count, most)));
    if (got <= 0)
    {
      got < 0 || m_Voxels.isCompressed ? this->RefuseDamage()
                                       : RefuseCutShort(m_Voxels.path, m_Read, m_Voxels.wholeBytes);
    }
    return static_cast<std::size_t>(got);
  }

  /** Reads what follows the voxels, behind which a checksum tells whether all was right. */
  void
  CheckEnd()
  {
    std::vector<char> surplus(m_Voxels.isCompressed ? inflatedSurplus + 1 : 0);
    const int         got = gzread(m_File.get(), surplus.data(), static_cast<unsigned int>(surplus.size()));
    int               error = Z_OK;
    gzerror(m_File.get(), &error);
    if (got < 0 || error != Z_OK)
    {
      this->RefuseDamage();
    }
    if (static_cast<std::size_t>(got) > inflatedSurplus)
    {
      RefuseInput(m_Voxels.path,
                  "it holds more than the " + std::to_string(m_Voxels.wholeBytes) + " bytes of its header");
    }
  }

  PlainVoxels                                m_Voxels;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> m_File;
  LargeBuffer                                m_Volume;
  std::uint64_t                              m_Read;
};

template <typename TPixel>
SeriesReader<TPixel>::SeriesReader(const OpenedImage & series)
  : m_Volume(VolumeOf(series, 0))
  , m_Bytes(std::make_unique<SeriesBytes>(series))
  , m_Count(series.size[3])
{
  for (auto & image : m_Images)
  {
    image = ImageType::New();
    SetGrid<3>(*image, m_Volume);
    image->Allocate();
  }
  this->StartReading();
}

template <typename TPixel>
SeriesReader<TPixel>::~SeriesReader() = default;

template <typename TPixel>
void
SeriesReader<TPixel>::StartReading()
{
  m_Reading = std::async(std::launch::async, [this, to = m_Images[m_Next % 2]->GetBufferPointer()] {
    ConvertPlainVoxels(m_Volume, m_Bytes->ReadVolume(), to);
  });
}

template <typename TPixel>
typename SeriesReader<TPixel>::ImageType *
SeriesReader<TPixel>::ReadNext()
{
  m_Reading.get();
  ImageType * const image = m_Images[m_Next % 2];
  image->Modified();
  if (++m_Next < m_Count)
  {
    this->StartReading();
  }
  return image;
}

VolumeSource::VolumeSource(const OpenedImage & series)
  : m_Voxels(series.voxels)
  , m_BytesOfVolume(VolumeOf(series, 0).GetNumberOfVoxels() * BytesOf(series.componentType))
{
  if (!m_Voxels.isCompressed)
  {
    return;
  }
  try
  {
    m_Whole.emplace(ReadGzip(m_Voxels.path, m_Voxels.wholeBytes));
  }
  catch (const std::bad_alloc &)
  {
    RefuseInput(m_Voxels.path, "there is not enough memory for its pixels");
  }
}

void
VolumeSource::Read(std::size_t volume, std::vector<char> & bytes) const
{
  ThrowIfInterrupted();
  const std::uint64_t begin = m_Voxels.offset + volume * m_BytesOfVolume;
  if (m_Whole)
  {
    bytes.assign(m_Whole->data() + begin, m_Whole->data() + begin + m_BytesOfVolume);
    return;
  }
  bytes.resize(m_BytesOfVolume);
  std::ifstream file(m_Voxels.path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(begin));
  if (!file.read(bytes.data(), static_cast<std::streamsize>(m_BytesOfVolume)))
  {
    RefuseCutShort(m_Voxels.path, begin + static_cast<std::uint64_t>(file.gcount()), m_Voxels.wholeBytes);
  }
}

#define INSTANTIATE(TPixel) template class SeriesReader<TPixel>

INSTANTIATE(unsigned char);
INSTANTIATE(short);
INSTANTIATE(unsigned short);
INSTANTIATE(float);
INSTANTIATE(double);

#undef INSTANTIATE

} // namespace cudaneuro::files
