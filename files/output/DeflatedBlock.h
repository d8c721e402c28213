// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_output_DeflatedBlock_h
#define files_output_DeflatedBlock_h

#include <cstddef>
#include <memory>
#include <vector>

struct libdeflate_compressor;

/** Compresses pieces of a deflate stream that are independent of each other, and end on whole bytes, so that threads can make
 * them and any order of them is a stream. It goes on after each.
 *
 * libdeflate is twice as fast as zlib, and makes whole streams only. Here it is given little enough for one block, whose first bit
 * then says that it is the last of a stream, and is cleared. An empty stored block fills the last byte, as after Z_SYNC_FLUSH of
 * zlib. Where that can't be done for certain, zlib compresses the piece. */
class BlockDeflater
{
public:
  BlockDeflater();
  ~BlockDeflater();
  BlockDeflater(const BlockDeflater &) = delete;
  BlockDeflater &
  operator=(const BlockDeflater &) = delete;

  /** Appends a piece of the stream that holds some bytes. The same bytes give the same piece. */
  void
  Append(const char * bytes, std::size_t count, std::vector<char> & stream);

private:
  bool
  AppendBlock(const char * bytes, std::size_t count, std::vector<char> & stream);

  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor *)> m_Compressor;
};

#endif
