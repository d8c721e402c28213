// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_DeflatedPiece_h
#define files_output_DeflatedPiece_h

#include <cstddef>
#include <vector>

namespace cudaneuro::files
{

/** Compresses a piece of a deflate stream. A piece is independent of the others, and ends on a whole byte, so that
 * threads can make pieces, and pieces in any order are a stream, which can go on. The same bytes give the same piece.
 *
 * libdeflate is twice as fast as zlib, but makes only whole streams. Here it gets little enough data for one block. The
 * first bit of the block marks the last block of a stream, and is cleared. An empty stored block fills the last
 * byte, as after zlib's Z_SYNC_FLUSH. Data for which this cannot be done with certainty, which is rare and little,
 * is stored uncompressed. */
std::vector<char>
DeflatePiece(const char * bytes, std::size_t count);

} // namespace cudaneuro::files

#endif
