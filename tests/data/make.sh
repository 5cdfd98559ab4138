#!/usr/bin/env bash
# tests/data/make.sh [FOLDER OF PROGRAMS]: makes the files of this folder anew.
set -euo pipefail
bin=$(cd "${1:-build/bin}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"

"$bin/record" balls.h5 --scene balls --balls 10 --steps 36
"$bin/record" balls_float32.h5 --scene balls --balls 10 --steps 36 --law coupled_box --float32
"$bin/record" chain.h5 --scene chain --balls 6 --steps 40
"$bin/record" rolling.h5 --scene rolling --balls 6 --steps 24

"$bin/nonsmooth" convert balls.h5 balls.fclib-local.hdf5 --steps 30
"$bin/nonsmooth" convert chain.h5 chain.fclib-global.hdf5 --steps 39
"$bin/nonsmooth" convert chain.h5 chain.lu.h5 --steps 30:33
"$bin/nonsmooth" convert balls.h5 balls.ode.h5 --steps 28:31
