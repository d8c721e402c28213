// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_base_Xml_h
#define files_base_Xml_h

#include <cstddef>
#include <map>
#include <string>

namespace cudaneuro::files
{

/** A tag, a section of CDATA, or what a reader passes over: a comment, an instruction or a declaration. */
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
  /** Where it begins in the text, which is its end where there is none. */
  std::size_t begin = 0;
  /** The place behind it. */
  std::size_t end = 0;
  /** Whether it is there, and the text is not cut short in it. */
  bool isWhole = false;
};

/** Finds the first markup that begins at a place of a text or behind it. */
XmlMarkup
FindXmlMarkup(const std::string & text, std::size_t from);

/** The attributes of a tag, NAME="VALUE" or NAME='VALUE'. */
std::map<std::string, std::string>
XmlAttributesOf(const std::string & tag);

/** The characters of an element's content: that of sections of CDATA belongs to it, other markup does not. */
std::string
XmlCharactersOf(const std::string & content);

/** A text whose characters with a meaning in XML are escaped. */
std::string
EscapedXml(const std::string & text);

} // namespace cudaneuro::files

#endif
