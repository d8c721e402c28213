// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_NiftiFields_h
#define files_images_NiftiFields_h

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>

constexpr std::size_t niftiHeaderBytes = 348;

/** The format of a header. */
enum class NiftiKind
{
  OneFile,
  Pair,
  Analyze
};

/** The fields of a header, at the offsets of the standard, in either byte order. */
class NiftiFields
{
public:
  /** \throws UserError when the bytes are too few, or do not begin as a header does */
  NiftiFields(const std::string & path, const std::string & bytes);

  template <typename T>
  T
  At(std::size_t offset) const
  {
    std::array<char, sizeof(T)> bytes;
    std::copy_n(m_Bytes.begin() + static_cast<std::ptrdiff_t>(offset), sizeof(T), bytes.begin());
    if (m_IsSwapped)
    {
      std::reverse(bytes.begin(), bytes.end());
    }
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }
  std::int16_t
  Short(std::size_t offset) const
  {
    return this->At<std::int16_t>(offset);
  }
  float
  Float(std::size_t offset) const
  {
    return this->At<float>(offset);
  }
  std::int16_t
  Dim(int i) const
  {
    return this->Short(40 + 2 * static_cast<std::size_t>(i));
  }
  bool
  IsSwapped() const
  {
    return m_IsSwapped;
  }
  const std::string &
  GetPath() const
  {
    return m_Path;
  }

  NiftiKind
  GetKind() const;
  /** Whether half of the magic is that of NIfTI. Analyze has the smallest voxel there. */
  bool
  HasDamagedMagic() const;

private:
  NiftiFields
  Swapped() const
  {
    NiftiFields other = *this;
    other.m_IsSwapped = !m_IsSwapped;
    return other;
  }

  std::string m_Path;
  std::string m_Bytes;
  bool        m_IsSwapped = false;
};

/** "NAME[I]" */
std::string
Indexed(const char * name, int i);

/** Checks the spacing, the qform and the sform that are in use.
 * \throws UserError that names the file, the field and the value that cannot be right */
void
CheckNiftiGeometry(const NiftiFields & fields);

#endif
