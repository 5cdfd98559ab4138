// Contacts as dots, the impulses between bodies as tubes along the line of centres, joints as rods.
import * as THREE from "three";
import { State, type Frame, type Solution, type World } from "../data/world";
import { kStates, type Rgb } from "../ui/palette";
import { groupColour, isContact, type Look } from "./scene";
import type { WorldSize } from "./size";

/** Instances of one unit geometry; memory grows with the number of them. */
class Many {
  mesh: THREE.InstancedMesh;
  private count = 0;

  constructor(private readonly group: THREE.Group, private readonly geometry: THREE.BufferGeometry,
              private readonly material: THREE.Material, private readonly order: number) {
    this.mesh = this.make(64);
  }

  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * capacity), 3);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    this.group.add(mesh);
    return mesh;
  }

  begin(capacity: number): void {
    this.count = 0;
    if (capacity <= this.mesh.instanceMatrix.count) return;
    this.group.remove(this.mesh);
    this.mesh.dispose();
    this.mesh = this.make(Math.ceil(1.3 * capacity));
  }

  add(matrix: THREE.Matrix4, [r, g, b]: Rgb): void {
    this.mesh.setMatrixAt(this.count, matrix);
    this.mesh.setColorAt(this.count++, kColour.setRGB(r, g, b, THREE.SRGBColorSpace));
  }

  end(): void {
    this.mesh.count = this.count;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
  }
}

/**
 * Discs with a rim that face the eye: one vertex each, where balls would be hundreds. Their size is a
 * radius in the world.
 */
class Discs {
  readonly points: THREE.Points;
  private count = 0;
  private place = new Float32Array(0);
  private colour = new Float32Array(0);
  private shape = new Float32Array(0); // radius, 1 if picked
  private readonly material = new THREE.ShaderMaterial({
    transparent: true, depthTest: false, depthWrite: false,
    uniforms: { height: { value: 1 }, rim: { value: new THREE.Color() }, least: { value: 2 } },
    vertexShader: `
      uniform float height; uniform float least;
      attribute vec3 tint; attribute vec2 shape;
      varying vec3 colour; varying float picked;
      void main() {
        vec4 seen = modelViewMatrix * vec4(position, 1.0);
        gl_Position = projectionMatrix * seen;
        gl_PointSize = max(least, shape.x * height * projectionMatrix[1][1] / -seen.z);
        colour = tint;
        picked = shape.y;
      }`,
    fragmentShader: `
      uniform vec3 rim;
      varying vec3 colour; varying float picked;
      void main() {
        float r = 2.0 * length(gl_PointCoord - 0.5);
        if (r > 1.0) discard;
        float inner = picked > 0.5 ? 0.55 : 0.78;
        vec3 edge = picked > 0.5 ? vec3(0.0, 0.7, 1.0) : rim;
        gl_FragColor = vec4(mix(colour, edge, smoothstep(inner - 0.08, inner, r)), 1.0);
      }`,
  });

  constructor(group: THREE.Group) {
    this.points = new THREE.Points(new THREE.BufferGeometry(), this.material);
    this.points.frustumCulled = false;
    this.points.renderOrder = 3;
    this.points.onBeforeRender = (renderer) => {
      this.material.uniforms.height.value = renderer.getCurrentViewport(new THREE.Vector4()).w;
      this.material.uniforms.least.value = 3 * renderer.getPixelRatio();
      this.material.uniformsNeedUpdate = true;
    };
    group.add(this.points);
  }

  begin(capacity: number, dark: boolean): void {
    this.count = 0;
    this.material.uniforms.rim.value.setRGB(...(dark ? [0.05, 0.06, 0.08] : [0.25, 0.28, 0.33]) as Rgb);
    if (3 * capacity <= this.place.length) return;
    const room = Math.ceil(1.3 * capacity);
    this.place = new Float32Array(3 * room);
    this.colour = new Float32Array(3 * room);
    this.shape = new Float32Array(2 * room);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(this.place, 3));
    geometry.setAttribute("tint", new THREE.BufferAttribute(this.colour, 3));
    geometry.setAttribute("shape", new THREE.BufferAttribute(this.shape, 2));
    this.points.geometry.dispose();
    this.points.geometry = geometry;
  }

  add(at: THREE.Vector3, radius: number, rgb: Rgb, picked: boolean): void {
    const k = this.count++;
    at.toArray(this.place, 3 * k);
    this.colour.set(rgb, 3 * k);
    this.shape.set([radius, picked ? 1 : 0], 2 * k);
  }

  end(): void {
    this.points.geometry.setDrawRange(0, this.count);
    for (const attribute of Object.values(this.points.geometry.attributes)) attribute.needsUpdate = true;
  }
}

