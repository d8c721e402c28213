// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_jobs_DeviceTransfer_h
#define cudaneuro_jobs_DeviceTransfer_h

#include "cuda/StagedTransfer.h"

namespace cudaneuro
{

/** Consecutive planes of a volume on their way to the device: uploaded if the volume is on the host, and converted if
 * kernels read another type. They travel in pieces (UploadUpTo, then ConvertPlanes) or all at once
 * (StartAll, then FinishAll). Planes are counted from the first of them. */
class DeviceInput
{
public:
  /** Allocates, in the order of the compute stream, for the planes of \p planes from \p firstPlane of the volume on.
   * \param type what kernels read: float, or the type of the volume. */
  DeviceInput(
    Context & context, const ConstVolume & volume, const Grid & planes, std::int64_t firstPlane, PixelType type);

  bool
  IsOnHost() const
  {
    return m_HostSource != nullptr;
  }

  /** Whether threads fill staging memory. StartUpload was called. */
  bool
  IsCopiedByThreads() const
  {
    return m_Upload && !m_Upload->IsDirect();
  }

  /** Lets up to \p threads threads begin to copy from pageable host memory. The upload stream must wait for the
   * allocation by now. */
  void
  StartUpload(unsigned int threads);

  /** Enqueues the upload of planes [0, end), as far as it is not under way. */
  void
  UploadUpTo(std::int64_t end);

  /** Enqueues the conversion of planes [begin, end) on the compute stream. */
  void
  ConvertPlanes(std::int64_t begin, std::int64_t end);

  /** Begins the upload of all planes; does not wait for it. */
  void
  StartAll();

  /** Makes the compute stream wait for all planes, and converts them. Called again, it only frees what the upload
   * used. */
  void
  FinishAll();

  /** What kernels read: float, or the pixels as they are. */
  const void *
  Data() const
  {
    return m_Converted.Data() != nullptr ? m_Converted.Data() : m_Raw;
  }

private:
  std::size_t
  BytesOf(std::int64_t planes) const
  {
    return static_cast<std::size_t>(planes * m_PlaneVoxels) * PixelSize(m_Type);
  }

  Context &                     m_Context;
  PixelType                     m_Type;
  std::int64_t                  m_PlaneVoxels;
  std::int64_t                  m_NumberOfPlanes;
  std::int64_t                  m_NumberUploaded = 0;
  bool                          m_IsFinished = false;
  const void *                  m_HostSource = nullptr;
  const void *                  m_Raw = nullptr;
  DeviceMemory                  m_RawMemory;
  DeviceBuffer<float>           m_Converted;
  std::unique_ptr<StagedUpload> m_Upload;
};

/** Consecutive planes of a float result on their way from the device to a volume: the reverse of DeviceInput. */
class DeviceOutput
{
public:
  /** \param volume may be absent.
   * \param inPlace the result is written into the volume, which is float on the device. */
  DeviceOutput(Context & context, const Volume & volume, const Grid & planes, std::int64_t firstPlane, bool inPlace);

  bool
  IsOnHost() const
  {
    return m_Volume.data != nullptr && m_Volume.space == MemorySpace::Host;
  }

  /** Where kernels write; null where the volume is absent. */
  float *
  Data() const
  {
    return m_Result;
  }

  /** Lets up to \p threads threads wait for planes to copy to pageable host memory. */
  void
  StartDownload(unsigned int threads);

  /** Enqueues what takes planes [begin, end) from the result to the volume. */
  void
  DeliverPlanes(std::int64_t begin, std::int64_t end);

  /** Returns when host memory has all that was delivered. */
  void
  FinishDownload();

  /** Takes all planes to the volume. */
  void
  DeliverAll();

private:
  /** The volume's memory from voxel \p voxel of its first plane here on. */
  void *
  VolumeAt(std::int64_t voxel) const
  {
    return static_cast<char *>(m_Volume.data) + voxel * static_cast<std::int64_t>(PixelSize(m_Volume.type));
  }

  Context & m_Context;
  /** The data are those of the first plane. */
  Volume                          m_Volume;
  std::int64_t                    m_PlaneVoxels;
  std::int64_t                    m_NumberOfPlanes;
  bool                            m_InPlace;
  float *                         m_Result = nullptr;
  DeviceBuffer<float>             m_ResultMemory;
  DeviceMemory                    m_ConvertedMemory;
  std::unique_ptr<StagedDownload> m_Download;
};

/** Threads that copy pageable memory in one direction. With 16 instead of 8, volumes of 400 MB take as long, and
 * those of 50 MB longer: diffusion of one takes 4.6 ms instead of 3.6 (H200, 16 cores). */
unsigned int
NumberOfCopyingThreads(const Context & context);

} // namespace cudaneuro

#endif
