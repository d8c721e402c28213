// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_ReadingOptions_h
#define files_images_ReadingOptions_h

#include <cstddef>
#include <optional>

namespace cudaneuro::files
{

/** Which of two matrices counts where a NIfTI header has both. Where it has one, that one counts. */
enum class NiftiPlace
{
  Sform,
  Qform
};

/** What the reader of an image has to choose, because the file leaves it open. */
struct ReadingOptions
{
  NiftiPlace place = NiftiPlace::Sform;
  /** The volume to take of series, which are NIfTI files of 4 axes, counted from 0. Without it series are left whole
   * where a program works on all volumes, and else refused. */
  std::optional<std::size_t> volume;
};

} // namespace cudaneuro::files

#endif
