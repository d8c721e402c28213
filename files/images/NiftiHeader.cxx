// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/images/NiftiHeader.h"

#include "files/input/GzipFile.h"
#include "files/input/InputFile.h"
#include "files/images/NiftiFields.h"

#include <cmath>
#include <filesystem>
#include <vector>

namespace
{

// The header and the four bytes after it, which tell whether extensions follow.
constexpr float smallestOffset = 352;

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
CheckMagic(const NiftiFields & fields, const std::string & ending)
{
  const NiftiKind kind = fields.GetKind();
  if (kind == NiftiKind::Analyze && fields.HasDamagedMagic())
  {
    RefuseInput(fields.GetPath(), "magic is damaged: it is neither \"n+1\" or \"ni1\", nor far from them");
  }
  if (EndsWith(ending, ".nii") && kind != NiftiKind::OneFile)
  {
    RefuseInput(fields.GetPath(), "magic is not \"n+1\", which it must be in a NIfTI file of this name");
  }
  if (!EndsWith(ending, ".nii") && kind == NiftiKind::OneFile)
  {
    RefuseInput(fields.GetPath(), "magic is \"n+1\", and a file with this name is one of a pair, with magic \"ni1\"");
  }
}

void
CheckDimensions(const NiftiFields & fields)
{
  const std::string & path = fields.GetPath();
  if (fields.Dim(0) < 1 || fields.Dim(0) > 7)
  {
    RefuseField(path, "dim[0]", fields.Dim(0), "it must be 1 to 7");
  }
  for (int i = 1; i <= fields.Dim(0); ++i)
  {
    if (fields.Dim(i) < 1)
    {
      RefuseField(path, Indexed("dim", i), fields.Dim(i), "it must be 1 or more");
    }
  }
}

/** The number of values a voxel: the fifth axis of a file whose intent is a vector. */
std::uint64_t
ComponentsOf(const NiftiFields & fields)
{
  constexpr std::int16_t symmetricMatrix = 1005;
  constexpr std::int16_t vector = 1007;
  const std::int16_t     intent = fields.GetKind() == NiftiKind::Analyze ? std::int16_t(0) : fields.Short(68);
  if (intent != symmetricMatrix && intent != vector)
  {
    return 1;
  }
  if (fields.Dim(0) != 5 || fields.Dim(4) != 1)
  {
    RefuseInput(fields.GetPath(),
                "intent_code is " + std::to_string(intent) + ", vectors, and dim[0] is " +
                  std::to_string(fields.Dim(0)) + " and dim[4] " + std::to_string(fields.Dim(4)) +
                  "; they must be 5 and 1");
  }
  return static_cast<std::uint64_t>(fields.Dim(5));
}

/** The size of a type of one real number, in bytes. */
std::size_t
BytesOf(const NiftiFields & fields)
{
  const std::int16_t datatype = fields.Short(70);
  const std::int16_t bitpix = fields.Short(72);
  std::size_t        bytes = 0;
  switch (datatype)
  {
    case 2:   // unsigned char
    case 256: // signed char
      bytes = 1;
      break;
    case 4:   // short
    case 512: // unsigned short
      bytes = 2;
      break;
    case 8:   // int
    case 16:  // float
    case 768: // unsigned int
      bytes = 4;
      break;
    case 64:   // double
    case 1024: // 64-bit integer
    case 1280: // unsigned 64-bit integer
      bytes = 8;
      break;
    default:
      RefuseField(fields.GetPath(),
                  "datatype",
                  datatype,
                  "types of one real number can be read: 2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280");
  }
  if (bitpix != static_cast<int>(8 * bytes))
  {
    RefuseField(
      fields.GetPath(), "bitpix", bitpix, "datatype " + std::to_string(datatype) + " has " + std::to_string(8 * bytes));
  }
  return bytes;
}

std::uint64_t
OffsetOf(const NiftiFields & fields)
{
  // A float holds all whole numbers up to this.
  constexpr float largest = 1 << 24;
  const float     smallest = fields.GetKind() == NiftiKind::OneFile ? smallestOffset : 0.0f;
  const float     offset = fields.Float(108);
  // The comparisons are false for NaN.
  if (!(offset >= smallest && offset <= largest && offset == std::trunc(offset)))
  {
    RefuseField(fields.GetPath(),
                "vox_offset",
                offset,
                "it must be a whole number from " + std::to_string(static_cast<int>(smallest)) + " to 16777216");
  }
  return static_cast<std::uint64_t>(offset);
}

/** Checks that the largest 32-bit integers, scaled, are in the range of float. A slope of 0 stands for no scaling. */
void
ReadScaling(const NiftiFields & fields, NiftiLayout & layout)
{
  if (fields.GetKind() == NiftiKind::Analyze)
  {
    return;
  }
  constexpr float smallest = 1e-28f;
  constexpr float largest = 1e28f;
  const float     slope = fields.Float(112);
  const float     intercept = fields.Float(116);
  const float     size = std::abs(slope);
  if (!(size == 0.0f || (size >= smallest && size <= largest)))
  {
    RefuseField(fields.GetPath(), "scl_slope", slope, "its magnitude must be 0, or from 1e-28 to 1e28");
  }
  if (!(std::abs(intercept) <= largest))
  {
    RefuseField(fields.GetPath(), "scl_inter", intercept, "its magnitude must be up to 1e28");
  }
  layout.isScaled = slope != 0.0f && (slope != 1.0f || intercept != 0.0f);
  layout.slope = slope;
  layout.intercept = intercept;
}

/** Checks what can be known before the voxels are read. */
void
CheckSize(const NiftiLayout & layout)
{
  const InputImage &  file = layout.file;
  const std::uint64_t size = CheckRegularFile(file.dataPath);
  if (layout.isCompressed)
  {
    CheckRatio(file.dataPath, size, file.bytes);
  }
  else if (file.offset > size || file.bytes > size - file.offset)
  {
    RefuseCutShort(file.dataPath, size, file.bytes);
  }
}

} // namespace

NiftiLayout
CheckNifti(const std::string & path)
{
  NiftiLayout       layout;
  const std::string ending = EndingOf(path);
  layout.file.format = ImageFormat::Nifti;
  layout.file.headerPath = EndsWith(ending, ".img") ? PartnerOf(path, ".hdr") : path;
  layout.file.dataPath = EndsWith(ending, ".hdr") ? PartnerOf(path, ".img") : path;
  CheckRegularFile(layout.file.headerPath, path);
  CheckRegularFile(layout.file.dataPath, path);
  CheckGzipName(layout.file.headerPath);
  layout.isCompressed = CheckGzipName(layout.file.dataPath);

  const NiftiFields fields(layout.file.headerPath, ReadStart(layout.file.headerPath, niftiHeaderBytes));
  CheckMagic(fields, ending);
  CheckDimensions(fields);
  layout.isSwapped = fields.IsSwapped();
  layout.datatype = fields.Short(70);
  layout.bytesPerNumber = BytesOf(fields);
  layout.components = ComponentsOf(fields);
  layout.file.offset = OffsetOf(fields);
  ReadScaling(fields, layout);
  CheckNiftiGeometry(fields);

  std::vector<std::uint64_t> factors{ layout.bytesPerNumber };
  for (int i = 1; i <= fields.Dim(0); ++i)
  {
    factors.push_back(static_cast<std::uint64_t>(fields.Dim(i)));
  }
  layout.file.bytes = SaturatedProduct(factors);
  layout.voxels = layout.file.bytes / layout.bytesPerNumber / layout.components;
  CheckSize(layout);
  return layout;
}
