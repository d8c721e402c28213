// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef cudaneuro_Error_h
#define cudaneuro_Error_h

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
  Error(const std::string & call, const std::string & reason); ///< The message has both.
  ~Error() override;
  /** The call that failed, and why it did. */
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

/** An allocation or a whole job does not fit into the memory that is available, or that a limit allows: the message
 * says which. The process stays usable. */
class CudaNeuro_EXPORT OutOfMemoryError : public Error
{
public:
  /** The limit that the memory exceeded. */
  enum class Bound
  {
    /** The free memory of the device or the host. */
    FreeMemory,
    /** The limit of Context::SetMemoryLimit. */
    Limit
  };
  /** Takes the bytes requested and available. \param details end the message where they are not empty. */
  OutOfMemoryError(const std::string & call,
                   std::size_t         bytesNeeded,
                   std::size_t         bytesAvailable,
                   Bound               bound = Bound::FreeMemory,
                   const std::string & details = {});
  ~OutOfMemoryError() override;

  /** The bytes that the allocation needs; where a limit is exceeded, together with the job's earlier allocations. */
  std::size_t
  GetBytesNeeded() const
  {
    return m_BytesNeeded;
  }
  /** The bytes that are free, or that the limit allows, and which of the two bounds applies. */
  std::size_t
  GetBytesAvailable() const
  {
    return m_BytesAvailable;
  }
  Bound
  GetBound() const
  {
    return m_Bound;
  }
  /** Which other users hold memory of the device. */
  const std::string &
  GetDetails() const
  {
    return m_Details;
  }

private:
  std::size_t m_BytesNeeded;
  std::size_t m_BytesAvailable;
  Bound       m_Bound;
  std::string m_Details;
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
  Aborted(); ///< The message says so.
  ~Aborted() override;
};

} // namespace cudaneuro

#endif
