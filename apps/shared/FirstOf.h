// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_FirstOf_h
#define apps_shared_FirstOf_h

#include <string>
#include <vector>

/** The first few of many texts for a message of one line, as "a; b; and 7 more". */
inline std::string
FirstOf(const std::vector<std::string> & texts)
{
  constexpr std::size_t most = 5;
  std::string           line;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i)
  {
    line += (i == 0 ? "" : "; ") + texts[i];
  }
  return texts.size() > most ? line + "; and " + std::to_string(texts.size() - most) + " more" : line;
}

#endif
