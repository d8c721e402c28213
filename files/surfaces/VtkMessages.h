// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_VtkMessages_h
#define files_surfaces_VtkMessages_h

#include <string>

/** Collects what VTK says while it exists, instead of its being printed. One may exist at a time. */
class VtkMessages
{
public:
  VtkMessages();
  ~VtkMessages();
  VtkMessages(const VtkMessages &) = delete;
  VtkMessages &
  operator=(const VtkMessages &) = delete;

  /** The first error in one line, without VTK's prefix of file and class; empty where there is none. */
  std::string
  GetError() const;
};

#endif
