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

  /** Notes the energies of each level, and all iterations as columns. */
  void
  SetIterations(const std::vector<cudaneuro::RegistrationIteration> & iterations);

  /** Notes how many outliers of the images the filter has repaired. */
  template <typename TFilter>
  void
  SetOutliers(const TFilter & filter)
  {
    this->Set("/outliers/fixed", static_cast<std::uint64_t>(filter.GetNumberOfFixedOutliers()));
    this->Set("/outliers/moving", static_cast<std::uint64_t>(filter.GetNumberOfMovingOutliers()));
  }

  /** Notes those of the alignment. */
  void
  SetIterations(const std::vector<cudaneuro::LinearRegistrationIteration> & iterations);

  /** Notes the energies of several channels, of each iteration, too, without their weights. */
  void
  SetChannels(const std::vector<cudaneuro::RegistrationIteration> & iterations, const std::vector<double> & final);
  /** The same for the terms of points and of labels. */
  void
  SetPoints(const std::vector<cudaneuro::RegistrationIteration> & iterations, double final);
  void
  SetLabels(const std::vector<cudaneuro::RegistrationIteration> & iterations, double final);

  /** Notes the distances of pairs of points, in mm: their number, how they were paired, mean, median and largest, and
   * each.
   * \param aligned after an alignment; empty without one */
  void
  SetPointDistances(const RegisterPoints &      points,
                    const std::vector<double> & before,
                    const std::vector<double> & aligned,
                    const std::vector<double> & after);

  /** \throws UserError, which names quality and threshold, where there was an alignment and it found nothing. */
  void
  RequireSuccess() const;

  /** Notes the overlap "before" or "after" registration, or between alignment and deformation, "aligned". */
  void
  SetOverlap(const std::string & when, const LabelOverlap & overlap);
  /** Notes the overlap of segments, by their names. */
  void
  SetSegmentOverlap(const std::string & when, const std::map<std::string, double> & dice);

  /** Notes the distances of labels, null for one that is in one image alone. */
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
  /** The values of a comparison of labels, as "0.5 before, 0.8 after". */
  std::string
  InOrder(const std::string & comparison, const std::string & value) const;
};

#endif
