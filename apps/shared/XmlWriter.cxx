// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/XmlWriter.h"

namespace
{

std::string
Escaped(const std::string & text)
{
  std::string escaped;
  for (const char character : text)
  {
    switch (character)
    {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += character;
    }
  }
  return escaped;
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
