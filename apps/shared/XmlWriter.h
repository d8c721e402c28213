// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_XmlWriter_h
#define apps_shared_XmlWriter_h

#include <string>
#include <utility>
#include <vector>

/** Writes an XML document in UTF-8, one element per line, with escapes. */
class XmlWriter
{
public:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  /** Begins an element with others in it. */
  void
  Open(const std::string & name, const Attributes & attributes = {});
  /** Ends the innermost element. */
  void
  Close();
  /** Writes an element that holds a text. */
  void
  Write(const std::string & name, const std::string & text);

  const std::string &
  GetText() const
  {
    return m_Text;
  }

private:
  void
  Indent();

  std::string              m_Text = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  std::vector<std::string> m_Open;
};

#endif
