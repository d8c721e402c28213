// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/FormatReaders.h"

#include "files/base/Errors.h"
#include "files/images/NiftiGeometry.h"
#include "files/images/NiftiHeader.h"
#include "files/base/NumberTypes.h"
#include "files/input/InputFile.h"
#include "files/system/SystemFile.h"
#include "itkMetaDataObject.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

namespace cudaneuro::files
{

namespace
{

/** The other file of a pair, which may be compressed when the first is not. */
std::string
PartnerOf(const std::string & path, const char * ending)
{
  namespace fs = std::filesystem;
  fs::path stem = ToPath(path);
  if (Lower(stem.extension().string()) == ".gz")
  {
    stem.replace_extension();
  }
  const std::string plain = stem.replace_extension(InCaseOf(stem.extension().string(), ending)).string();
  const std::string compressed = plain + InCaseOf(ToPath(path).extension().string(), ".gz");
  return fs::exists(ToPath(compressed)) && !fs::exists(ToPath(plain)) ? compressed : plain;
}

/** Reads the beginning of a file, and whether it is compressed, which its name must tell. */
std::string
ReadStartOf(const std::string & path, std::size_t bytes, bool & isCompressed)
{
  std::string start = ReadStart(path, bytes, &isCompressed);
  if (isCompressed && Lower(ToPath(path).extension().string()) != ".gz")
  {
    RefuseInput(path, "it holds gzip data, and its name does not end with .gz");
  }
  return start;
}

void
CheckMagic(const std::string & path, const NiftiHeader & header, bool isOneFile)
{
  const std::string digit = std::to_string(header.GetVersion());
  if (header.GetKind() == NiftiKind::Analyze && header.HasDamagedMagic())
  {
    RefuseInput(path, "magic is damaged: it is neither \"n+" + digit + "\" or \"ni" + digit + "\", nor far from them");
  }
  if (isOneFile && header.GetKind() == NiftiKind::Analyze)
  {
    RefuseInput(path,
                "magic is not \"n+" + digit +
                  "\", which it must be in a NIfTI file of this name; Analyze's are pairs of .hdr and .img");
  }
}

/** Notes a magic of the other kind than the name's, by which other programs go, too. */
void
NoteMagic(const NiftiHeader & header, bool isOneFile, NiftiGrid & grid)
{
  if (header.GetKind() == (isOneFile ? NiftiKind::Pair : NiftiKind::OneFile))
  {
    grid.notes.push_back("magic is that of " + std::string(isOneFile ? "a pair of .hdr and .img" : "one file, .nii") +
                         ", and it is read as its name says");
  }
}

/** Reads the sizes of the axes and the number of values a voxel. */
void
ReadSizes(OpenedImage & image, const std::string & path, const NiftiHeader & header)
{
  constexpr std::int64_t mostAxes = 7;
  constexpr std::int64_t firstVector = 1005; // symmetric matrices, displacements, vectors
  constexpr std::int64_t lastVector = 1007;
  const std::int64_t     axes = header.Integer("dim");
  if (axes < 1 || axes > mostAxes)
  {
    RefuseField(path, "dim[0]", axes, "it must be 1 to 7");
  }
  for (std::size_t i = 1; i <= static_cast<std::size_t>(axes); ++i)
  {
    const std::int64_t stored = header.Integer("dim", i);
    // Some programs write 0 for axes beyond those of space that are not there.
    const std::int64_t size = stored == 0 && i > 3 ? 1 : stored;
    if (size < 1)
    {
      RefuseField(path, Indexed("dim", i), size, "it must be 1 or more");
    }
    image.size.push_back(static_cast<std::size_t>(size));
  }
  const std::int64_t intent = header.GetIntent();
  if (intent >= firstVector && intent <= lastVector && axes >= 5 && image.size[3] == 1)
  {
    image.components = image.size[4];
    image.size[4] = 1;
  }
  const bool isPlane = image.components == 2 && image.size[2] == 1;
  while (isPlane && image.size.size() > 2 && image.size.back() == 1)
  {
    image.size.pop_back();
  }
}

itk::IOComponentEnum
TypeOf(const std::string & path, const NiftiHeader & header)
{
  const std::int64_t datatype = header.Integer("datatype");
  for (const NiftiType & type : niftiTypes)
  {
    if (type.code == datatype)
    {
      return type.type;
    }
  }
  switch (datatype)
  {
    case 32:
    case 1792:
    case 2048:
      RefuseField(path, "datatype", datatype, "complex numbers: take their magnitude first");
    case 128:
    case 2304:
      RefuseField(path, "datatype", datatype, "colors: take one channel, or the brightness, first");
    default:
      RefuseField(
        path, "datatype", datatype, "types of one real number can be read: 2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280");
  }
}

std::uint64_t
OffsetOf(const std::string & path, const NiftiHeader & header, bool isOneFile)
{
  // All whole numbers that a float holds.
  constexpr double  largest = 1 << 24;
  const std::size_t smallest = isOneFile ? header.GetBytesWithFlag() : 0;
  const double      offset = header.Number("vox_offset");
  // The comparisons are false for NaN.
  if (!(offset >= static_cast<double>(smallest) && offset <= largest && offset == std::trunc(offset)))
  {
    RefuseField(
      path, "vox_offset", offset, "it must be a whole number from " + std::to_string(smallest) + " to 16777216");
  }
  return static_cast<std::uint64_t>(offset);
}

/** A slope of 0, NaN or infinity stands for no scaling. */
void
ReadScaling(PlainVoxels & voxels, const std::string & path, const NiftiHeader & header)
{
  // The largest 32-bit integers, scaled, are then in the range of float.
  constexpr double smallest = 1e-28;
  constexpr double largest = 1e28;
  const double     slope = header.Number("scl_slope");
  const double     intercept = header.Number("scl_inter");
  if (header.GetKind() == NiftiKind::Analyze || slope == 0.0 || !std::isfinite(slope))
  {
    return;
  }
  if (!(std::abs(slope) >= smallest && std::abs(slope) <= largest))
  {
    RefuseField(path, "scl_slope", slope, "its magnitude must be 0, or from 1e-28 to 1e28");
  }
  if (!(std::abs(intercept) <= largest))
  {
    RefuseField(path, "scl_inter", intercept, "its magnitude must be up to 1e28");
  }
  voxels.isScaled = slope != 1.0 || intercept != 0.0;
  voxels.slope = slope;
  voxels.intercept = intercept;
}

/** Reads what stands between header and voxels, where that is a list of extensions: each has its size, its code and
 * text. */
std::string
ReadExtensions(
  const std::string & path, const NiftiHeader & header, std::uint64_t offset, std::string start, bool isOneFile)
{
  constexpr std::size_t heads = 8;
  const std::size_t     first = header.GetBytesWithFlag();
  constexpr std::size_t longestHeader = 1 << 24; // of a pair, whose extensions end with the file
  if (offset > start.size() || !isOneFile)
  {
    start = ReadStart(path, isOneFile ? offset : longestHeader);
  }
  const std::size_t end = isOneFile ? offset : start.size();
  if (start.size() < end || end <= first || start[first - 4] == 0)
  {
    return "";
  }
  std::string extensions = start.substr(first, end - first);
  for (std::size_t at = 0; at < extensions.size();)
  {
    const std::size_t left = extensions.size() - at;
    for (std::size_t i = at; header.IsSwapped() && left >= heads && i < at + heads; i += 4)
    {
      std::reverse(&extensions[i], &extensions[i] + 4);
    }
    const std::int32_t size = left < heads ? 0 : NumberAt<std::int32_t>(extensions.data() + at);
    if (size < static_cast<std::int32_t>(heads) || static_cast<std::size_t>(size) > left)
    {
      return extensions.substr(0, at);
    }
    at += static_cast<std::size_t>(size);
  }
  return extensions;
}

/** Notes what SPM has in headers of Analyze and beside them: a scale, an origin, and a matrix. */
void
NoteSpm(const std::string & path, const NiftiHeader & header, const std::string & start, NiftiGrid & grid)
{
  constexpr std::size_t    origin = 253;
  std::vector<std::string> unused;
  const double             scale = header.Number("scl_slope");
  const std::string        matrix = PartnerOf(path, ".mat");
  if (std::isfinite(scale) && scale != 0.0 && scale != 1.0)
  {
    std::ostringstream text;
    text << "a scale of " << scale;
    unused.push_back(text.str());
  }
  if (start.compare(origin, 6, std::string(6, '\0')) != 0)
  {
    unused.emplace_back("an origin");
  }
  if (std::filesystem::exists(ToPath(matrix)))
  {
    unused.push_back("the matrix of " + matrix);
  }
  if (!unused.empty())
  {
    grid.notes.push_back("SPM's additions to Analyze are not applied: " + Listed(unused) +
                         "; SPM or nibabel converts it to NIfTI");
  }
}

/** A header of NIfTI with the spacing of one of Analyze, which has no place. */
std::string
WithoutPlace(const NiftiHeader & analyze)
{
  NiftiHeader header(1);
  header.Take(analyze, { "pixdim", "descrip" });
  return header.GetBytes();
}

} // namespace

void
OpenNifti(OpenedImage & image, NiftiPlace place)
{
  const std::string & path = image.path;
  const std::string   ending = EndingOf(path);
  const bool          isOneFile = ending.rfind(".nii", 0) == 0;
  const std::string   headerPath = ending.rfind(".img", 0) == 0 ? PartnerOf(path, ".hdr") : path;
  PlainVoxels &       voxels = image.voxels;
  voxels.path = ending.rfind(".hdr", 0) == 0 ? PartnerOf(path, ".img") : path;
  if (headerPath != path && !std::filesystem::exists(ToPath(headerPath)))
  {
    RefuseInput(path, "its header would be " + headerPath + ", and there is no such file");
  }
  CheckRegularFile(headerPath, path);
  CheckRegularFile(voxels.path, path);
  // Most extensions end before this.
  constexpr std::size_t startBytes = 1 << 16;
  const std::string     start = ReadStartOf(headerPath, startBytes, voxels.isCompressed);
  if (!isOneFile)
  {
    ReadStartOf(voxels.path, 1, voxels.isCompressed);
  }
  const auto header = std::make_shared<const NiftiHeader>(headerPath, start);
  CheckMagic(headerPath, *header, isOneFile);
  image.nifti = header;
  image.componentType = TypeOf(headerPath, *header);
  ReadSizes(image, headerPath, *header);
  voxels.isSwapped = header->IsSwapped();
  voxels.offset = OffsetOf(headerPath, *header, isOneFile);
  ReadScaling(voxels, headerPath, *header);
  CheckSize(image, headerPath);
  const bool isAnalyze = header->GetKind() == NiftiKind::Analyze;
  NiftiGrid  grid = NiftiGridOf(headerPath, *header, image.size.size() == 2 ? 2 : 3, place);
  image.geometry = grid.geometry;
  NoteMagic(*header, isOneFile, grid);
  if (isAnalyze)
  {
    NoteSpm(headerPath, *header, start, grid);
  }
  WarnOnce(path, grid.notes);
  itk::EncapsulateMetaData<std::string>(
    image.metadata,
    niftiKey,
    isAnalyze ? WithoutPlace(*header)
              : header->GetBytes() + ReadExtensions(headerPath, *header, voxels.offset, start, isOneFile));
}

} // namespace cudaneuro::files
