// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuroError_h
#define cudaneuroError_h

#include "CudaNeuroExport.h"

#include <cstddef>
#include <stdexcept>
#include <string>

namespace cudaneuro
{

/** A failed call: which call, and why. */
class CudaNeuro_EXPORT Error : public std::runtime_error
{
public:
  Error(const std::string & call, const std::string & reason);
  ~Error() override;

  const std::string &
  GetCall() const
  {
    return m_Call;
  }
  const std::string &
  GetReason() const
  {
    return m_Reason;
  }

private:
  std::string m_Call;
  std::string m_Reason;
};

/** A device allocation or a whole job that does not fit. The process stays usable. */
class CudaNeuro_EXPORT OutOfMemoryError : public Error
{
public:
  OutOfMemoryError(const std::string & call, std::size_t bytesNeeded, std::size_t bytesAvailable);
  ~OutOfMemoryError() override;

  std::size_t
  GetBytesNeeded() const
  {
    return m_BytesNeeded;
  }
  std::size_t
  GetBytesAvailable() const
  {
    return m_BytesAvailable;
  }

private:
  std::size_t m_BytesNeeded;
  std::size_t m_BytesAvailable;
};

/** A parameter outside its range; the message names the parameter, the value and the limit. */
class CudaNeuro_EXPORT InvalidParameterError : public std::invalid_argument
{
public:
  using std::invalid_argument::invalid_argument;
  ~InvalidParameterError() override;
};

/** The progress function asked to stop. */
class CudaNeuro_EXPORT Aborted : public std::runtime_error
{
public:
  Aborted();
  ~Aborted() override;
};

} // namespace cudaneuro

#endif
