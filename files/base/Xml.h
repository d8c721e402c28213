// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Xml_h
#define files_base_Xml_h

#include <cstddef>
#include <map>
#include <string>

namespace cudaneuro::files
{

/** A tag, a section of CDATA, or markup to skip: a comment, an instruction or a declaration. */
struct XmlMarkup
{
  enum class Kind
  {
    Begin,
    End,
    /** A tag that both begins and ends an element. */
    Empty,
    CData,
    Other
  };
  Kind kind = Kind::Other;
  /** The name of a tag's element. */
  std::string name;
  /** Where it begins in the text; the end of the text if there is none. */
  std::size_t begin = 0;
  /** The position behind it. */
  std::size_t end = 0;
  /** Whether there is markup, and the text does not end inside it. */
  bool isWhole = false;
};

/** Finds the first markup that begins at a position of a text or behind it. */
XmlMarkup
FindXmlMarkup(const std::string & text, std::size_t from);

/** Returns the attributes of a tag, NAME="VALUE" or NAME='VALUE'. */
std::map<std::string, std::string>
XmlAttributesOf(const std::string & tag);

/** Returns the characters of an element's content, including sections of CDATA, without other markup. */
std::string
XmlCharactersOf(const std::string & content);

/** Returns a text with escapes for characters that have a meaning in XML. */
std::string
EscapedXml(const std::string & text);

} // namespace cudaneuro::files

#endif
