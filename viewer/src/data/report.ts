// The data that stand in the page.
import { floats, words } from "./unpack";
import { World } from "./world";

export interface History { iteration: number; seconds: number; energy: number }

/** One solver over the steps of a file. */
export interface Series {
  solver: string;
  label: string;
  law: string;
  source: string; // empty: solved for this report
  step: Uint32Array;
  energy: Float32Array;
  relative: Float32Array;
  iterations: Float32Array;
  seconds: Float32Array;
  status: string[];
  at: Map<number, number>; // step → entry
  history(entry: number): History[];
}

export interface Curves {
  step: Uint32Array;
  engineStep: number[];
  gravity: [number, number, number];
  time: Float32Array;
  h: Float32Array;
  contacts: Uint32Array;
  rows: Uint32Array;
  kinetic: Float32Array;
}

export interface Profile {
  tolerance: number;
  ratios: Float32Array[];
  seconds: Float32Array[];
}

export interface Comparison {
  contenders: string[];
  problems: number;
  remarks: string[];
  tolerances: Profile[];
}

export interface ReportFile {
  path: string;
  name: string;
  format: string;
  engine: string;
  engineVersion: string;
  scene: string;
  created: string;
  producer: string;
  total: number;
  curves: Curves;
  series: Series[];
  explanations: any[];
  world: World;
}

export interface Report {
  program: string;
  tolerance: number;
  notes: string[];
  errors: string[];
  comparison: Comparison | null;
  files: ReportFile[];
}

async function loadSeries(json: any): Promise<Series> {
  const step = await words(json.step);
  const status = await words(json.status);
  let history = (_entry: number): History[] => [];
  if (json.history) {
    const count = await words(json.history.count);
    const iteration = await words(json.history.iteration);
    const seconds = await floats(json.history.seconds);
    const energy = await floats(json.history.energy);
    const start = new Uint32Array(count.length + 1);
    count.forEach((n, i) => { start[i + 1] = start[i] + n; });
    history = (entry) => Array.from({ length: count[entry] }, (_, k) => {
      const at = start[entry] + k;
      return { iteration: iteration[at], seconds: seconds[at], energy: energy[at] };
    });
  }
  return {
    solver: String(json.solver), label: String(json.solver), law: String(json.law),
    source: String(json.source), step,
    energy: await floats(json.energy), relative: await floats(json.relative),
    iterations: await floats(json.iterations), seconds: await floats(json.seconds),
    status: Array.from(status, (k) => String(json.statuses[k])),
    at: new Map(Array.from(step, (value, k) => [value, k])), history,
  };
}

async function loadFile(json: any): Promise<ReportFile> {
  const c = json.curves;
  const series: Series[] = [];
  for (const each of json.series) series.push(await loadSeries(each));
  // A solver that was run here and in a replay appears twice: the replay's is told by its file.
  for (const each of series) {
    const twins = series.filter((other) => other.solver === each.solver);
    if (twins.length > 1 && each.source !== "") {
      each.label = `${each.solver} (${each.source.replace(/^.*\//, "")})`;
    }
  }
  return {
    ...json,
    curves: {
      step: await words(c.step), engineStep: c.engineStep, gravity: c.gravity ?? [0, 0, 0],
      time: await floats(c.time), h: await floats(c.h), contacts: await words(c.contacts),
      rows: await words(c.rows), kinetic: await floats(c.kinetic),
    },
    series,
    explanations: json.explanations ?? [],
    world: await World.load(json.world),
  };
}

async function loadComparison(json: any): Promise<Comparison | null> {
  if (!json) return null;
  const tolerances: Profile[] = [];
  for (const t of json.tolerances) {
    tolerances.push({
      tolerance: t.tolerance,
      ratios: await Promise.all(t.ratios.map(floats)),
      seconds: await Promise.all(t.seconds.map(floats)),
    });
  }
  return { ...json, tolerances };
}

export async function loadReport(text: string): Promise<Report> {
  const json = JSON.parse(text);
  const files: ReportFile[] = [];
  for (const file of json.files) files.push(await loadFile(file));
  return { ...json, comparison: await loadComparison(json.comparison), files };
}
