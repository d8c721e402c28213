// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/ImageFormat.h"

#include "files/base/Errors.h"
#include "files/images/dicom/DicomFolder.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"

#include <filesystem>
#include <map>

namespace cudaneuro::files
{

namespace
{

struct KnownFormat
{
  ImageFormat format;
  bool        isWritten;
};

const std::map<std::string, KnownFormat> formats{
  { ".nii", { ImageFormat::Nifti, true } },     { ".nii.gz", { ImageFormat::Nifti, true } },
  { ".hdr", { ImageFormat::Nifti, true } },     { ".hdr.gz", { ImageFormat::Nifti, false } },
  { ".img", { ImageFormat::Nifti, true } },     { ".img.gz", { ImageFormat::Nifti, false } },
  { ".mha", { ImageFormat::MetaImage, true } }, { ".mhd", { ImageFormat::MetaImage, true } },
  { ".nrrd", { ImageFormat::Nrrd, true } },     { ".nhdr", { ImageFormat::Nrrd, true } },
  { ".mgh", { ImageFormat::Mgh, false } },      { ".mgz", { ImageFormat::Mgh, false } },
  { ".mgh.gz", { ImageFormat::Mgh, false } },
};

/** Refuses names of headers whose voxels, in a file of the same name beside them, are taken for several files. */
void
RequireOneFileOfVoxels(const std::string & path)
{
  const std::string ending = EndingOf(path);
  const bool        isMetaImage = ending == ".mhd";
  if (!isMetaImage && ending != ".nhdr")
  {
    return;
  }
  const std::filesystem::path whole = std::filesystem::absolute(ToPath(path));
  const std::string           name = whole.filename().string();
  const bool                  isList = name.rfind("LIST", 0) == 0;
  // MetaImage looks for patterns in the names of folders, too.
  const bool isPattern = (isMetaImage ? whole.string() : name).find('%') != std::string::npos;
  if (isList || isPattern)
  {
    throw UserError("cannot write " + path + ": its voxels are in a second file, and " +
                    (isMetaImage ? "MetaImage" : "NRRD") + " takes a name " +
                    (isList ? "that begins with LIST for a list of files" : "with % for a pattern of several files") +
                    "; " + (isMetaImage ? ".mha" : ".nrrd") + " is one file, which may have any name");
  }
}

} // namespace

bool
IsImageName(const std::string & path)
{
  return formats.count(EndingOf(path)) > 0;
}

bool
IsDicom(const std::string & path)
{
  const std::string ending = EndingOf(path);
  return std::filesystem::is_directory(ToPath(path)) || ending == ".dcm" || ending == ".ima" ||
         (!IsImageName(path) && HasDicomMark(path));
}

std::string
KnownImages()
{
  return "NIfTI (.nii, .nii.gz, .hdr and .img), MetaImage (.mha, .mhd), NRRD (.nrrd, .nhdr), FreeSurfer's (.mgh, .mgz) "
         "and folders of DICOM";
}

ImageFormat
FormatOf(const std::string & path)
{
  if (IsDicom(path))
  {
    return ImageFormat::Dicom;
  }
  CheckRegularFile(path);
  const auto found = formats.find(EndingOf(path));
  if (found == formats.end())
  {
    RefuseInput(path, "it is no image that is known here, which are " + KnownImages());
  }
  return found->second.format;
}

ImageFormat
CheckOutputFormat(const std::string & path)
{
  const auto found = formats.find(EndingOf(path));
  if (found == formats.end() || !found->second.isWritten)
  {
    throw UserError(
      "cannot write " + path +
      ": its ending is that of no known format, which are NIfTI (.nii, .nii.gz), MetaImage (.mha, .mhd), NRRD "
      "(.nrrd, .nhdr)");
  }
  // MetaIO would write another file under such a name.
  const std::string ending = ToPath(path).extension().string();
  if (found->second.format == ImageFormat::MetaImage && ending != Lower(ending))
  {
    throw UserError("cannot write " + path + ": the ending of MetaImage is written in small letters, as " +
                    Lower(ending));
  }
  RequireOneFileOfVoxels(path);
  return found->second.format;
}

} // namespace cudaneuro::files
