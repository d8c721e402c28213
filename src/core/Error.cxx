// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "cudaneuro/Error.h"

namespace cudaneuro
{

Error::Error(const std::string & call, const std::string & reason)
  : std::runtime_error(call + " failed: " + reason)
  , m_Call(call)
  , m_Reason(reason)
{}

Error::~Error() = default;

OutOfMemoryError::OutOfMemoryError(const std::string & call,
                                   std::size_t         bytesNeeded,
                                   std::size_t         bytesAvailable,
                                   Bound               bound,
                                   const std::string & details)
  : Error(call,
          std::to_string(bytesNeeded) + " bytes are needed and " + std::to_string(bytesAvailable) +
            (bound == Bound::Limit ? " bytes are allowed by the memory limit" : " bytes are available") +
            (details.empty() ? "" : "; " + details))
  , m_BytesNeeded(bytesNeeded)
  , m_BytesAvailable(bytesAvailable)
  , m_Bound(bound)
  , m_Details(details)
{}

OutOfMemoryError::~OutOfMemoryError() = default;

InvalidParameterError::~InvalidParameterError() = default;

Aborted::Aborted()
  : std::runtime_error("The computation was aborted")
{}

Aborted::~Aborted() = default;

} // namespace cudaneuro
