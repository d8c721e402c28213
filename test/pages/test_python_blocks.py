# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
"""The pages' blocks of Python, with the ITK and this module that Python finds.

A block that needs a GPU runs on it with PyTorch. Where there is none, it runs on the CPU with NumPy in PyTorch's place, so
that names and arguments are tested, and is reported as skipped.
"""

import sys
import unittest

import pages
import run_block

# ITK imports torch, too, and asks whether an argument is a Tensor.
NUMPY_AS_TORCH = """import numpy
class Tensor:
    pass
def rand(*shape, device):
    return numpy.random.default_rng(1).random(shape, numpy.float32)
from_dlpack = numpy.from_dlpack
"""


def has_torch_on_a_gpu():
    try:
        import torch
    except ImportError:
        return False
    return torch.cuda.is_available()


class PythonBlocks(unittest.TestCase):
    pass


def run(test, block):
    command = [sys.executable, "-c", block.code]
    if "needs" not in block.mark or has_torch_on_a_gpu():
        run_block.run_block(test, block, command)
        return
    # Python first looks for modules in the folder in which it starts.
    run_block.run_block(test, block, command, {"torch.py": NUMPY_AS_TORCH}, CUDANEURO_DEVICE="cpu")
    test.skipTest("there is no PyTorch with a CUDA device; the block ran on the CPU, with NumPy in its place")


run_block.add_tests(PythonBlocks, pages.blocks("python"), run)

if __name__ == "__main__":
    unittest.main()
