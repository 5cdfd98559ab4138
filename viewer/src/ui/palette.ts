// Colours that colour-blind people tell apart. The ramps grow darker all the way, so that they also
// read in grey; the states are Okabe and Ito's.
import { State } from "../data/world";

export type Rgb = [number, number, number];

function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

const kJoules = ["#dfe4ea", "#fbe7a1", "#fdbb4d", "#f47a2a", "#cf2a27", "#7c0a3c"].map(rgb);
const kImpulse = ["#dfe6f2", "#a9cbe8", "#5ea3d6", "#2c74b8", "#173f86", "#0b1f55"].map(rgb);
export const kNeutral: Rgb = rgb("#c3ccd6");
export const kUnknown: Rgb = rgb("#b04bd8");

function ramp(colours: Rgb[], t: number): Rgb {
  const position = Math.min(1, Math.max(0, t)) * (colours.length - 1);
  const k = Math.min(colours.length - 2, Math.floor(position));
  const f = position - k;
  return [0, 1, 2].map((i) => colours[k][i] * (1 - f) + colours[k + 1][i] * f) as Rgb;
}

/** A logarithmic scale below the largest there is; less than a thousandth of it is as good as none. */
export class JouleScale {
  static readonly decades = 3;
  readonly most: number;

  constructor(largest: number) {
    if (!(largest > 0) || !Number.isFinite(largest)) { this.most = 1; return; }
    const power = 10 ** Math.floor(Math.log10(largest));
    this.most = power * ([1, 2, 5, 10].find((digit) => digit * power >= 0.999 * largest) ?? 10);
  }

  get least(): number { return this.most / 10 ** JouleScale.decades; }

  /** 0 … 1 */
  share(joules: number): number {
    if (!(joules > 0)) return 0;
    return Math.min(1, Math.max(0, 1 + Math.log10(joules / this.most) / JouleScale.decades));
  }

  colour(joules: number): Rgb {
    return Number.isNaN(joules) ? kUnknown : ramp(kJoules, this.share(joules));
  }
}

export function impulseColour(share: number): Rgb {
  return Number.isNaN(share) ? kUnknown : ramp(kImpulse, Math.sqrt(share));
}

export const kStates: Record<State, { name: string; colour: Rgb }> = {
  [State.sticking]: { name: "sticks", colour: rgb("#0072b2") },
  [State.sliding]: { name: "slides", colour: rgb("#e69f00") },
  [State.open]: { name: "open", colour: rgb("#b9bec6") },
  [State.joint]: { name: "joint", colour: rgb("#009e73") },
  [State.atBound]: { name: "joint at its bound", colour: rgb("#d55e00") },
  [State.unknown]: { name: "not a number", colour: kUnknown },
};

export function css([r, g, b]: Rgb): string {
  return `rgb(${Math.round(255 * r)} ${Math.round(255 * g)} ${Math.round(255 * b)})`;
}

export function gradient(kind: "joules" | "impulse"): string {
  const colours = kind === "joules" ? kJoules : kImpulse.map((_, k) => impulseColour((k / 5) ** 2));
  return `linear-gradient(90deg, ${colours.map(css).join(", ")})`;
}

/** Lines of curves: first the engine's. */
const kLines = ["#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a6d3b", "#7a7f87"];
const kDashes = [[], [6, 4], [2, 3], [9, 3, 2, 3]];
export function line(index: number): { colour: string; dash: number[] } {
  return {
    colour: kLines[index % kLines.length],
    dash: kDashes[Math.floor(index / kLines.length) % kDashes.length],
  };
}
