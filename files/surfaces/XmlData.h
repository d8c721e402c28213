// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_surfaces_XmlData_h
#define files_surfaces_XmlData_h

#include <string>

namespace cudaneuro::files
{

/** Checks the numbers and sizes of blocks before compressed arrays of VTK's XML. VTK's reader ends the program if these
 * do not fit the data, as in files whose line ends were converted.
 * \throws UserError that names the file, and the array */
void
CheckXmlData(const std::string & path);

} // namespace cudaneuro::files

#endif
