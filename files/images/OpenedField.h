// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef files_images_OpenedField_h
#define files_images_OpenedField_h

#include "files/images/OpenedImage.h"

namespace cudaneuro::files
{

/** Displacement fields of files, and what their headers say of the meaning of vectors. */

/** An image of vectors, one for each of its axes, of a file that has their components as axis or as values of a voxel.
 * \throws UserError */
OpenedImage
AsField(const OpenedImage & image, unsigned int dimension);

/** Does what OpenedImages::OpenGrid does, also with a field of vectors, of which the grid alone is meant. */
OpenedImage
OpenGridOrField(OpenedImages & opened, const std::string & path);

/** What the header says of the meaning of vectors, for messages: ", and its intent_code is ...", or nothing. */
std::string
IntentOf(const OpenedImage & image);

} // namespace cudaneuro::files

#endif
