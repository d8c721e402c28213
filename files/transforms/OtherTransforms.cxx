// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/transforms/OtherTransforms.h"

#include "files/base/FormatFiles.h"
#include "files/base/NumberTypes.h"
#include "files/base/Text.h"
#include "files/input/InputFile.h"
#include "itk_zlib.h"

#include <algorithm>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

bool
StartsWith(const std::string & text, const std::string & start)
{
  return text.rfind(start, 0) == 0;
}

/** Whether a text has nothing but numbers. */
bool
IsOfNumbers(const std::string & text)
{
  return text.find_first_not_of("0123456789+-.eE, \t\r\n") == std::string::npos;
}

/** Whether some line of a text begins so. */
bool
HasLine(const std::string & text, const std::string & start)
{
  return StartsWith(text, start) || text.find('\n' + start) != std::string::npos;
}

/** Whether a text is FreeSurfer's register.dat: a name, three lines of a number and four of four. */
bool
IsRegisterDat(const std::string & text)
{
  std::istringstream lines(text);
  std::string        line;
  std::getline(lines, line);
  for (const std::size_t count : { 1, 1, 1, 4, 4, 4, 4 })
  {
    if (!std::getline(lines, line) || !IsOfNumbers(line) || SplitWords(Trimmed(line)).size() != count)
    {
      return false;
    }
  }
  return true;
}

/** The beginning of the first variable of a Matlab file of level 5, which may be compressed. Its name is there. */
std::string
FirstVariable(const std::string & start)
{
  constexpr std::size_t  header = 128;
  constexpr std::size_t  tag = 8;
  constexpr std::size_t  orderOfBytes = 126; // "IM", or "MI" where it is that of the other kind of machines
  constexpr std::int32_t compressed = 15;
  constexpr std::size_t  bytesOfName = 512;
  if (start.size() < header + tag)
  {
    return "";
  }
  const std::string data = start.substr(header + tag);
  if (NumberAt<std::int32_t>(start.data() + header, start[orderOfBytes] == 'M') != compressed)
  {
    return data.substr(0, bytesOfName);
  }
  std::string inflated(bytesOfName, '\0');
  uLongf      length = bytesOfName;
  // It reports that there is more, and has filled what there was room for.
  uncompress(reinterpret_cast<Bytef *>(inflated.data()),
             &length,
             reinterpret_cast<const Bytef *>(data.data()),
             static_cast<uLong>(data.size()));
  return inflated;
}

std::string
ReasonForMatlab(const std::string & path, const std::string & start)
{
  const bool        isHdf5 = StartsWith(start, "MATLAB 7.3");
  const std::string first = isHdf5 ? "" : FirstVariable(start);
  if (isHdf5 || first.find("Transform") != std::string::npos || first.find("fixed") != std::string::npos)
  {
    return std::string("it is a Matlab file of ") + (isHdf5 ? "version 7.3" : "a newer level than 4") +
           ", and those of ITK and ANTs are of level 4; save it with the option '-v4'";
  }
  if (HasEnding(path, "_sn.mat"))
  {
    return "it is a normalization of SPM; apply it by SPM's Normalise: Write, or let SPM's Deformations make y_*.nii "
           "of "
           "it, which minus the places of its own voxels is an image of displacements along RAS (intent_code 1006)";
  }
  return "it is a Matlab file without a transform of ITK or ANTs, whose variable is named after its class, like "
         "AffineTransform_double_3_3";
}

} // namespace

bool
IsMatrix(std::string text)
{
  while (StartsWith(text, "#"))
  {
    text.erase(0, std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return IsOfNumbers(text) && SplitWords(Replaced(text, ",", " ")).size() == 16;
}

std::string
ReasonForOther(const std::string & path, const std::string & start)
{
  if (StartsWith(start, "MNI Transform File"))
  {
    return "it is a transform of MNI, which FreeSurfer's lta_convert converts: lta_convert --inmni " + path +
           " --src MOVING --trg FIXED --outitk OUT.txt";
  }
  if (StartsWith(start, "MATLAB "))
  {
    return ReasonForMatlab(path, start);
  }
  if (IsMatrix(start))
  {
    return "it is a matrix of 4 x 4 numbers, and does not say whose it is; cudaneuro-transform convert takes one of "
           "FSL by --input-format flirt --fixed FIXED --moving MOVING, and one of greedy or c3d by --input-format "
           "ras-matrix";
  }
  if (HasLine(start, "(Transform "))
  {
    return "it is a transform of elastix; transformix -def all -tp " + path +
           " -out FOLDER writes its displacements as an image, deformationField, which is read";
  }
  const bool isOfAfni = HasLine(start, "# 3dvolreg matri") || HasLine(start, "# 3dAllineate matri");
  if (isOfAfni || EndingOf(path) == ".1d")
  {
    return "it has matrices of AFNI, which cat_matvec prints as 3 x 4 numbers, from fixed to moving points in LPS; "
           "the Parameters of a text of ITK (AffineTransform_double_3_3) are the first three numbers of each row, row "
           "by row, and then the last one of each";
  }
  if (IsRegisterDat(start))
  {
    return "it is a registration of FreeSurfer (register.dat); lta_convert --inreg " + path +
           " --src MOVING --trg FIXED --outlta OUT.lta makes a file of it that is read";
  }
  if (EndingOf(path) == ".m3z" || EndingOf(path) == ".m3d")
  {
    return "it is a warp of FreeSurfer; mri_warp_convert --inm3z " + path +
           " --outitk OUT.nii.gz makes an image of displacements of it, which is read";
  }
  return "it is neither an image of displacements nor a transform file: HDF5 (.h5, .hdf5), Matlab (.mat), or text "
         "(.tfm, .txt), whose first line is \"#Insight Transform File V1.0\"";
}

} // namespace cudaneuro::files
