// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "files/base/Xml.h"

#include "files/base/Text.h"

#include <algorithm>
#include <cstring>

namespace cudaneuro::files
{

namespace
{

constexpr const char * blanks = " \t\r\n";
/** Markup that is no tag. */
struct Delimiters
{
  const char *    begin;
  const char *    end;
  XmlMarkup::Kind kind;
};

constexpr Delimiters cData{ "<![CDATA[", "]]>", XmlMarkup::Kind::CData };

/** Sorted with longer beginnings first. */
constexpr Delimiters delimiters[] = { cData,
                                      { "<!--", "-->", XmlMarkup::Kind::Other },
                                      { "<?", "?>", XmlMarkup::Kind::Other },
                                      { "<!", ">", XmlMarkup::Kind::Other } };

/** Returns the position of the > that ends a tag, not of one in the value of an attribute. */
std::size_t
FindTagEnd(const std::string & text, std::size_t begin)
{
  std::size_t at = text.find_first_of("\"'>", begin);
  while (at != std::string::npos && text[at] != '>')
  {
    const std::size_t closing = text.find(text[at], at + 1);
    at = closing == std::string::npos ? closing : text.find_first_of("\"'>", closing + 1);
  }
  return at;
}

XmlMarkup
TagAt(const std::string & text, std::size_t begin)
{
  const std::size_t sign = FindTagEnd(text, begin);
  const bool        isEnd = text.compare(begin, 2, "</") == 0;
  const std::size_t nameBegin = begin + (isEnd ? 2 : 1);
  XmlMarkup         tag;
  tag.isWhole = sign != std::string::npos;
  tag.begin = begin;
  tag.end = tag.isWhole ? sign + 1 : text.size();
  const std::size_t nameEnd = std::min(text.find_first_of(" \t\r\n/>", nameBegin), tag.end);
  tag.name = text.substr(nameBegin, nameEnd - nameBegin);
  const bool isEmpty = tag.isWhole && text[sign - 1] == '/';
  tag.kind = isEnd ? XmlMarkup::Kind::End : isEmpty ? XmlMarkup::Kind::Empty : XmlMarkup::Kind::Begin;
  return tag;
}

} // namespace

XmlMarkup
FindXmlMarkup(const std::string & text, std::size_t from)
{
  const std::size_t begin = text.find('<', from);
  if (begin == std::string::npos)
  {
    return { XmlMarkup::Kind::Other, "", text.size(), text.size(), false };
  }
  for (const Delimiters & known : delimiters)
  {
    if (text.compare(begin, std::strlen(known.begin), known.begin) == 0)
    {
      const std::size_t found = text.find(known.end, begin + std::strlen(known.begin));
      const bool        isWhole = found != std::string::npos;
      return { known.kind, "", begin, isWhole ? found + std::strlen(known.end) : text.size(), isWhole };
    }
  }
  return TagAt(text, begin);
}

std::map<std::string, std::string>
XmlAttributesOf(const std::string & tag)
{
  std::map<std::string, std::string> attributes;
  std::size_t                        at = std::min(tag.find_first_of(blanks), tag.size());
  for (std::size_t equals = tag.find('=', at); equals != std::string::npos; equals = tag.find('=', at))
  {
    const std::size_t quote = std::min(tag.find_first_of("\"'", equals), tag.size() - 1);
    const std::size_t end = std::min(tag.find(tag[quote], quote + 1), tag.size() - 1);
    attributes[Trimmed(tag.substr(at, equals - at))] = tag.substr(quote + 1, end - std::min(end, quote + 1));
    at = end + 1;
  }
  return attributes;
}

std::string
XmlCharactersOf(const std::string & content)
{
  std::string characters;
  std::size_t from = 0;
  for (XmlMarkup markup = FindXmlMarkup(content, 0); markup.isWhole; markup = FindXmlMarkup(content, markup.end))
  {
    characters.append(content, from, markup.begin - from);
    if (markup.kind == XmlMarkup::Kind::CData)
    {
      const std::size_t begin = markup.begin + std::strlen(cData.begin);
      characters.append(content, begin, markup.end - std::strlen(cData.end) - begin);
    }
    from = markup.end;
  }
  return characters.append(content, from, std::string::npos);
}

std::string
EscapedXml(const std::string & text)
{
  // & comes first, because the other replacements contain it.
  return Replaced(Replaced(Replaced(Replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\"", "&quot;");
}

} // namespace cudaneuro::files