const kColour = new THREE.Color();
const kUp = new THREE.Vector3(0, 1, 0);
const kTube: Record<"light" | "dark", Rgb> = { light: [0.2, 0.27, 0.36], dark: [0.62, 0.72, 0.85] };

export class Marks {
  readonly group = new THREE.Group();
  private readonly dots: Discs;
  private readonly tubes: Many;
  private readonly matrix = new THREE.Matrix4();
  private readonly quaternion = new THREE.Quaternion();

  constructor(private readonly world: World, private readonly size: WorldSize) {
    // Contacts lie between bodies: they are drawn over them.
    const over = { depthTest: false, depthWrite: false, transparent: true };
    const rod = new THREE.CylinderGeometry(1, 1, 1, 5, 1, true);
    this.tubes = new Many(this.group, rod, new THREE.MeshBasicMaterial({ ...over, opacity: 0.5 }), 1);
    this.dots = new Discs(this.group);
  }

  update(frame: Frame, poses: Int32Array, solution: Solution, look: Look): void {
    const { world } = this;
    const groups = frame.groups[1] - frame.groups[0];
    this.dots.begin(groups, look.dark);
    this.tubes.begin(2 * groups);
    const known = solution.known[frame.index] === 1;
    let most = 0;
    for (let g = frame.groups[0]; g < frame.groups[1] && known; ++g) {
      const impulse = world.impulse(g, solution);
      if (Number.isFinite(impulse)) most = Math.max(most, impulse);
    }
    const radius = Math.max(0.09 * this.size.body, 0.004 * this.size.radius);
    for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
      const contact = isContact(world, g);
      if (!(contact ? look.contacts || look.forces : look.joints)) continue;
      const point = new THREE.Vector3(...world.point(g));
      if (!Number.isFinite(point.x + point.y + point.z)) continue;
      const colour: Rgb = known ? groupColour(world, g, solution, look, most) : [0.5, 0.5, 0.5];
      const share = look.scale.share(solution.joules[g]);
      const picked = look.picked?.kind === "group" && look.picked.group === g;
      if (look.contacts || !contact || picked) {
        const grown = (contact ? 1 : 1.4) * radius * (look.colourBy === "joules" ? 0.8 + 0.9 * share : 1);
        this.dots.add(point, 1.3 * grown + (picked ? radius : 0), colour, picked);
      }
      if (!contact) this.link(g, point, poses, 0.6 * radius, kStates[State.joint].colour);
      else if (look.forces && known && most > 0) {
        const thickness = 1.1 * radius * Math.sqrt(world.impulse(g, solution) / most);
        if (thickness > 0.04 * radius) {
          this.link(g, point, poses, thickness, kTube[look.dark ? "dark" : "light"]);
        }
      }
    }
    this.dots.end();
    this.tubes.end();
  }

  /** From the centre of each body that moves to the point between them. */
  private link(group: number, point: THREE.Vector3, poses: Int32Array, radius: number,
               colour: Rgb): void {
    const { bodyA, bodyB, position } = this.world.columns;
    for (const body of [bodyA[group], bodyB[group]]) {
      const entry = body > 0 && this.world.mass[body - 1] > 0 ? poses[body] : -1;
      if (entry < 0) continue;
      const centre = new THREE.Vector3(position[3 * entry], position[3 * entry + 1],
        position[3 * entry + 2]);
      const along = point.clone().sub(centre);
      const length = along.length();
      if (!(length > 1e-9 * this.size.radius)) continue;
      this.quaternion.setFromUnitVectors(kUp, along.divideScalar(length));
      this.matrix.compose(centre.add(point).multiplyScalar(0.5), this.quaternion,
        new THREE.Vector3(radius, length, radius));
      this.tubes.add(this.matrix, colour);
    }
  }
}
