// What the user has chosen. Everything on the page follows it; nothing else is shared.
import type { Report, ReportFile } from "./data/report";
import type { Frame, Solution, World } from "./data/world";
import { JouleScale } from "./ui/palette";

export type ColourBy = "joules" | "state" | "impulse";
export type Picked = { kind: "body"; body: number } | { kind: "group"; group: number } | null;
/** What has changed: the file, the frame, the solutions shown, what is picked, how it is drawn. */
export type Change = "file" | "frame" | "solution" | "picked" | "look" | "playing";

export class State {
  private listeners: ((changes: Set<Change>) => void)[] = [];
  private pending = new Set<Change>();
  fileIndex = 0;
  frameIndex = 0;
  solution = 0; // of the world's solutions: what is looked at
  beside = -1; // stands beside it; −1: nothing
  colourBy: ColourBy = "joules";
  forces = true;
  joints = true;
  contacts = true;
  opacity = 1;
  picked: Picked = null;
  playing = false;
  speed = 1;
  scale = new JouleScale(0);
  worstFrame = 0;

  constructor(readonly report: Report) { this.openFile(0); }

  get file(): ReportFile { return this.report.files[this.fileIndex]; }
  get world(): World { return this.file.world; }
  get frame(): Frame { return this.world.frame(this.frameIndex); }
  get shown(): Solution { return this.world.solutions[this.solution]; }

  /** Calls are gathered: one for all changes until the browser is about to draw. */
  listen(listener: (changes: Set<Change>) => void): void { this.listeners.push(listener); }

  change(...changes: Change[]): void {
    if (this.pending.size === 0) {
      queueMicrotask(() => {
        const all = this.pending;
        this.pending = new Set();
        for (const listener of this.listeners) listener(all);
      });
    }
    for (const each of changes) this.pending.add(each);
  }

  openFile(index: number): void {
    this.fileIndex = index;
    this.picked = null;
    this.beside = -1;
    this.playing = false;
    const { world } = this;
    // Files without the engine's own solution begin with a solver's.
    const first = world.solutions.findIndex((s) => s.known.some((known, f) => known === 1 &&
      world.groupStart[f + 1] > world.groupStart[f]));
    this.solution = Math.max(0, first);
    let largest = 0;
    this.worstFrame = 0;
    let worst = -1;
    for (let f = 0; f < world.frames; ++f) {
      const joules = world.frameJoules(world.frame(f), this.shown);
      const rank = Number.isNaN(joules) && this.shown.known[f] ? Infinity : joules;
      if (rank > worst) { worst = rank; this.worstFrame = f; }
    }
    for (const joules of this.shown.joules) {
      if (Number.isFinite(joules)) largest = Math.max(largest, joules);
    }
    // An error within the tolerance is none, and looks like none.
    this.scale = new JouleScale(Math.max(largest, this.report.tolerance * this.freeEnergy()));
    this.frameIndex = this.worstFrame;
    this.change("file", "frame", "solution", "picked", "look");
  }

  /** [J] The largest of all steps: an error divided by its share of it. */
  private freeEnergy(): number {
    let most = 0;
    for (const { energy, relative } of this.file.series) {
      energy.forEach((joules, k) => {
        const free = joules / relative[k];
        if (Number.isFinite(free)) most = Math.max(most, free);
      });
    }
    return most;
  }

  goTo(frame: number): void {
    const last = Math.max(0, this.world.frames - 1);
    const next = Math.min(last, Math.max(0, Math.round(frame)));
    if (next === this.frameIndex) return;
    this.frameIndex = next;
    if (this.picked?.kind === "group") this.picked = this.samePlace(this.picked.group);
    this.change("frame", "picked");
  }

  /** The contact between the same bodies nearest to where the picked one was, a step later. */
  private samePlace(group: number): Picked {
    const { columns } = this.world;
    const frame = this.frame;
    const from = this.world.point(group);
    let best = -1;
    let least = Infinity;
    for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
      if (columns.bodyA[g] !== columns.bodyA[group] || columns.bodyB[g] !== columns.bodyB[group] ||
          columns.kind[g] !== columns.kind[group]) continue;
      const to = this.world.point(g);
      const distance = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
      if (best < 0 || distance < least) { best = g; least = distance; }
    }
    return best < 0 ? null : { kind: "group", group: best };
  }

  pick(picked: Picked): void { this.picked = picked; this.change("picked"); }

  show(solution: number, beside: number): void {
    this.solution = solution;
    this.beside = beside === solution ? -1 : beside;
    this.change("solution");
  }

  set<K extends "colourBy" | "forces" | "joints" | "contacts" | "opacity">(key: K, value: this[K]) {
    (this as Pick<this, K>)[key] = value;
    this.change("look");
  }

  play(playing: boolean): void { this.playing = playing; this.change("playing"); }
}
