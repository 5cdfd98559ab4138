// What moves and what acts on it: bodies, contacts and joints of the frames of one file.
import { floats, words, type Packed } from "./unpack";

export type ShapeKind =
  | "sphere" | "box" | "capsule" | "cylinder" | "cone" | "convex_hull" | "triangle_mesh" | "plane";

export interface Shape {
  body: number;
  kind: ShapeKind;
  source: number; // 0 collision, 1 visual, 2 stands in
  fixed: boolean;
  size: [number, number, number];
  position: [number, number, number];
  quaternion: [number, number, number, number]; // w, x, y, z
  points?: Float32Array;
  triangles?: Uint32Array;
}

export enum Kind { equality = 0, box = 1, contact = 2 }
export enum State { open = 0, sticking = 1, sliding = 2, joint = 3, atBound = 4, unknown = 5 }

export interface Solution {
  solver: string;
  known: Uint32Array; // a frame
  x: Float32Array; // a row
  w: Float32Array;
  joules: Float32Array; // a group
  state: Uint32Array; // a group
}

/** Where the parts of frame `index` begin and end in the columns. */
export interface Frame {
  index: number;
  step: number;
  bodies: [number, number];
  groups: [number, number];
}

const kWordColumns = ["step", "bodyCount", "groupCount", "rowCount", "boundCount", "body", "kind",
  "parts", "law", "bodyA", "bodyB"] as const;
const kFloatColumns = ["position", "quaternion", "point", "normal", "tangent", "gap", "friction",
  "bounds"] as const;
type Columns = Record<(typeof kWordColumns)[number], Uint32Array> &
  Record<(typeof kFloatColumns)[number], Float32Array>;

function offsets(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; ++i) starts[i + 1] = starts[i] + counts[i];
  return starts;
}

export class World {
  readonly bodyStart: Uint32Array;
  readonly groupStart: Uint32Array;
  readonly rowStart: Uint32Array; // a group
  readonly boundStart: Uint32Array; // a group: of its rows in `bounds`

  private constructor(readonly ids: number[], readonly mass: Float32Array,
                      readonly shapes: Shape[], readonly columns: Columns,
                      readonly solutions: Solution[]) {
    this.bodyStart = offsets(columns.bodyCount);
    this.groupStart = offsets(columns.groupCount);
    const groups = columns.kind.length;
    const rows = new Uint32Array(groups);
    const bounds = new Uint32Array(groups);
    for (let g = 0; g < groups; ++g) {
      const parts = columns.parts[g];
      rows[g] = columns.kind[g] === Kind.contact
        ? 1 + (parts & 3) + ((parts >> 2) & 1) + (parts >> 3) : parts;
      bounds[g] = columns.kind[g] === Kind.box ? parts : 0;
    }
    this.rowStart = offsets(rows);
    this.boundStart = offsets(bounds);
  }

  static async load(json: any): Promise<World> {
    const columns = {} as Columns;
    for (const name of kWordColumns) columns[name] = await words(json.frames[name]);
    for (const name of kFloatColumns) columns[name] = await floats(json.frames[name]);
    const solutions: Solution[] = [];
    for (const s of json.solutions) {
      solutions.push({
        solver: String(s.solver), known: await words(s.known), x: await floats(s.x),
        w: await floats(s.w), joules: await floats(s.joules), state: await words(s.state),
      });
    }
    const shapes: Shape[] = [];
    for (const s of json.shapes as (Shape & { points?: Packed; triangles?: Packed })[]) {
      shapes.push({
        ...s,
        points: s.points && (await floats(s.points as unknown as Packed)),
        triangles: s.triangles && (await words(s.triangles as unknown as Packed)),
      });
    }
    return new World(json.ids, await floats(json.mass), shapes, columns, solutions);
  }

  get frames(): number { return this.columns.step.length; }
  get bodies(): number { return this.ids.length; }

  /** False for files that know no positions. */
  get hasPlaces(): boolean { return this.columns.body.length > 0; }

  frame(index: number): Frame {
    return {
      index, step: this.columns.step[index],
      bodies: [this.bodyStart[index], this.bodyStart[index + 1]],
      groups: [this.groupStart[index], this.groupStart[index + 1]],
    };
  }

  frameOfStep(step: number): number {
    let best = 0;
    for (let f = 0; f < this.frames; ++f) {
      if (Math.abs(this.columns.step[f] - step) < Math.abs(this.columns.step[best] - step)) best = f;
    }
    return best;
  }

  /** Joules of a whole frame in a solution; NaN where there is none. */
  frameJoules(frame: Frame, solution: Solution): number {
    if (!solution.known[frame.index]) return NaN;
    let sum = 0;
    for (let g = frame.groups[0]; g < frame.groups[1]; ++g) sum += solution.joules[g];
    return sum;
  }

  /**
   * The entry of the pose columns of each body at a frame: its last one so far, or else its first;
   * −1 if there is none. Bodies that took no part in a step have not gone away.
   */
  poses(frame: Frame): Int32Array {
    const entries = new Int32Array(this.bodies + 1).fill(-1);
    let missing = this.bodies;
    for (let i = frame.bodies[1] - 1; i >= 0 && missing > 0; --i) {
      const body = this.columns.body[i];
      if (entries[body] < 0) { entries[body] = i; --missing; }
    }
    for (let i = frame.bodies[1]; i < this.columns.body.length && missing > 0; ++i) {
      const body = this.columns.body[i];
      if (entries[body] < 0) { entries[body] = i; --missing; }
    }
    return entries;
  }

  bodyName(body: number): string { return body === 0 ? "the world" : `body ${this.ids[body - 1]}`; }

  groupName(frame: Frame, group: number): string {
    const number = group - frame.groups[0];
    return this.columns.kind[group] === Kind.contact ? `contact ${number}` : `joint ${number}`;
  }

  groupBodies(group: number): string {
    const a = this.bodyName(this.columns.bodyA[group]);
    const b = this.bodyName(this.columns.bodyB[group]);
    return `${a} and ${b}`;
  }

  /** Size of a group's linear impulse [N s]: of a contact's normal and tangents, of a joint's rows. */
  impulse(group: number, solution: Solution): number {
    const first = this.rowStart[group];
    const contact = this.columns.kind[group] === Kind.contact;
    const last = contact ? first + 1 + (this.columns.parts[group] & 3) : this.rowStart[group + 1];
    let sum = 0;
    for (let r = first; r < last; ++r) sum += solution.x[r] ** 2;
    return Math.sqrt(sum);
  }

  /** Joules of all contacts and joints of each body, by its number, and of its worst one. */
  bodyJoules(frame: Frame, solution: Solution): { sum: Float64Array; worst: Float64Array } {
    const sum = new Float64Array(this.bodies + 1);
    const worst = new Float64Array(this.bodies + 1);
    for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
      const joules = solution.joules[g];
      for (const body of new Set([this.columns.bodyA[g], this.columns.bodyB[g]])) {
        sum[body] += joules;
        if (joules > worst[body] || Number.isNaN(joules)) worst[body] = joules;
      }
    }
    return { sum, worst };
  }

  point(group: number): [number, number, number] {
    const p = this.columns.point;
    return [p[3 * group], p[3 * group + 1], p[3 * group + 2]];
  }
}
