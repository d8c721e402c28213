// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_MghFile_h
#define files_images_MghFile_h

#include "files/images/OpenedImage.h"

namespace cudaneuro::files
{

/** Reads the header of a file of FreeSurfer: .mgh, or .mgz, which is compressed. ITK 5 has no reader of it among its
 * modules.
 * \throws UserError that names the file, the field and the value that cannot be right */
void
OpenMgh(OpenedImage & image);

} // namespace cudaneuro::files

#endif
