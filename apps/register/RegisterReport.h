// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_RegisterReport_h
#define apps_register_RegisterReport_h

#include "itkCudaFluidRegistrationFilter.h"
#include "register/LabelOverlap.h"
#include "shared/Report.h"

/** Reports how two files were registered. */
class RegisterReport : public Report
{
public:
  void
  Print() const override;

  /** Notes the energies of each level, and all iterations as columns. */
  void
  SetIterations(const std::vector<cudaneuro::RegistrationIteration> & iterations);

  /** Notes the overlap "before" or "after" registration. */
  void
  SetOverlap(const std::string & when, const LabelOverlap & overlap);
};

#endif
