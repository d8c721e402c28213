// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_ImageOptions_h
#define apps_shared_ImageOptions_h

#include "files/images/OpenedImage.h"
#include "shared/CommandLine.h"
#include "shared/Files.h"

#include <memory>
#include <string>
#include <vector>

/** Adds --nifti-place and --volume, which apply to all images that a run opens.
 * \return the options */
std::vector<CLI::Option *>
AddImageOptions(CLI::App & app, const std::shared_ptr<OpenedImages> & images, const std::string & group);

#endif
