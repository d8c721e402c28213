// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiHeader_h
#define files_images_NiftiHeader_h

#include "files/base/NumberTypes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudaneuro::files
{

/** The fields of places. */
constexpr const char * niftiRows[] = { "srow_x", "srow_y", "srow_z" };
constexpr const char * niftiOffsets[] = { "qoffset_x", "qoffset_y", "qoffset_z" };
constexpr const char * niftiQuaternion[] = { "quatern_b", "quatern_c", "quatern_d" };

/** The key of an image's dictionary under which the header of its file is, with the extensions behind it, in the
 * order of bytes of this machine. */
constexpr const char * niftiKey = "nifti_header";

/** A code of the field datatype. */
struct NiftiType
{
  std::int64_t         code;
  itk::IOComponentEnum type;
};

constexpr NiftiType niftiTypes[] = {
  { 2, componentTypeOf<unsigned char> },
  { 4, componentTypeOf<std::int16_t> },
  { 8, componentTypeOf<std::int32_t> },
  { 16, componentTypeOf<float> },
  { 64, componentTypeOf<double> },
  { 256, itk::IOComponentEnum::CHAR },
  { 512, componentTypeOf<std::uint16_t> },
  { 768, componentTypeOf<std::uint32_t> },
  { 1024, componentTypeOf<std::int64_t> },
  { 1280, componentTypeOf<std::uint64_t> },
  // Other names of types of 64 bits, which are written only.
  { 1024, itk::IOComponentEnum::LONGLONG },
  { 1280, itk::IOComponentEnum::ULONGLONG },
};

/** The format of a header. */
enum class NiftiKind
{
  OneFile,
  Pair,
  Analyze
};

/** The header of a NIfTI-1, NIfTI-2 or Analyze 7.5 file: fields by the names of the standard. */
class NiftiHeader
{
public:
  /** A header of NIfTI-1 or -2 to be written, of mm, seconds and a spacing of 1. */
  explicit NiftiHeader(int version);

  /** Takes the beginning of a file in either byte order.
   * \throws UserError that names the file when it is not that of a header */
  NiftiHeader(const std::string & path, const std::string & start);

  double
  Number(const std::string & field, std::size_t index = 0) const;
  std::int64_t
  Integer(const std::string & field, std::size_t index = 0) const;
  std::string
  Text(const std::string & field) const;
  /** The field intent_code, which Analyze does not have. */
  std::int64_t
  GetIntent() const
  {
    return this->GetKind() == NiftiKind::Analyze ? 0 : this->Integer("intent_code");
  }

  void
  Set(const std::string & field, double value, std::size_t index = 0);
  void
  SetText(const std::string & field, const std::string & text);

  /** Takes fields of another header, which may be of the other version. */
  void
  Take(const NiftiHeader & other, const std::vector<std::string> & names);
  /** Takes all fields but magic and sizeof_hdr. */
  void
  TakeAll(const NiftiHeader & other);

  int
  GetVersion() const
  {
    return m_Version;
  }
  NiftiKind
  GetKind() const;
  /** Whether half of the magic is that of NIfTI. Analyze has the smallest voxel there. */
  bool
  HasDamagedMagic() const;
  /** Whether the file has the other order of bytes than this machine. */
  bool
  IsSwapped() const
  {
    return m_IsSwapped;
  }
  /** The header in the order of bytes of this machine. */
  const std::string &
  GetBytes() const
  {
    return m_Bytes;
  }
  /** The size with the four bytes that tell whether extensions follow. */
  std::size_t
  GetBytesWithFlag() const
  {
    return m_Bytes.size() + 4;
  }

private:
  int         m_Version;
  bool        m_IsSwapped = false;
  std::string m_Bytes;
};

/** "NAME[I]" */
std::string
Indexed(const std::string & name, std::size_t i);

} // namespace cudaneuro::files

#endif
