// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0

// Registers two images of heads from many random starts, and counts the successes: linear_robustness FIXED MOVING
// [options] The images are aligned by their headers, or by the transform of --truth. A start is that alignment followed
// by a random rotation and shift; a success is a mean error at the corners of the fixed image's head below --tolerance.
// Prints a row of the table of Documentation/linear-robustness.md.
#include "Experiment.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

int
main(int argc, char * argv[])
{
  Options  options;
  CLI::App app("Counts the successes of linear registration from random starts");
  AddOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  try
  {
    SetParameters(options);
    Experiment             experiment(options);
    const std::vector<Run> runs = experiment.RunAll();
    const Summary          summary(runs, options.tolerance);
    std::cout << summary.TableRow(options.title, cudaneuro::qualityOfSuccess) << std::flush;
    if (!options.json.empty())
    {
      nlohmann::ordered_json json{ { "command", std::vector<std::string>(argv, argv + argc) },
                                   { "summary", summary.ToJson(cudaneuro::qualityOfSuccess) } };
      for (const Run & run : runs)
      {
        json["runs"].push_back(ToJson(run));
      }
      std::ofstream(options.json) << json.dump(1) << '\n';
    }
    return EXIT_SUCCESS;
  }
  catch (const std::exception & error)
  {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
