// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_registration_MetricOption_h
#define apps_shared_registration_MetricOption_h

#include "cudaneuro/RegistrationMetric.h"
#include "shared/ParameterOptions.h"

#include <string>
#include <vector>

/** Adds --metric.
 * \param parameters RegistrationParameters, or LinearMetricParameters
 * \param metrics of the command, in the order of \p help */
template <typename TParameters>
void
AddMetric(CLI::App &                                         app,
          OptionModes *                                      modes,
          TParameters &                                      parameters,
          const std::vector<cudaneuro::RegistrationMetric> & metrics,
          const std::string &                                help,
          const std::string &                                group)
{
  AddEnumParameter(app, modes, parameters, &TParameters::metric, ChoiceOf(metrics), { group, "", help });
}

#endif
