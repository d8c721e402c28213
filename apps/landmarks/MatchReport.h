// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_landmarks_MatchReport_h
#define apps_landmarks_MatchReport_h

#include "shared/Report.h"

/** Reports how landmarks were matched. */
class MatchReport : public Report
{
public:
  void
  Print() const override;
};

#endif
