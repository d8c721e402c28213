// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_DeflatedPiece_h
#define files_output_DeflatedPiece_h

#include <cstddef>
#include <vector>

namespace cudaneuro::files
{

/** Compresses a piece of a deflate stream that is independent of the others, and ends on a whole byte, so that threads
 * can make them and any order of them is a stream, which goes on after each. The same bytes give the same piece.
 *
 * libdeflate is twice as fast as zlib, and makes whole streams only. Here it is given little enough for one block,
 * whose first bit then says that it is the last of a stream, and is cleared. An empty stored block fills the last
 * byte, as after Z_SYNC_FLUSH of zlib. What is left where that can't be done for certain, which is rare and little,
 * is stored as it is. */
std::vector<char>
DeflatePiece(const char * bytes, std::size_t count);

} // namespace cudaneuro::files

#endif
