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
 * \brief A failed call on a device, with its name and the reason.
 *
 * When memory ran out, GetBytesNeeded and GetBytesAvailable return the amounts; the process stays usable.
 *
 * \ingroup CudaNeuro
 */
class CudaNeuro_EXPORT CudaNeuroException : public ExceptionObject
{
public:
  /** Takes the place in the source, the failed call, and the reason. */
  CudaNeuroException(const char * file, unsigned int line, const std::string & call, const std::string & reason);
  CudaNeuroException(const CudaNeuroException &) noexcept;
  CudaNeuroException &
  operator=(const CudaNeuroException &) noexcept;
  ~CudaNeuroException() override;

  const char *
  GetNameOfClass() const override;

  /** The failed call, with its place in the source. */
  const std::string &
  GetCall() const;

  /** The reason of the failure. */
  const std::string &
  GetReason() const;

  /** Bytes that are needed, when memory or MaximumDeviceMemory did not suffice, in the latter case including the
   * update's earlier allocations; 0 for other errors. */
  SizeValueType
  GetBytesNeeded() const;

  /** Bytes that were free, or that MaximumDeviceMemory allows, as GetReason says; 0 for other errors. */
  SizeValueType
  GetBytesAvailable() const;

  /** Sets the values of GetBytesNeeded and GetBytesAvailable, for code that throws it. */
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
