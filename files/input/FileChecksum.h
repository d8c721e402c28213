// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_FileChecksum_h
#define files_input_FileChecksum_h

#include <string>

namespace cudaneuro::files
{

/** A checksum over all bytes of a file, and of the files that are read with it, as 8 hexadecimal digits. It tells
 * whether a file has changed, whatever its name is.
 * \throws UserError, Interrupted */
std::string
ChecksumOf(const std::string & path);

} // namespace cudaneuro::files

#endif
