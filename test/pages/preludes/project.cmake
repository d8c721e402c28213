# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
cmake_minimum_required(VERSION 3.22.1...3.29.0)
project(PageProject LANGUAGES C CXX)
