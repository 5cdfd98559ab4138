// How large a world is, which way is up, and where to look at it from: by bodies that move, and not
// by those few that have flown away.
import * as THREE from "three";
import type { World } from "../data/world";
import { markSize, radiusOf } from "./shapes";

export interface WorldSize {
  centre: THREE.Vector3;
  radius: number; // of what is to be seen
  body: number; // median size of a body that moves, for marks on it
  up: THREE.Vector3;
  eye: THREE.Vector3; // direction to look from
}

function quantile(values: number[], share: number): number {
  if (values.length === 0) return 0;
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(share * values.length))];
}

export function sizeOf(world: World, gravity: number[], frame: number): WorldSize {
  const { position, body } = world.columns;
  const radii = new Float32Array(world.bodies + 1);
  for (const shape of world.shapes) {
    const reach = Math.hypot(...shape.position) + radiusOf(shape);
    if (!shape.fixed) radii[shape.body] = Math.max(radii[shape.body], reach);
  }
  const movable = (number: number) => world.mass[number - 1] > 0;
  const axes: number[][] = [[], [], []];
  const entries = world.frames > 0 ? world.poses(world.frame(frame)) : new Int32Array();
  entries.forEach((entry, number) => {
    if (entry < 0 || !movable(number)) return;
    for (let k = 0; k < 3; ++k) {
      const value = position[3 * entry + k];
      if (Number.isFinite(value)) axes[k].push(value - radii[number], value + radii[number]);
    }
  });
  if (axes[0].length === 0) { // nothing moves: all there is
    for (let i = 0; i < body.length; ++i) {
      for (let k = 0; k < 3; ++k) axes[k].push(position[3 * i + k]);
    }
  }
  const low = axes.map((values) => quantile(values, 0.01));
  const high = axes.map((values) => quantile(values, 0.99));
  const extent = high.map((value, k) => value - low[k]);
  const sizes = world.shapes.filter((shape) => !shape.fixed && movable(shape.body)).map(markSize)
    .filter((size) => size > 0);
  const up = new THREE.Vector3(-gravity[0], -gravity[1], -gravity[2]);
  if (!(up.length() > 0) || !Number.isFinite(up.length())) up.set(0, 1, 0);
  up.normalize();
  // From where the world is widest, somewhat aside and above.
  const across = [0, 1, 2].filter((k) => Math.abs(up.getComponent(k)) < 0.5);
  const thin = extent[across[0]] < extent[across[1]] ? across[0] : across[1];
  const wide = thin === across[0] ? across[1] : across[0];
  const eye = up.clone().multiplyScalar(0.42);
  eye.setComponent(thin, eye.getComponent(thin) + 1);
  eye.setComponent(wide, eye.getComponent(wide) + 0.55);
  const radius = Math.hypot(...extent) / 2;
  return {
    centre: new THREE.Vector3(...[0, 1, 2].map((k) => (low[k] + high[k]) / 2)),
    radius: radius > 0 && Number.isFinite(radius) ? radius : 1,
    body: quantile(sizes, 0.5) || (radius > 0 ? 0.1 * radius : 0.1),
    up, eye: eye.normalize(),
  };
}
