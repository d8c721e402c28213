// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_register_inputs_RegisterReport_h
#define apps_register_inputs_RegisterReport_h

#include "cudaneuro/LinearRegistration.h"
#include "cudaneuro/Registration.h"
#include "register/labels/LabelDistances.h"
#include "register/labels/LabelOverlap.h"
#include "register/inputs/RegisterPoints.h"
#include "shared/Report.h"

/** Reports how two files were registered. */
class RegisterReport : public Report
{
public:
  void
  Print() const override;

  /** Reports the energies of each level, and all iterations as columns. */
  void
  SetIterations(const std::vector<cudaneuro::RegistrationIteration> & iterations);

  /** Reports the number of outliers that the filter has repaired. */
  template <typename TFilter>
  void
  SetOutliers(const TFilter & filter)
  {
    this->Set("/outliers/fixed", static_cast<std::uint64_t>(filter.GetNumberOfFixedOutliers()));
    this->Set("/outliers/moving", static_cast<std::uint64_t>(filter.GetNumberOfMovingOutliers()));
  }

  /** Reports the iterations of the alignment. */
  void
  SetIterations(const std::vector<cudaneuro::LinearRegistrationIteration> & iterations);

  /** Reports the energies of several channels without their weights, also of each iteration. */
  void
  SetChannels(const std::vector<cudaneuro::RegistrationIteration> & iterations, const std::vector<double> & final);
  /** The same for the terms of points and of labels. */
  void
  SetPoints(const std::vector<cudaneuro::RegistrationIteration> & iterations, double final);
  void
  SetLabels(const std::vector<cudaneuro::RegistrationIteration> & iterations, double final);

  /** Reports the distances of pairs of points, in mm: their number, how they were paired, mean, median and largest, and
   * each distance.
   * \param aligned after an alignment; empty without one */
  void
  SetPointDistances(const RegisterPoints &      points,
                    const std::vector<double> & before,
                    const std::vector<double> & aligned,
                    const std::vector<double> & after);

  /** \throws UserError that names quality and threshold, if there was an unsuccessful alignment. */
  void
  RequireSuccess() const;

  /** Reports the overlap "before" or "after" registration, or between alignment and deformation, "aligned". */
  void
  SetOverlap(const std::string & when, const LabelOverlap & overlap);
  /** Reports the overlap of segments by name. */
  void
  SetSegmentOverlap(const std::string & when, const std::map<std::string, double> & dice);

  /** Reports the distances of labels, null for a label that one image lacks. */
  void
  SetLabelDistances(const std::string & when, const LabelDistances & distances);

private:
  void
  PrintInputs() const;
  void
  PrintTerms() const;
  void
  PrintAlignment() const;
  void
  PrintOverlap() const;
  void
  PrintLabelDistances() const;
  /** Returns the values of a comparison of labels as "0.5 before, 0.8 after". */
  std::string
  InOrder(const std::string & comparison, const std::string & value) const;
};

#endif
