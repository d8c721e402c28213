// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiHeader_h
#define files_images_NiftiHeader_h

#include "itkMetaDataDictionary.h"

#include <cstdint>
#include <string>

/** The fields of places. */
constexpr const char * niftiRows[] = { "srow_x", "srow_y", "srow_z" };
constexpr const char * niftiOffsets[] = { "qoffset_x", "qoffset_y", "qoffset_z" };
constexpr const char * niftiQuaternion[] = { "quatern_b", "quatern_c", "quatern_d" };

/** The key of a dictionary under which the bytes between header and voxels are. */
constexpr const char * niftiExtensionsKey = "nifti_extensions";

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
  static constexpr std::size_t mostBytes = 540;

  /** An empty header of NIfTI-1 or -2, to be written. */
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

  void
  Set(const std::string & field, double value, std::size_t index = 0);
  void
  SetText(const std::string & field, const std::string & text);

  /** Adds all fields to a dictionary under the names that itk::NiftiImageIO gives them: "pixdim[1]", "srow_x". */
  void
  AddTo(itk::MetaDataDictionary & dictionary) const;

  /** Sets the fields that a dictionary has, but for magic and sizeof_hdr. */
  void
  TakeFrom(const itk::MetaDataDictionary & dictionary);

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
  bool
  IsSwapped() const
  {
    return m_IsSwapped;
  }
  const std::string &
  GetBytes() const
  {
    return m_Bytes;
  }

private:
  int         m_Version;
  bool        m_IsSwapped = false;
  std::string m_Bytes;
};

/** "NAME[I]" */
std::string
Indexed(const std::string & name, std::size_t i);

#endif
