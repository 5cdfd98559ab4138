// A contact, a joint, a body in words and numbers.
import { Kind, State, type Frame, type Solution, type World } from "../data/world";
import { plain, si } from "./units";

const kLaws = ["native", "box", "coupled_box", "pyramid", "ccp", "ncp"];

export function lawName(world: World, group: number): string {
  return kLaws[world.columns.law[group]] ?? "unknown";
}

export interface RowText { name: string; row: number; angular: boolean; bounds: string }

/** The rows of a group with what their impulses may be. */
export function rowsOf(world: World, group: number, solution: Solution): RowText[] {
  const first = world.rowStart[group];
  const { kind, parts, friction, bounds } = world.columns;
  const rows: RowText[] = [];
  if (kind[group] !== Kind.contact) {
    const at = 2 * world.boundStart[group];
    for (let i = 0; i < world.rowStart[group + 1] - first; ++i) {
      const limits = kind[group] === Kind.equality ? "any"
        : `${si(bounds[at + 2 * i], "N\u00b7s")} \u2026 ${si(bounds[at + 2 * i + 1], "N\u00b7s")}`;
      rows.push({ name: `row ${i + 1}`, row: first + i, angular: false, bounds: limits });
    }
    return rows;
  }
  const normal = Math.max(0, solution.x[first]);
  const within = (coefficient: number, unit: string) =>
    `\u2264 ${si(friction[3 * group + coefficient] * normal, unit)}`;
  rows.push({ name: "normal", row: first, angular: false, bounds: "\u2265 0" });
  const tangents = parts[group] & 3;
  const spinning = (parts[group] >> 2) & 1;
  const rolling = parts[group] >> 3;
  const add = (name: string, angular: boolean, limits: string) =>
    rows.push({ name, row: first + rows.length, angular, bounds: limits });
  for (let i = 0; i < tangents; ++i) add(`tangent ${i + 1}`, false, within(0, "N\u00b7s"));
  for (let i = 0; i < spinning; ++i) add("spinning", true, within(1, "N\u00b7m\u00b7s"));
  for (let i = 0; i < rolling; ++i) add(`rolling ${i + 1}`, true, within(2, "N\u00b7m\u00b7s"));
  return rows;
}

/** One sentence on what a contact or joint does. */
export function describe(world: World, group: number, solution: Solution): string {
  const first = world.rowStart[group];
  const joules = solution.joules[group];
  const off = Number.isNaN(joules) ? "" : ` It is off by ${si(joules, "J")}.`;
  const { gap } = world.columns;
  const apart = gap[group];
  const where = Number.isNaN(apart) ? "" : apart < 0 ? `, ${si(-apart, "m")} deep`
    : `, ${si(apart, "m")} apart`;
  switch (solution.state[group] as State) {
    case State.open:
      return `Open${where}: nothing should push here` +
        (solution.x[first] > 0 ? `, yet ${si(solution.x[first], "N\u00b7s")} do.` : ".") + off;
    case State.sticking:
      return `Sticks${where}: pushes with ${si(solution.x[first], "N\u00b7s")}, and friction holds.` + off;
    case State.sliding:
      return `Slides${where}: pushes with ${si(solution.x[first], "N\u00b7s")}, friction is at its bound.` + off;
    case State.joint: return `A joint that carries ${si(world.impulse(group, solution), "N\u00b7s")}.` + off;
    case State.atBound: return `At its bound, with ${si(world.impulse(group, solution), "N\u00b7s")}.` + off;
    default: return "Its numbers are not finite.";
  }
}

export function stateShares(world: World, frame: Frame, solution: Solution): Record<string, number> {
  const shares = { sticking: 0, sliding: 0, open: 0, contacts: 0, joints: 0 };
  for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
    if (world.columns.kind[g] !== Kind.contact) { ++shares.joints; continue; }
    ++shares.contacts;
    if (solution.state[g] === State.sticking) ++shares.sticking;
    if (solution.state[g] === State.sliding) ++shares.sliding;
    if (solution.state[g] === State.open) ++shares.open;
  }
  return shares;
}

export function shapeNames(world: World, body: number): string {
  const names = world.shapes.filter((shape) => shape.body === body).map((shape) =>
    shape.kind.replace("_", " ") + (shape.source === 2 ? " of equal inertia, no shape was recorded" : ""));
  return names.length === 0 ? "no shape" : [...new Set(names)].join(", ");
}

export function massText(world: World, body: number): string {
  const mass = world.mass[body - 1];
  return mass > 0 ? si(1000 * mass, "g") : mass === 0 ? "fixed" : plain(mass);
}
