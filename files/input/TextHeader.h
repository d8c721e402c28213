// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_TextHeader_h
#define files_input_TextHeader_h

#include "files/input/InputFile.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

/** The header of a MetaImage or NRRD file: fields of text, each given once. */
class TextHeader
{
public:
  const std::string &
  GetPath() const
  {
    return m_Path;
  }
  /** The size of the header: voxels in the same file begin there. */
  std::uint64_t
  GetBytes() const
  {
    return m_Bytes;
  }
  bool
  Has(const std::string & field) const
  {
    return m_Values.count(field) > 0;
  }
  std::string
  Get(const std::string & field, const std::string & absent = "") const
  {
    const auto found = m_Values.find(field);
    return found == m_Values.end() ? absent : found->second;
  }

  /** The path of a file that the header names, which may name a list or a pattern of files. */
  std::string
  GetDataPath(const std::string & field, const std::string & name, const char * expected) const
  {
    if (name.empty() || name == "-" || name.rfind("LIST", 0) == 0 || name.find('%') != std::string::npos)
    {
      RefuseField(m_Path, field, '"' + name + '"', expected);
    }
    return (std::filesystem::path(m_Path).parent_path() / name).string();
  }

protected:
  static constexpr std::size_t largestHeader = 1 << 16;

  explicit TextHeader(std::string path)
    : m_Path(std::move(path))
  {}

  /** The first bytes of the file, which hold the header. */
  std::vector<char>
  ReadHeader() const
  {
    return ReadBytes(m_Path, 0, std::min<std::uint64_t>(CheckRegularFile(m_Path), largestHeader));
  }

  /** \return whether the field was not given before */
  bool
  Add(const std::string & field, const std::string & value)
  {
    return m_Values.emplace(field, value).second;
  }

  void
  SetBytes(std::uint64_t bytes)
  {
    m_Bytes = bytes;
  }

private:
  std::string                        m_Path;
  std::map<std::string, std::string> m_Values;
  std::uint64_t                      m_Bytes = 0;
};

#endif
