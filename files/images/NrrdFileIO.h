// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NrrdFileIO_h
#define files_images_NrrdFileIO_h

#include "files/images/VoxelFiles.h"
#include "itkNrrdImageIO.h"

namespace cudaneuro::files
{

/** ITK's reader and writer of NRRD, with the layers of a segmentation as one image of whole numbers (Segmentation). */
class NrrdFileIO : public CheckedImageIO<itk::NrrdImageIO>
{
public:
  using Self = NrrdFileIO;
  using Superclass = CheckedImageIO<itk::NrrdImageIO>;
  using Pointer = itk::SmartPointer<Self>;
  itkNewMacro(Self);

  void
  ReadImageInformation() override;
  void
  Read(void * buffer) override;
  void
  Write(const void * buffer) override;

private:
  void
  SetLayers(std::size_t layers, itk::IOComponentEnum type);

  /** The type of the labels in a file with layers. */
  itk::IOComponentEnum m_LayerType = itk::IOComponentEnum::UNKNOWNCOMPONENTTYPE;
};

} // namespace cudaneuro::files

#endif
