// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"

#include "files/images/DicomFolder.h"
#include "files/input/InputFile.h"

#include <map>

namespace
{

const std::map<std::string, ImageFormat> formats{
  { ".nii", ImageFormat::Nifti },     { ".nii.gz", ImageFormat::Nifti },  { ".hdr", ImageFormat::Nifti },
  { ".hdr.gz", ImageFormat::Nifti },  { ".img", ImageFormat::Nifti },     { ".img.gz", ImageFormat::Nifti },
  { ".mha", ImageFormat::MetaImage }, { ".mhd", ImageFormat::MetaImage }, { ".nrrd", ImageFormat::Nrrd },
  { ".nhdr", ImageFormat::Nrrd },     { ".mgh", ImageFormat::Mgh },       { ".mgz", ImageFormat::Mgh },
  { ".mgh.gz", ImageFormat::Mgh },
};

} // namespace

bool
IsImageName(const std::string & path)
{
  return formats.count(EndingOf(path)) > 0;
}

ImageFormat
FormatOf(const std::string & path)
{
  if (IsDicomName(path))
  {
    return ImageFormat::Dicom;
  }
  CheckRegularFile(path);
  const auto found = formats.find(EndingOf(path));
  if (found == formats.end())
  {
    RefuseInput(path,
                "it is no image that is known here, which are NIfTI (.nii, .nii.gz, .hdr and .img), MetaImage (.mha, "
                ".mhd), NRRD (.nrrd, .nhdr), FreeSurfer's (.mgh, .mgz) and folders of DICOM");
  }
  return found->second;
}
