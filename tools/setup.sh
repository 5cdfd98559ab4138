# Sourced by ./run, ./test and .ci/run: installs what is missing, configures, builds, counts tests.
# The caller has changed to the root of the repository.

# Debian and Ubuntu packages; the only list of them.
packages=(
  build-essential cmake ninja-build pkg-config
  libeigen3-dev libfmt-dev libhwy-dev libtbb-dev libcli11-dev nlohmann-json3-dev libhdf5-dev zlib1g-dev
  libdeflate-dev libbullet-dev
  libgtest-dev libbenchmark-dev python3 python3-h5py gnuplot-nox
  libopenmpi-dev openmpi-bin
  pybind11-dev python3-dev python3-numpy python3-scipy python3-pytest python3-matplotlib
)
ci_packages=(clang-format clang-tidy git)
viewer_packages=(chromium)  # and nodejs and npm where there is no node yet

# install_packages PACKAGE...: does nothing, quickly, where all are there.
install_packages() {
  if ! command -v apt-get dpkg-query >/dev/null; then
    echo "Not a Debian or Ubuntu system; going on with what is here. Needed, by Debian's names: $*"
    return
  fi
  local installed missing=() package as_root=()
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package; do
    grep -qx "installed $package" <<<"$installed" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      echo "Neither root nor sudo; going on without these packages: ${missing[*]}"
      return
    fi
    as_root=(sudo)
  fi
  echo "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends -o Dpkg::Use-Pty=0 "${missing[@]}" >/dev/null
}

# build PRESET [CMAKE_ARGUMENT...]: configures and builds. On a terminal one sees it go on, elsewhere
# only what went wrong. Further arguments for CMake may stand in NONSMOOTH_CMAKE_ARGS.
build() {
  local preset=$1
  shift
  # An existing build folder keeps its generator whatever these say.
  if [[ -z ${CMAKE_GENERATOR:-} ]] && command -v ninja >/dev/null; then
    export CMAKE_GENERATOR=Ninja
  fi
  if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  # shellcheck disable=SC2086  # split into words on purpose
  cmake --preset "$preset" --log-level=WARNING ${NONSMOOTH_CMAKE_ARGS:-} "$@" >/dev/null
  local command=(cmake --build --preset "$preset" --parallel "$(jobs_at_once)") log
  if [[ -t 1 ]]; then
    "${command[@]}"
  else
    log=$("${command[@]}" 2>&1) || { echo "$log"; return 1; }
    grep -A4 'warning:' <<<"$log" || true
  fi
}

jobs_at_once() { nproc 2>/dev/null || getconf _NPROCESSORS_ONLN; }

# count_tests JUNIT_FILE...: prints "N passed, N failed", with ", N skipped" if there are any;
# false if any failed or none passed. A test that could not be started has failed.
count_tests() {
  awk '
    /<testcase .*status="run"/      { ++passed }
    /<testcase .*status="fail"/     { ++failed }
    /<testcase .*status="disabled"/ { ++skipped }
    /<skipped message=/             { if (/"SKIP_/) ++skipped; else ++failed }
    END {
      printf "%d passed, %d failed", passed, failed
      if (skipped) printf ", %d skipped", skipped
      print ""
      exit !(passed > 0 && failed == 0)
    }' "$@"
}
