// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiFile.h"

#include "files/base/NumberTypes.h"
#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace
{

/** The other file of a pair, which may be compressed when the first is not. */
std::string
PartnerOf(const std::string & path, const char * ending)
{
  namespace fs = std::filesystem;
  fs::path stem(path);
  if (Lower(stem.extension().string()) == ".gz")
  {
    stem.replace_extension();
  }
  const std::string plain = stem.replace_extension(ending).string();
  const std::string compressed = plain + ".gz";
  return fs::exists(compressed) && !fs::exists(plain) ? compressed : plain;
}

bool
EndsWith(const std::string & ending, const char * begin)
{
  return ending.rfind(begin, 0) == 0;
}

void
CheckMagic(const std::string & path, const NiftiHeader & header, const std::string & ending)
{
  const NiftiKind   kind = header.GetKind();
  const std::string digit = std::to_string(header.GetVersion());
  if (kind == NiftiKind::Analyze && header.HasDamagedMagic())
  {
    RefuseInput(path, "magic is damaged: it is neither \"n+" + digit + "\" or \"ni" + digit + "\", nor far from them");
  }
  if (EndsWith(ending, ".nii") && kind != NiftiKind::OneFile)
  {
    RefuseInput(path, "magic is not \"n+" + digit + "\", which it must be in a NIfTI file of this name");
  }
  if (!EndsWith(ending, ".nii") && kind == NiftiKind::OneFile)
  {
    RefuseInput(
      path, "magic is \"n+" + digit + "\", and a file with this name is one of a pair, with magic \"ni" + digit + "\"");
  }
}

/** Fills size, components and voxels. */
void
ReadSizes(NiftiFile & file)
{
  constexpr std::int64_t     mostAxes = 7;
  constexpr std::int64_t     firstVector = 1005; // symmetric matrices, displacements, vectors
  constexpr std::int64_t     lastVector = 1007;
  const NiftiHeader &        header = file.header;
  const std::int64_t         axes = header.Integer("dim");
  std::vector<std::uint64_t> factors{ BytesOf(file.type) };
  if (axes < 1 || axes > mostAxes)
  {
    RefuseField(file.headerPath, "dim[0]", axes, "it must be 1 to 7");
  }
  for (std::size_t i = 1; i <= static_cast<std::size_t>(axes); ++i)
  {
    if (header.Integer("dim", i) < 1)
    {
      RefuseField(file.headerPath, Indexed("dim", i), header.Integer("dim", i), "it must be 1 or more");
    }
    file.size.push_back(static_cast<std::uint64_t>(header.Integer("dim", i)));
    factors.push_back(file.size.back());
  }
  // Nothing computes with more bytes than 63 bits count.
  const std::uint64_t bytes = SaturatedProduct(factors);
  const std::int64_t  intent = header.GetKind() == NiftiKind::Analyze ? 0 : header.Integer("intent_code");
  if (intent >= firstVector && intent <= lastVector && file.size.size() >= 5 && file.size[3] == 1)
  {
    file.components = file.size[4];
    file.size[4] = 1;
  }
  const bool isPlane = file.components == 2 && file.size[2] == 1;
  while (file.size.size() > (isPlane ? 2 : 3) && file.size.back() == 1)
  {
    file.size.pop_back();
  }
  file.voxels = bytes / factors.front() / file.components;
}

itk::IOComponentEnum
TypeOf(const NiftiFile & file)
{
  switch (const std::int64_t datatype = file.header.Integer("datatype"))
  {
    case 2:
      return componentTypeOf<unsigned char>;
    case 4:
      return componentTypeOf<std::int16_t>;
    case 8:
      return componentTypeOf<std::int32_t>;
    case 16:
      return componentTypeOf<float>;
    case 64:
      return componentTypeOf<double>;
    case 256:
      return itk::IOComponentEnum::CHAR;
    case 512:
      return componentTypeOf<std::uint16_t>;
    case 768:
      return componentTypeOf<std::uint32_t>;
    case 1024:
      return componentTypeOf<std::int64_t>;
    case 1280:
      return componentTypeOf<std::uint64_t>;
    case 32:
    case 1792:
    case 2048:
      RefuseField(file.headerPath, "datatype", datatype, "complex numbers: take their magnitude first");
    case 128:
    case 2304:
      RefuseField(file.headerPath, "datatype", datatype, "colors: take one channel, or the brightness, first");
    default:
      RefuseField(file.headerPath,
                  "datatype",
                  datatype,
                  "types of one real number can be read: 2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280");
  }
}

std::uint64_t
OffsetOf(const NiftiFile & file)
{
  // All whole numbers that a float holds.
  constexpr double largest = 1 << 24;
  // The header, and four bytes that tell whether extensions follow.
  const std::size_t headerAndFlag = file.header.GetBytes().size() + 4;
  const std::size_t smallest = file.header.GetKind() == NiftiKind::OneFile ? headerAndFlag : 0;
  const double      offset = file.header.Number("vox_offset");
  // The comparisons are false for NaN.
  if (!(offset >= static_cast<double>(smallest) && offset <= largest && offset == std::trunc(offset)))
  {
    RefuseField(file.headerPath,
                "vox_offset",
                offset,
                "it must be a whole number from " + std::to_string(smallest) + " to 16777216");
  }
  return static_cast<std::uint64_t>(offset);
}

/** A slope of 0, NaN or infinity stands for no scaling. */
void
ReadScaling(NiftiFile & file)
{
  const double slope = file.header.Number("scl_slope");
  const double intercept = file.header.Number("scl_inter");
  if (file.header.GetKind() == NiftiKind::Analyze || slope == 0.0 || !std::isfinite(slope))
  {
    return;
  }
  // So that the largest 32-bit integers, scaled, are in the range of float.
  constexpr double smallest = 1e-28;
  constexpr double largest = 1e28;
  if (!(std::abs(slope) >= smallest && std::abs(slope) <= largest))
  {
    RefuseField(file.headerPath, "scl_slope", slope, "its magnitude must be 0, or from 1e-28 to 1e28");
  }
  if (!(std::abs(intercept) <= largest))
  {
    RefuseField(file.headerPath, "scl_inter", intercept, "its magnitude must be up to 1e28");
  }
  file.isScaled = slope != 1.0 || intercept != 0.0;
  file.slope = slope;
  file.intercept = intercept;
}

/** Checks what can be known before the voxels are read. */
void
CheckSize(NiftiFile & file)
{
  const std::uint64_t size = CheckRegularFile(file.dataPath, file.headerPath);
  const std::uint64_t bytes = SaturatedProduct({ file.voxels, file.components, BytesOf(file.type) });
  file.wholeBytes = file.offset + bytes;
  if (file.isCompressed)
  {
    CheckRatio(file.dataPath, size, bytes);
  }
  else if (file.offset > size || bytes > size - file.offset)
  {
    RefuseCutShort(file.dataPath, size, bytes);
  }
}

/** Reads what stands between header and voxels, where that is a list of extensions: each has its size, its code and text. */
std::string
ReadExtensions(const NiftiFile & file, const std::string & start)
{
  constexpr std::size_t heads = 8;
  const std::size_t     first = file.header.GetBytes().size() + 4;
  const std::size_t     end = file.header.GetKind() == NiftiKind::OneFile ? file.offset : start.size();
  if (start.size() < end || end <= first || start[first - 4] == 0)
  {
    return "";
  }
  std::string extensions = start.substr(first, end - first);
  for (std::size_t at = 0; at < extensions.size();)
  {
    const char * const data = extensions.data() + at;
    const bool         isWhole = extensions.size() - at >= heads;
    const auto         size = !isWhole                  ? 0
                              : file.header.IsSwapped() ? NumberAt<std::int32_t, true>(data)
                                                        : NumberAt<std::int32_t>(data);
    if (size < static_cast<std::int32_t>(heads) || static_cast<std::size_t>(size) > extensions.size() - at)
    {
      return extensions.substr(0, at);
    }
    for (std::size_t i = at; file.header.IsSwapped() && i < at + heads; i += 4)
    {
      std::reverse(&extensions[i], &extensions[i] + 4);
    }
    at += static_cast<std::size_t>(size);
  }
  return extensions;
}

} // namespace

