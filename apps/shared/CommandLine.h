// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef apps_shared_CommandLine_h
#define apps_shared_CommandLine_h

/** The names of CLI11 that headers need. CLI11 itself takes seconds of each source that includes it: those that add options
 * or look at them do. */
namespace CLI
{
class App;
class Option;
class Validator;
} // namespace CLI

#endif
