// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageGrid.h"

#include "files/images/ImageReader.h"
#include "itkImage.h"
#include "itkImageFileReader.h"

template <unsigned int VDimension>
typename itk::ImageBase<VDimension>::Pointer
ReadGrid(const std::string & path)
{
  const InputImage file = CheckImage(path);
  const auto       reader = itk::ImageFileReader<itk::Image<unsigned char, VDimension>>::New();
  reader->SetImageIO(MakeImageIO(file));
  reader->SetFileName(file.headerPath);
  CallToRead(path, [&] { reader->UpdateOutputInformation(); });
  const auto grid = itk::ImageBase<VDimension>::New();
  grid->CopyInformation(reader->GetOutput());
  grid->SetRegions(reader->GetOutput()->GetLargestPossibleRegion());
  return grid;
}

template itk::ImageBase<2>::Pointer
ReadGrid<2>(const std::string &);
template itk::ImageBase<3>::Pointer
ReadGrid<3>(const std::string &);
