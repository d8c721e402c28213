// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_AlignmentReports_h
#define apps_shared_registration_AlignmentReports_h

#include "cudaneuro/Geometry.h"
#include "shared/Report.h"

#include <string>
#include <vector>

/** Linear maps for reports, with as many axes as an image. */

std::vector<std::vector<double>>
MatrixRowsOf(const cudaneuro::AffineMap & map, unsigned int dimension);

/** Returns the offset in mm along the axes of space (LPS). */
std::vector<double>
OffsetOf(const cudaneuro::AffineMap & map, unsigned int dimension);

/** Returns, for reports, why an alignment of a quality is no success. */
std::string
ReasonOfFailure(double quality);

/** The unsuccessful alignments of a run that went on with them. Its last line names them, because their warnings may be
 * far above. */
class UntrustedAlignments
{
public:
  void
  Add(const std::string & name, const std::string & reason);

  /** Adds the alignment of a report of cudaneuro-register, if it has an unsuccessful one. */
  void
  AddFrom(const std::string & name, const Report::Json & report);

  /** Prints a warning of one line with the names of the first few; nothing if there are none.
   * \param numberOfAlignments all alignments of the run
   * \param report the file with the details; empty if there is none */
  void
  Warn(std::size_t numberOfAlignments, const std::string & report) const;

private:
  std::vector<std::string> m_Descriptions;
};

#endif
