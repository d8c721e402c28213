// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Communicator.h"

namespace cudaneuro
{

Communicator::~Communicator() = default;

} // namespace cudaneuro
