#!/usr/bin/env bash
# tests/data/bullet/make.sh [FOLDER OF PROGRAMS]: makes the files of this folder anew. Needs Bullet.
set -euo pipefail
bin=$(cd "${1:-build/bin}" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")"
whole=$(mktemp -d)
trap 'rm -rf "$whole"' EXIT

# make PROGRAM FILE STEPS FLAG...: runs the demo and keeps some of its steps.
make() {
  local program=$1 file=$2 steps=$3
  shift 3
  "$bin/$program" --quiet --capture "$whole/$file.h5" "$@"
  "$bin/nonsmooth" convert "$whole/$file.h5" "$file.h5" --steps "$steps"
}

make bullet_brick_wall brick_wall 99:100 --solver engine --steps 100
make bullet_spheres_in_box spheres_in_box 75:80 --solver engine:nncg --steps 80
make bullet_log_pile log_pile 60:61 --solver engine --steps 61 --bodies 20
make bullet64_mass_ratio mass_ratio 25:30 --solver engine --steps 30
make bullet64_chain chain 395:400 --solver engine --steps 400
make bullet64_gripper gripper 115:120 --solver psor --steps 120
