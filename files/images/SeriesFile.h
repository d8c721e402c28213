// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_SeriesFile_h
#define files_images_SeriesFile_h

#include "files/base/LargeMemory.h"
#include "files/images/ImageWriter.h"
#include "files/images/OpenedImage.h"
#include "itkImage.h"

#include <algorithm>
#include <cstddef>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** Series of volumes (IsSeries), which are read one after the other and written as one file. */

/** \throws UserError that names both if a series has other volumes in number than another */
void
RequireVolumesOf(const OpenedImage & other, const OpenedImage & series);

/** \throws UserError that names both if a series cannot be written under a name: as NIfTI only */
void
CheckSeriesFormat(const std::string & path, const OpenedImage & series);

/** The bytes of a series, volume by volume. */
class SeriesBytes;

/** Reads the volumes of a series in their order, as images of a pixel type of this module. The file is read and
 * decompressed once, by a thread that is one volume ahead: two volumes are in memory. */
template <typename TPixel>
class SeriesReader
{
public:
  using ImageType = itk::Image<TPixel, 3>;

  /** \throws UserError that names the file */
  explicit SeriesReader(const OpenedImage & series);
  ~SeriesReader();
  SeriesReader(const SeriesReader &) = delete;
  SeriesReader &
  operator=(const SeriesReader &) = delete;

  /** The next volume. Its pixels stay until the next call.
   * \throws UserError that names the file when it is cut short or damaged, Interrupted */
  ImageType *
  ReadNext();

private:
  void
  StartReading();

  OpenedImage                  m_Volume;
  std::unique_ptr<SeriesBytes> m_Bytes;
  typename ImageType::Pointer  m_Images[2];
  std::size_t                  m_Count;
  std::size_t                  m_Next = 0;
  std::future<void>            m_Reading;
};

/** Reads the bytes of the volumes of a series for threads, each of which takes volumes of its own, in any order. A
 * compressed file is decompressed as a whole, which is twice as fast as volume by volume, and held in memory. */
class VolumeSource
{
public:
  /** \throws UserError that names the file, Interrupted */
  explicit VolumeSource(const OpenedImage & series);

  /** \throws UserError that names the file when it is cut short, Interrupted */
  void
  Read(std::size_t volume, std::vector<char> & bytes) const;

private:
  PlainVoxels                m_Voxels;
  std::size_t                m_BytesOfVolume;
  std::optional<LargeBuffer> m_Whole;
};

/** A series to write, of which all volumes are in memory. */
template <typename TPixel>
class SeriesToWrite
{
public:
  /** \param series an image of the same grid and number of volumes
   * \param metadata what the header is to say besides
   * \throws std::bad_alloc */
  SeriesToWrite(const OpenedImage & series, const itk::MetaDataDictionary & metadata)
    : m_VoxelsOfVolume(VolumeOf(series, 0).GetNumberOfVoxels())
    , m_Pixels(series.GetNumberOfVoxels() * sizeof(TPixel))
  {
    static_cast<ImageDescription &>(m_Image) = series;
    m_Image.componentType = componentTypeOf<TPixel>;
    m_Image.metadata = metadata;
    m_Image.pixels = m_Pixels.data();
  }

  /** The pixels of a volume, to be set. */
  TPixel *
  GetVolume(std::size_t volume)
  {
    return reinterpret_cast<TPixel *>(m_Pixels.data()) + volume * m_VoxelsOfVolume;
  }
  void
  SetVolume(std::size_t volume, const itk::Image<TPixel, 3> & image)
  {
    std::copy_n(image.GetBufferPointer(), m_VoxelsOfVolume, this->GetVolume(volume));
  }

  const ImageToWrite &
  GetImage() const
  {
    return m_Image;
  }

private:
  std::size_t  m_VoxelsOfVolume;
  LargeBuffer  m_Pixels;
  ImageToWrite m_Image;
};

} // namespace cudaneuro::files

#endif
