// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/surfaces/XmlData.h"

#include "files/base/NumberTypes.h"
#include "files/base/Text.h"
#include "files/base/Xml.h"
#include "files/input/InputFile.h"

#include <vector>

namespace cudaneuro::files
{

namespace
{

/** Where the data of an array begins: after its tag, or so far after the begin of all data. */
struct XmlArray
{
  std::string name;
  std::size_t at = 0;
  bool        isAppended = false;
};

class XmlDataChecker
{
public:
  explicit XmlDataChecker(const std::string & path)
    : m_Path(path)
    , m_Text(ReadInflated(path))
  {}

  void
  Check()
  {
    this->FindArrays();
    for (const XmlArray & array : m_Arrays)
    {
      const std::size_t begin = array.isAppended ? m_Data + array.at : m_Text.find_first_not_of(" \t\r\n", array.at);
      if (begin >= m_Text.size() || !this->HasBlocks(begin, array.isAppended && m_IsRaw))
      {
        RefuseInput(m_Path,
                    "the data of its array \"" + Printable(array.name) +
                      "\" is damaged, or not where the header says; it may have been copied as text");
      }
    }
  }

private:
  /** Takes the tags before the data at the end. */
  void
  FindArrays()
  {
    for (XmlMarkup tag = FindXmlMarkup(m_Text, 0); tag.isWhole; tag = FindXmlMarkup(m_Text, tag.end))
    {
      auto attributes = XmlAttributesOf(m_Text.substr(tag.begin, tag.end - tag.begin));
      if (tag.name == "VTKFile" && tag.kind == XmlMarkup::Kind::Begin)
      {
        m_IsBigEndian = attributes["byte_order"] == "BigEndian";
        m_Type = attributes["header_type"] == "UInt64" ? itk::IOComponentEnum::ULONGLONG : itk::IOComponentEnum::UINT;
        if (attributes["compressor"].empty())
        {
          return;
        }
      }
      else if (tag.name == "AppendedData")
      {
        m_IsRaw = attributes["encoding"] == "raw";
        m_Data = m_Text.find('_', tag.end) + 1;
        return;
      }
      else if (attributes["format"] == "binary")
      {
        m_Arrays.push_back({ attributes["Name"], tag.end, false });
      }
      else if (attributes["format"] == "appended")
      {
        const auto offset = ParseInteger(m_Path, "an offset", attributes["offset"], 0, INT64_MAX);
        m_Arrays.push_back({ attributes["Name"], static_cast<std::size_t>(offset), true });
      }
    }
  }

  /** So many numbers from a place on; fewer where there are not as many. */
  std::vector<double>
  NumbersAt(std::size_t begin, std::size_t count, bool isRaw) const
  {
    const std::size_t word = BytesOf(m_Type);
    std::string       bytes = m_Text.substr(begin, isRaw ? count * word : (count * word + 2) / 3 * 4);
    bytes = isRaw ? bytes : DecodedBase64(bytes);
    std::vector<double> numbers;
    for (std::size_t at = 0; at + word <= bytes.size() && numbers.size() < count; at += word)
    {
      numbers.push_back(NumberAt(m_Type, bytes.data() + at, m_IsBigEndian));
    }
    return numbers;
  }

  /** Whether there are as many blocks as the numbers before them say: their count, the size of each, that of the last
   * one where it is smaller, and what each has compressed. */
  bool
  HasBlocks(std::size_t begin, bool isRaw) const
  {
    constexpr std::size_t     before = 3;
    const auto                left = static_cast<double>(m_Text.size() - begin);
    const std::vector<double> sizes = this->NumbersAt(begin, before, isRaw);
    if (sizes.size() < before || sizes[0] > left)
    {
      return false;
    }
    if (sizes[0] == 0.0 ? sizes[2] > 0.0 : sizes[1] == 0.0 || sizes[2] > sizes[1])
    {
      return false;
    }
    const std::vector<double> all = this->NumbersAt(begin, before + static_cast<std::size_t>(sizes[0]), isRaw);
    double                    bytes = 0.0;
    for (std::size_t i = before; i < all.size(); ++i)
    {
      bytes += all[i];
    }
    return static_cast<double>(all.size() - before) == sizes[0] && bytes <= left;
  }

  std::string           m_Path;
  std::string           m_Text;
  std::vector<XmlArray> m_Arrays;
  itk::IOComponentEnum  m_Type = itk::IOComponentEnum::UINT;
  bool                  m_IsBigEndian = false;
  bool                  m_IsRaw = false;
  /** Where the data at the end begins. */
  std::size_t m_Data = 0;
};

} // namespace

void
CheckXmlData(const std::string & path)
{
  XmlDataChecker(path).Check();
}

} // namespace cudaneuro::files
