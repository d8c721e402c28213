// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_CommandLine_h
#define apps_shared_CommandLine_h

/** The names of CLI11 that headers need. Only sources that add or read options include CLI11 itself, because it takes
 * seconds to compile. */
namespace CLI
{
class App;
class Option;
class Validator;
} // namespace CLI

#endif
