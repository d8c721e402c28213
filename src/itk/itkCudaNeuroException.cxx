// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "itkCudaNeuroException.h"

namespace itk
{

CudaNeuroException::CudaNeuroException(const char *        file,
                                       unsigned int        line,
                                       const std::string & call,
                                       const std::string & reason)
  : ExceptionObject(file, line, (call + " failed: " + reason).c_str(), call.c_str())
  , m_Call(call)
  , m_Reason(reason)
{}

CudaNeuroException::CudaNeuroException(const CudaNeuroException &) noexcept = default;

CudaNeuroException &
CudaNeuroException::operator=(const CudaNeuroException &) noexcept = default;

CudaNeuroException::~CudaNeuroException() = default;

const char *
CudaNeuroException::GetNameOfClass() const
{
  return "CudaNeuroException";
}

const std::string &
CudaNeuroException::GetCall() const
{
  return m_Call;
}

const std::string &
CudaNeuroException::GetReason() const
{
  return m_Reason;
}

SizeValueType
CudaNeuroException::GetBytesNeeded() const
{
  return m_BytesNeeded;
}

SizeValueType
CudaNeuroException::GetBytesAvailable() const
{
  return m_BytesAvailable;
}

void
CudaNeuroException::SetBytes(SizeValueType needed, SizeValueType available)
{
  m_BytesNeeded = needed;
  m_BytesAvailable = available;
}

} // namespace itk
