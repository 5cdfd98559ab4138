// Geometry of bodies. What is equal is drawn in one go: unit shapes that are scaled, capsules by
// their proportions, hulls and meshes one by one.
import * as THREE from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import type { Shape } from "../data/world";

/** Half an edge of what stands for a plane, in multiples of the world's size. */
export const kPlaneReach = 6;

function pattern(draw: (context: CanvasRenderingContext2D, size: number) => void): THREE.Texture {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 128;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, 128, 128);
  draw(context, 128);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.anisotropy = 4;
  return texture;
}

/** A darker rim, so that bricks in a wall stand apart. */
const rim = (context: CanvasRenderingContext2D, size: number) => {
  context.strokeStyle = "#5a6470";
  context.lineWidth = 5;
  context.strokeRect(0, 0, size, size);
};
/** Lighter and darker quarters, so that one sees a ball turn. */
const quarters = (context: CanvasRenderingContext2D, size: number) => {
  context.fillStyle = "#dfe3e8";
  for (const k of [0, 2]) context.fillRect((k * size) / 4, 0, size / 4, size);
};

export interface Batch {
  geometry: THREE.BufferGeometry;
  map: THREE.Texture | null;
  shapes: Shape[];
  flat: boolean; // seen from both sides: planes and open meshes
}

function along(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
  return geometry.rotateX(Math.PI / 2); // three's axis is y, ours z
}

function soup(shape: Shape): THREE.BufferGeometry {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(shape.points!, 3));
  geometry.setIndex(new THREE.BufferAttribute(shape.triangles!, 1));
  const faceted = geometry.toNonIndexed();
  faceted.computeVertexNormals();
  return faceted;
}

function hull(shape: Shape): THREE.BufferGeometry {
  const points: THREE.Vector3[] = [];
  const p = shape.points ?? new Float32Array();
  for (let i = 0; i + 2 < p.length; i += 3) points.push(new THREE.Vector3(p[i], p[i + 1], p[i + 2]));
  try {
    if (points.length > 3) return new ConvexGeometry(points);
  } catch { /* flat or degenerate: shown as a box */ }
  const box = new THREE.Box3().setFromPoints(points.length ? points : [new THREE.Vector3()]);
  const size = box.getSize(new THREE.Vector3()).addScalar(1e-4);
  const centre = box.getCenter(new THREE.Vector3());
  return new THREE.BoxGeometry(size.x, size.y, size.z).translate(centre.x, centre.y, centre.z);
}

function make(shape: Shape): THREE.BufferGeometry {
  switch (shape.kind) {
    case "sphere": return along(new THREE.SphereGeometry(1, 24, 16));
    case "box": return new THREE.BoxGeometry(1, 1, 1);
    case "capsule": return along(new THREE.CapsuleGeometry(1, shape.size[1] / shape.size[0], 8, 20));
    case "cylinder": return along(new THREE.CylinderGeometry(1, 1, 1, 28));
    case "cone": return along(new THREE.ConeGeometry(1, 1, 28));
    case "plane": return new THREE.PlaneGeometry(2, 2);
    case "triangle_mesh": return shape.points && shape.triangles ? soup(shape) : hull(shape);
    default: return hull(shape);
  }
}

/** Shapes of one batch share their geometry; grounds are drawn without a rim. */
function key(shape: Shape, index: number, ground: boolean): string {
  if (ground && shape.kind === "box") return "ground";
  if (shape.kind === "capsule") return `capsule ${(shape.size[1] / shape.size[0]).toPrecision(5)}`;
  if (shape.kind === "convex_hull" || shape.kind === "triangle_mesh") return `own ${index}`;
  return shape.kind;
}

/** Scale of the unit shape. */
export function scaleOf(shape: Shape, reach: number): [number, number, number] {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case "sphere": case "capsule": return [a, a, a];
    case "box": return [a, b, c];
    case "cylinder": case "cone": return [a, a, b];
    case "plane": return [reach, reach, 1];
    default: return [1, 1, 1];
  }
}

/** Radius of a ball around the shape's origin that holds it; a plane has none. */
export function radiusOf(shape: Shape): number {
  const [a, b, c] = shape.size;
  switch (shape.kind) {
    case "sphere": return a;
    case "box": return Math.hypot(a, b, c) / 2;
    case "capsule": return a + b / 2;
    case "cylinder": case "cone": return Math.hypot(a, b / 2);
    case "plane": return 0;
    default: {
      let most = 0;
      const p = shape.points ?? new Float32Array();
      for (let i = 0; i + 2 < p.length; i += 3) most = Math.max(most, Math.hypot(p[i], p[i + 1], p[i + 2]));
      return most;
    }
  }
}

/** Half of what a shape measures where it is thinnest. */
function thinnest(shape: Shape): number {
  const [a, b, c] = shape.size;
  if (shape.kind === "box") return Math.min(a, b, c) / 2;
  return ["capsule", "cylinder", "cone"].includes(shape.kind) ? a : radiusOf(shape);
}

/** Between how thin a shape is and how far it reaches: what marks on it are measured by. */
export function markSize(shape: Shape): number { return Math.sqrt(thinnest(shape) * radiusOf(shape)); }

export function batches(shapes: Shape[], isGround: (shape: Shape) => boolean): Batch[] {
  const maps = { box: pattern(rim), sphere: pattern(quarters) };
  const found = new Map<string, Batch>();
  shapes.forEach((shape, index) => {
    const name = key(shape, index, isGround(shape));
    let batch = found.get(name);
    if (!batch) {
      const map = name === "box" ? maps.box
        : ["sphere", "capsule", "cylinder"].includes(shape.kind) ? maps.sphere : null;
      batch = { geometry: make(shape), map, shapes: [],
                flat: shape.kind === "plane" || shape.kind === "triangle_mesh" };
      found.set(name, batch);
    }
    batch.shapes.push(shape);
  });
  return [...found.values()];
}
