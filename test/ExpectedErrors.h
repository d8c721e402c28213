// SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
// SPDX-License-Identifier: Apache-2.0
#ifndef ExpectedErrors_h
#define ExpectedErrors_h

#include "cudaneuro/Error.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

/** The error that \p body throws. Where it throws none, the test ends with a failure. */
template <typename TError, typename TBody>
TError
ErrorOf(const TBody & body)
{
  try
  {
    body();
  }
  catch (const TError & error)
  {
    return error;
  }
  throw std::logic_error("an error was expected, and none was thrown");
}

/** What an InvalidParameterError of \p body says; empty where nothing is thrown. */
template <typename TBody>
std::string
RefusalOf(const TBody & body)
{
  try
  {
    body();
  }
  catch (const cudaneuro::InvalidParameterError & error)
  {
    return error.what();
  }
  return {};
}

/** Expects an InvalidParameterError that says these words. */
template <typename TBody>
void
ExpectRefused(const TBody & body, const std::string & words)
{
  const std::string message = RefusalOf(body);
  EXPECT_NE(message.find(words), std::string::npos) << "it should say \"" << words << "\", and says: " << message;
}

/** Expects an InvalidParameterError whose message has the parameter's name and its value. */
template <typename TBody>
void
ExpectInvalidParameter(const TBody & body, const std::string & name, const std::string & value)
{
  const std::string message = RefusalOf(body);
  EXPECT_NE(message.find(name + " is " + value), std::string::npos) << name << " of " << value << ": " << message;
  EXPECT_NE(message.find("must be"), std::string::npos) << message;
}

#endif
