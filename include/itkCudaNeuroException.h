// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroException_h
#define itkCudaNeuroException_h

#include "CudaNeuroExport.h"
#include "itkIntTypes.h"
#include "itkMacro.h"

#include <string>

namespace itk
{

/** \class CudaNeuroException
 * \brief A call that failed on a device, and the reason it gave.
 *
 * When memory ran out, GetBytesNeeded and GetBytesAvailable say how much; the process stays usable.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuro_EXPORT CudaNeuroException : public ExceptionObject
{
public:
  /** With the place in the source, the call that failed, and why. */
  CudaNeuroException(const char * file, unsigned int line, const std::string & call, const std::string & reason);
  CudaNeuroException(const CudaNeuroException &) noexcept;
  CudaNeuroException &
  operator=(const CudaNeuroException &) noexcept;
  ~CudaNeuroException() override;

  const char *
  GetNameOfClass() const override;

  /** The call that failed, with the place in the source where it stands. */
  const std::string &
  GetCall() const;

  /** Why it failed. */
  const std::string &
  GetReason() const;

  /** Bytes that are needed, when memory or MaximumDeviceMemory did not suffice, in the latter case with those that the
   * update had already; 0 for other errors. */
  SizeValueType
  GetBytesNeeded() const;

  /** Bytes that were free, or that MaximumDeviceMemory allows, as GetReason says; 0 for other errors. */
  SizeValueType
  GetBytesAvailable() const;

  /** For those who throw it: what GetBytesNeeded and GetBytesAvailable return. */
  void
  SetBytes(SizeValueType needed, SizeValueType available);

private:
  std::string   m_Call;
  std::string   m_Reason;
  SizeValueType m_BytesNeeded = 0;
  SizeValueType m_BytesAvailable = 0;
};

} // namespace itk

#endif
