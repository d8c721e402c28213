// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_XmlData_h
#define files_surfaces_XmlData_h

#include <string>

namespace cudaneuro::files
{

/** Checks what stands before compressed arrays in VTK's XML, the numbers and sizes of their blocks: VTK's reader ends the
 * program where they are those of other data, as in files whose ends of lines were converted.
 * \throws UserError that names the file, and the array */
void
CheckXmlData(const std::string & path);

} // namespace cudaneuro::files

#endif
