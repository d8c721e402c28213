// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/InputImage.h"

#include "files/input/InputFile.h"
#include "files/images/MetaImageHeader.h"
#include "files/images/NrrdHeader.h"

namespace
{

bool
IsOneOf(const std::string & ending, std::initializer_list<const char *> endings)
{
  for (const char * const known : endings)
  {
    if (ending == known)
    {
      return true;
    }
  }
  return false;
}

bool
IsNiftiEnding(const std::string & ending)
{
  return IsOneOf(ending, { ".nii", ".nii.gz", ".hdr", ".hdr.gz", ".img", ".img.gz" });
}

} // namespace

bool
IsImageName(const std::string & path)
{
  const std::string ending = EndingOf(path);
  return IsNiftiEnding(ending) || IsOneOf(ending, { ".mha", ".mhd", ".nrrd", ".nhdr" });
}

ImageFormat
FormatOf(const std::string & path)
{
  CheckRegularFile(path);
  const std::string ending = EndingOf(path);
  if (IsNiftiEnding(ending))
  {
    return ImageFormat::Nifti;
  }
  if (IsOneOf(ending, { ".mha", ".mhd" }))
  {
    return ImageFormat::MetaImage;
  }
  if (IsOneOf(ending, { ".nrrd", ".nhdr" }))
  {
    return ImageFormat::Nrrd;
  }
  RefuseInput(path,
              "it is no image that is known here, which are NIfTI (.nii, .nii.gz, .hdr and .img), MetaImage (.mha, "
              ".mhd), NRRD (.nrrd, .nhdr)");
}

InputImage
CheckImage(const std::string & path)
{
  return FormatOf(path) == ImageFormat::MetaImage ? CheckMetaImage(path) : CheckNrrd(path);
}
