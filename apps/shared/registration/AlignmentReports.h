// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_AlignmentReports_h
#define apps_shared_registration_AlignmentReports_h

#include "cudaneuro/Geometry.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Linear maps as reports have them: with as many axes as an image has. */

std::vector<std::vector<double>>
MatrixRowsOf(const cudaneuro::AffineMap & map, unsigned int dimension);

/** In mm along the axes of space (LPS). */
std::vector<double>
OffsetOf(const cudaneuro::AffineMap & map, unsigned int dimension);

/** Why an alignment of this quality is no success, for reports. */
std::string
ReasonOfFailure(double quality);

/** The alignments of a run that are no success, though the run went on with them. Its last line tells them, since
 * the warning that each gave when it was found may be far above. */
class UntrustedAlignments
{
public:
  void
  Add(const std::string & name, const std::string & reason);

  /** Adds the alignment of a report of cudaneuro-register, where it has one that is no success. */
  void
  AddFrom(const std::string & name, const Report::Json & report);

  /** Prints a warning of one line, with the names of the first few; nothing where there are none.
   * \param numberOfAlignments those of the run, with the ones that can be trusted
   * \param report the file that has more; empty where there is none */
  void
  Warn(std::size_t numberOfAlignments, const std::string & report) const;

private:
  std::vector<std::string> m_Descriptions;
};

#endif
