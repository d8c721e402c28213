// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/XmlWriter.h"

#include "files/base/Xml.h"

using cudaneuro::files::EscapedXml;

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
    m_Text += ' ' + key + "=\"" + EscapedXml(value) + '"';
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
  m_Text += '<' + name + '>' + EscapedXml(text) + "</" + name + ">\n";
}
