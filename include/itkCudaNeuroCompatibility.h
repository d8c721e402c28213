// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef itkCudaNeuroCompatibility_h
#define itkCudaNeuroCompatibility_h

#include "itkMacro.h"

/** ITK 5.2 and 5.3 lack this macro of ITK 5.4. */
#ifndef itkOverrideGetNameOfClassMacro
#  define itkOverrideGetNameOfClassMacro(thisClass) \
    const char * GetNameOfClass() const override \
    { \
      return #thisClass; \
    } \
    static_assert(true, "so that a semicolon follows")
#endif

#endif
