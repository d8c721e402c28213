// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_input_FileChecksum_h
#define files_input_FileChecksum_h

#include <string>

namespace cudaneuro::files
{

/** Returns a checksum over all bytes of a file, and of the files that are read with it, as 8 hexadecimal digits. It
 * shows whether a file has changed, independent of its name.
 * \throws UserError, Interrupted */
std::string
ChecksumOf(const std::string & path);

} // namespace cudaneuro::files

#endif
