// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#include "shared/registration/AlignmentReports.h"

#include "cudaneuro/LinearRegistration.h"
#include "shared/FirstOf.h"
#include "shared/Messages.h"

#include <iomanip>
#include <sstream>

std::vector<std::vector<double>>
MatrixRowsOf(const cudaneuro::AffineMap & map, unsigned int dimension)
{
  std::vector<std::vector<double>> rows;
  for (std::size_t row = 0; row < dimension; ++row)
  {
    const double * const begin = map.matrix.data() + 3 * row;
    rows.emplace_back(begin, begin + dimension);
  }
  return rows;
}

std::vector<double>
OffsetOf(const cudaneuro::AffineMap & map, unsigned int dimension)
{
  return { map.offset.begin(), map.offset.begin() + dimension };
}

std::string
ReasonOfFailure(double quality)
{
  std::ostringstream text;
  text << std::setprecision(2) << "quality " << quality << ", success from " << cudaneuro::qualityOfSuccess;
  return text.str();
}

void
UntrustedAlignments::Add(const std::string & name, const std::string & reason)
{
  m_Descriptions.push_back(name + ": " + reason);
}

void
UntrustedAlignments::AddFrom(const std::string & name, const Report::Json & report)
{
  const Report::Json::json_pointer reason("/alignment/reason");
  if (report.contains(reason))
  {
    this->Add(name, report.at(reason).get<std::string>());
  }
}

void
UntrustedAlignments::Warn(std::size_t numberOfAlignments, const std::string & report) const
{
  if (m_Descriptions.empty())
  {
    return;
  }
  std::ostringstream text;
  text << m_Descriptions.size() << " of " << numberOfAlignments
       << (numberOfAlignments == 1 ? " alignment" : " alignments") << " cannot be trusted (" << FirstOf(m_Descriptions)
       << ")" << (report.empty() ? "" : ": see ") << report;
  PrintWarning(text.str());
}
