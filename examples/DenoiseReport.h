// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef DenoiseReport_h
#define DenoiseReport_h

#include "Report.h"

/** What was done to a file. */
class DenoiseReport : public Report
{
public:
  void
  Print() const override;
};

#endif
