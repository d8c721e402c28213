// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_denoise_DenoiseReport_h
#define apps_denoise_DenoiseReport_h

#include "shared/Report.h"

/** Reports how a file was denoised. */
class DenoiseReport : public Report
{
public:
  void
  Print() const override;
};

#endif