NiftiFile
OpenNifti(const std::string & path)
{
  NiftiFile         file;
  const std::string ending = EndingOf(path);
  file.headerPath = EndsWith(ending, ".img") ? PartnerOf(path, ".hdr") : path;
  file.dataPath = EndsWith(ending, ".hdr") ? PartnerOf(path, ".img") : path;
  CheckRegularFile(file.headerPath, path);
  CheckRegularFile(file.dataPath, path);
  // Most extensions end before this.
  constexpr std::size_t startBytes = 1 << 16;
  std::string           start = ReadStart(file.headerPath, startBytes, &file.isCompressed);
  if (file.isCompressed)
  {
    RequireGzipName(file.headerPath);
  }
  if (file.dataPath != file.headerPath)
  {
    file.isCompressed = CheckGzipName(file.dataPath);
  }
  file.header = NiftiHeader(file.headerPath, start);
  CheckMagic(file.headerPath, file.header, ending);
  file.type = TypeOf(file);
  ReadSizes(file);
  file.offset = OffsetOf(file);
  ReadScaling(file);
  CheckSize(file);
  if (file.header.GetKind() != NiftiKind::Analyze)
  {
    if (file.header.GetKind() == NiftiKind::OneFile && file.offset > start.size())
    {
      start = ReadStart(file.headerPath, file.offset);
    }
    file.extensions = ReadExtensions(file, start);
  }
  return file;
}

std::string
NameOfIntent(std::int64_t intent)
{
  switch (intent)
  {
    case 1005:
      return "symmetric matrices";
    case 1006:
      return "displacement vectors";
    case 1007:
      return "vectors";
    case 2006:
      return "a displacement field of FSL";
    case 2007:
    case 2008:
    case 2009:
      return "coefficients of splines of FSL";
    default:
      return "intent " + std::to_string(intent);
  }
}
