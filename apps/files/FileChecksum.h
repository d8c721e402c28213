// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_files_FileChecksum_h
#define apps_files_FileChecksum_h

#include <string>

/** A checksum over all bytes of a file, and of the files that are read with it, as 8 hexadecimal digits. It tells whether a file has
 * changed, whatever its name is.
 * \throws ProgramError, Interrupted */
std::string
ChecksumOf(const std::string & path);

#endif
