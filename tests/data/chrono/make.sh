#!/usr/bin/env bash
# tests/data/chrono/make.sh [FOLDER OF PROGRAMS]: makes the files of this folder anew. Needs Chrono.
set -euo pipefail
bin=$(cd "${1:-build/bin}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
whole=$(mktemp -d)
trap 'rm -rf "$whole"' EXIT

# make SCENE STEPS FLAG...: runs the demo and keeps some of its steps.
make() {
  local scene=$1 steps=$2
  shift 2
  "$bin/chrono_$scene" --quiet --capture "$whole/$scene.h5" "$@"
  "$bin/nonsmooth" convert "$whole/$scene.h5" "$scene.h5" --steps "$steps"
}

make brick_wall 98:99 --solver engine:psor --dt 0.01 --steps 100
make spheres_in_box 70:80 --solver engine:psor --dt 0.01 --steps 80
make log_pile 60:61 --solver engine:psor --dt 0.01 --steps 61 --bodies 20
make mass_ratio 24:30 --solver engine:psor --dt 0.01 --steps 30
make chain 395:400 --solver engine:psor --dt 0.001 --steps 400
make gripper 115:120 --solver engine:psor --dt 0.01 --steps 120
make shaker 100:101 --solver engine:psor --steps 101 --bodies 120
make slider_crank 894:900 --solver psor --iterations 300 --steps 900
