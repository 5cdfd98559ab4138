// Where the world is drawn: camera, one or two halves, what lies under a click.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { State } from "../state";
import { isContact, WorldScene, type Look } from "./scene";
import { sizeOf, type WorldSize } from "./size";

/** [CSS pixels] How near a click has to be to a contact. */
const kReach = 11;

export class Stage {
  readonly canvas: HTMLCanvasElement;
  private readonly renderer: THREE.WebGLRenderer;
  private readonly camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  private controls!: OrbitControls;
  private size!: WorldSize;
  private scenes: WorldScene[] = [];
  private wanted = false;
  frames = 0; // drawn so far

  /** Throws where there is no WebGL. */
  constructor(private readonly state: State, parent: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({ antialias: true, powerPreference: "high-performance" });
    this.canvas = this.renderer.domElement;
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.setScissorTest(true);
    parent.append(this.canvas);
    this.open();
    new ResizeObserver(() => this.resize()).observe(parent);
    this.listenToClicks();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.update());
  }

  /** Another file: everything anew. */
  open(): void {
    const { world, file } = this.state;
    this.size = sizeOf(world, file.curves.gravity, this.state.frameIndex);
    this.scenes = [new WorldScene(world, this.size), new WorldScene(world, this.size)];
    this.camera.near = 0.01 * this.size.radius;
    this.camera.far = 100 * this.size.radius;
    this.camera.up.copy(this.size.up);
    this.controls?.dispose();
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.lookHome();
  }

  lookHome(): void {
    const aspect = Math.min(1, this.aspect());
    const distance = (0.92 * this.size.radius) / Math.sin((this.camera.fov * Math.PI) / 360) / aspect;
    this.controls.target.copy(this.size.centre);
    this.camera.position.copy(this.size.centre).addScaledVector(this.size.eye, distance);
    this.controls.update();
    this.update();
  }

  /** Turns to a point that is out of sight. */
  lookAt(point: [number, number, number]): void {
    if (!point.every(Number.isFinite)) return;
    this.camera.updateMatrixWorld();
    const at = this.project(point);
    const width = this.canvas.clientWidth / this.halves().length;
    const margin = 24;
    if (at && at[0] > margin && at[0] < width - margin && at[1] > margin &&
        at[1] < this.canvas.clientHeight - margin) return;
    const shift = new THREE.Vector3(...point).sub(this.controls.target);
    this.controls.target.add(shift);
    this.camera.position.add(shift);
    this.controls.update();
    this.draw();
  }

  private halves(): number[] {
    const { solution, beside } = this.state;
    return beside < 0 ? [solution] : [solution, beside];
  }

  private aspect(): number {
    const { clientWidth, clientHeight } = this.canvas;
    return clientWidth / this.halves().length / Math.max(1, clientHeight);
  }

  get dark(): boolean {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  /** The chosen step, solutions and colours. */
  update(): void {
    const { state } = this;
    if (state.world.frames === 0) return;
    const look: Look = { ...state, dark: this.dark };
    const frame = state.frame;
    const poses = state.world.poses(frame);
    this.halves().forEach((solution, half) =>
      this.scenes[half].update(frame, poses, state.world.solutions[solution], look));
    this.draw();
  }

  draw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => { this.wanted = false; this.drawNow(); });
  }

  drawNow(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const halves = this.halves().length;
    this.camera.aspect = this.aspect();
    this.camera.updateProjectionMatrix();
    for (let half = 0; half < halves; ++half) {
      const left = Math.round((half * width) / halves);
      const right = Math.round(((half + 1) * width) / halves) - (half + 1 < halves ? 2 : 0);
      this.renderer.setViewport(left, 0, right - left, height);
      this.renderer.setScissor(left, 0, right - left, height);
      this.renderer.render(this.scenes[half].scene, this.camera);
    }
    ++this.frames;
  }

  private resize(): void {
    const parent = this.canvas.parentElement!;
    this.renderer.setSize(parent.clientWidth, parent.clientHeight);
    this.draw();
  }

  private listenToClicks(): void {
    let from: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    this.canvas.addEventListener("pointerup", (event) => {
      const moved = from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 5;
      if (from && !moved) this.pickAt(event.offsetX, event.offsetY);
      from = null;
    });
  }

  /** Pixels of a point of the world in the first half; null behind the camera. */
  project(point: [number, number, number]): [number, number] | null {
    const v = new THREE.Vector3(...point).project(this.camera);
    if (!(v.z > -1 && v.z < 1)) return null;
    const width = this.canvas.clientWidth / this.halves().length;
    return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * this.canvas.clientHeight];
  }

  private pickAt(px: number, py: number): void {
    const { state } = this;
    const width = this.canvas.clientWidth / this.halves().length;
    const x = px % width;
    const frame = state.frame;
    let best = -1;
    let least = kReach;
    if (state.contacts || state.joints) {
      for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
        if (!(isContact(state.world, g) ? state.contacts : state.joints)) continue;
        const at = this.project(state.world.point(g));
        const distance = at ? Math.hypot(at[0] - x, at[1] - py) : Infinity;
        if (distance < least) { least = distance; best = g; }
      }
    }
    if (best >= 0) return state.pick({ kind: "group", group: best });
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * py) / this.canvas.clientHeight),
      this.camera);
    const { meshes } = this.scenes[0];
    for (const hit of ray.intersectObjects(meshes.map((entry) => entry.mesh))) {
      const entry = meshes.find((each) => each.mesh === hit.object)!;
      if (hit.instanceId === undefined || entry.ground[hit.instanceId]) continue;
      return state.pick({ kind: "body", body: entry.bodies[hit.instanceId] });
    }
    return state.pick(null);
  }
}
