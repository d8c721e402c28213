// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseReport_h
#define apps_denoise_DenoiseReport_h

#include "shared/Report.h"

/** What was done to a file. */
class DenoiseReport : public Report
{
public:
  void
  Print() const override;
};

#endif
