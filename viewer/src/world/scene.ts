// The world with one solution in it: bodies, contacts, the chains that forces run along, joints.
import * as THREE from "three";
import { Kind, State, type Frame, type Solution, type World } from "../data/world";
import type { ColourBy, Picked } from "../state";
import { impulseColour, kNeutral, kStates, type JouleScale, type Rgb } from "../ui/palette";
import { batches, radiusOf, scaleOf, kPlaneReach } from "./shapes";
import { Marks } from "./marks";
import type { WorldSize } from "./size";

export interface Look {
  colourBy: ColourBy;
  forces: boolean;
  joints: boolean;
  contacts: boolean;
  opacity: number;
  scale: JouleScale;
  picked: Picked;
  dark: boolean;
}

interface BodyMesh {
  mesh: THREE.InstancedMesh;
  bodies: number[];
  local: THREE.Matrix4[];
  fixed: boolean[];
  ground: boolean[];
}

const kHighlight = 0x00b3ff;
const kGround: Record<"light" | "dark", Rgb> = { light: [0.86, 0.87, 0.89], dark: [0.2, 0.22, 0.25] };

export class WorldScene {
  readonly scene = new THREE.Scene();
  readonly meshes: BodyMesh[] = [];
  private readonly marks: Marks;
  private readonly outline = new THREE.Group();

  constructor(private readonly world: World, readonly size: WorldSize) {
    const reach = kPlaneReach * size.radius;
    const isGround = (shape: (typeof world.shapes)[number]) =>
      shape.kind === "plane" || radiusOf(shape) > 3 * size.radius;
    for (const batch of batches(world.shapes, isGround)) {
      const material = new THREE.MeshLambertMaterial({
        map: batch.map, side: batch.flat ? THREE.DoubleSide : THREE.FrontSide,
      });
      const mesh = new THREE.InstancedMesh(batch.geometry, material, batch.shapes.length);
      mesh.frustumCulled = false;
      mesh.instanceColor = new THREE.InstancedBufferAttribute(
        new Float32Array(3 * batch.shapes.length).fill(1), 3);
      this.scene.add(mesh);
      this.meshes.push({
        mesh,
        bodies: batch.shapes.map((shape) => shape.body),
        fixed: batch.shapes.map((shape) => shape.fixed),
        ground: batch.shapes.map(isGround),
        local: batch.shapes.map((shape) => {
          const [w, x, y, z] = shape.quaternion;
          return new THREE.Matrix4().compose(
            new THREE.Vector3(...shape.position), new THREE.Quaternion(x, y, z, w),
            new THREE.Vector3(...scaleOf(shape, reach)));
        }),
      });
    }
    this.marks = new Marks(world, size);
    this.scene.add(this.marks.group, this.outline);
    const sky = new THREE.HemisphereLight(0xffffff, 0x8d96a3, 2.1);
    sky.position.copy(size.up);
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.copy(size.eye).addScaledVector(size.up, 1.2)
      .add(new THREE.Vector3().crossVectors(size.up, size.eye).multiplyScalar(0.7));
    this.scene.add(sky, sun);
  }

  update(frame: Frame, poses: Int32Array, solution: Solution, look: Look): void {
    this.scene.background = new THREE.Color(look.dark ? 0x14181d : 0xf4f6f8);
    const colours = this.bodyColours(frame, solution, look);
    const pose = new THREE.Matrix4();
    const matrix = new THREE.Matrix4();
    for (const entry of this.meshes) {
      const material = entry.mesh.material as THREE.MeshLambertMaterial;
      const see = look.opacity < 1;
      if (material.transparent !== see) { material.transparent = see; material.needsUpdate = true; }
      material.opacity = look.opacity;
      material.depthWrite = !see;
      entry.bodies.forEach((body, k) => {
        if (entry.fixed[k]) matrix.copy(entry.local[k]);
        else if (!this.pose(poses[body], pose)) matrix.makeScale(0, 0, 0);
        else matrix.multiplyMatrices(pose, entry.local[k]);
        entry.mesh.setMatrixAt(k, matrix);
        const rgb = entry.ground[k] ? kGround[look.dark ? "dark" : "light"] : colours[body] ?? kNeutral;
        entry.mesh.setColorAt(k, new THREE.Color().setRGB(...rgb, THREE.SRGBColorSpace));
      });
      entry.mesh.instanceMatrix.needsUpdate = true;
      entry.mesh.instanceColor!.needsUpdate = true;
      entry.mesh.boundingSphere = null;
    }
    this.marks.update(frame, poses, solution, look);
    this.highlight(look.picked);
  }

  private pose(entry: number, to: THREE.Matrix4): boolean {
    if (entry < 0) return false;
    const p = this.world.columns.position;
    const q = this.world.columns.quaternion;
    if (!Number.isFinite(p[3 * entry] + p[3 * entry + 1] + p[3 * entry + 2])) return false;
    const rotation = new THREE.Quaternion(q[4 * entry + 1], q[4 * entry + 2], q[4 * entry + 3],
      q[4 * entry]).normalize();
    to.compose(new THREE.Vector3(p[3 * entry], p[3 * entry + 1], p[3 * entry + 2]), rotation,
      new THREE.Vector3(1, 1, 1));
    return true;
  }

  /** By the joules of a body's worst contact or joint, or neutral; bodies that rest are paler. */
  private bodyColours(frame: Frame, solution: Solution, look: Look): Rgb[] {
    const { columns, bodies } = this.world;
    const colours: Rgb[] = [];
    const { worst } = this.world.bodyJoules(frame, solution);
    const present = new Set<number>();
    for (let i = frame.bodies[0]; i < frame.bodies[1]; ++i) present.add(columns.body[i]);
    for (let body = 1; body <= bodies; ++body) {
      const rgb = look.colourBy === "joules" && solution.known[frame.index]
        ? look.scale.colour(worst[body]) : kNeutral;
      colours[body] = present.has(body) ? rgb
        : rgb.map((c, k) => 0.35 * c + 0.65 * kGround[look.dark ? "dark" : "light"][k]) as Rgb;
    }
    return colours;
  }

  private highlight(picked: Picked): void {
    for (const child of [...this.outline.children]) {
      this.outline.remove(child);
      ((child as THREE.Mesh).material as THREE.Material).dispose();
    }
    if (picked?.kind !== "body") return;
    for (const { mesh, bodies, ground } of this.meshes) {
      bodies.forEach((body, k) => {
        if (body !== picked.body || ground[k]) return;
        const shell = new THREE.Mesh(mesh.geometry,
          new THREE.MeshBasicMaterial({ color: kHighlight, side: THREE.BackSide }));
        mesh.getMatrixAt(k, shell.matrix);
        shell.matrix.scale(new THREE.Vector3(1.07, 1.07, 1.07));
        shell.matrixAutoUpdate = false;
        this.outline.add(shell);
      });
    }
  }
}

export function groupColour(world: World, group: number, solution: Solution, look: Look,
                            mostImpulse: number): Rgb {
  if (look.colourBy === "state") return kStates[solution.state[group] as State].colour;
  if (look.colourBy === "joules") return look.scale.colour(solution.joules[group]);
  return impulseColour(mostImpulse > 0 ? world.impulse(group, solution) / mostImpulse : 0);
}

export function isContact(world: World, group: number): boolean {
  return world.columns.kind[group] === Kind.contact;
}
