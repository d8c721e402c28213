// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/XmlWriter.h"

#include "files/base/Text.h"

namespace
{

std::string
Escaped(const std::string & text)
{
  using cudaneuro::files::Replaced;
  // The first one has the sign that the others write.
  return Replaced(Replaced(Replaced(Replaced(text, "&", "&amp;"), "<", "&lt;"), ">", "&gt;"), "\"", "&quot;");
}

} // namespace

void
XmlWriter::Indent()
{
  m_Text.append(2 * m_Open.size(), ' ');
}

void
XmlWriter::Open(const std::string & name, const Attributes & attributes)
{
  this->Indent();
  m_Text += '<' + name;
  for (const auto & [key, value] : attributes)
  {
    m_Text += ' ' + key + "=\"" + Escaped(value) + '"';
  }
  m_Text += ">\n";
  m_Open.push_back(name);
}

void
XmlWriter::Close()
{
  const std::string name = m_Open.back();
  m_Open.pop_back();
  this->Indent();
  m_Text += "</" + name + ">\n";
}

void
XmlWriter::Write(const std::string & name, const std::string & text)
{
  this->Indent();
  m_Text += '<' + name + '>' + Escaped(text) + "</" + name + ">\n";
}
