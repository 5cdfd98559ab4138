// The curves of the page: over the steps, of one step, over the contacts, over all problems.
import type { Series } from "../data/report";
import type { State } from "../state";
import { quantile } from "../panels/table";
import { si, several } from "../text/units";
import { choice, h } from "../ui/dom";
import { Chart, type Line } from "./chart";

/** Of the distribution: what is smaller is in its first column. */
const kDecades = 9;
/** Curves of solvers that were tried which are shown at once. */
const kTried = 6;

type Quantity = "error" | "iterations" | "time" | "contacts" | "kinetic";

function positions(count: number): number[] { return Array.from({ length: count }, (_, k) => k); }

/** All but the engine's, those of this report, and the best of a replay's. */
function quiet(series: Series[]): string[] {
  const others = series.filter((s) => s.source !== "");
  const error = new Map(others.map((s) => [s, quantile(s.relative, 0.5)]));
  others.sort((a, b) => error.get(a)! - error.get(b)!);
  return others.slice(4).map((s) => s.label);
}

/** Over the steps; a click goes to one. */
export function timeline(state: State) {
  const chart = new Chart();
  let quantity: Quantity = "error";
  const kinds: Record<Quantity, { unit: string; log: boolean; name: string; of?: (s: Series) => Float32Array }> = {
    error: { unit: "J", log: true, name: "energy error", of: (s) => s.energy },
    iterations: { unit: "", log: true, name: "iterations", of: (s) => s.iterations },
    time: { unit: "s", log: true, name: "time of a solve", of: (s) => s.seconds },
    contacts: { unit: "", log: false, name: "contacts" },
    kinetic: { unit: "J", log: false, name: "kinetic energy" },
  };
  const pick = choice<Quantity>("What the time line shows", [["error", "Error"], ["iterations", "Iterations"],
    ["time", "Time"], ["contacts", "Contacts"], ["kinetic", "Kinetic energy"]], (value) => { quantity = value; update(); });
  const element = h("section", { class: "card", "aria-label": "Time line" },
    h("div", { class: "title" }, h("h2", {}, "Step by step"), pick.element), chart.element);
  const update = () => {
    pick.show(quantity);
    const kind = kinds[quantity];
    const { curves, series } = state.file;
    const lines: Line[] = kind.of
      ? series.map((s, index) => ({ label: s.label, x: s.step, y: kind.of!(s), index }))
      : [{ label: kind.name, x: curves.step, y: quantity === "contacts" ? curves.contacts : curves.kinetic, index: 1 }];
    chart.show({
      title: `${kind.name} by step`, lines, quiet: quiet(series),
      says: lines.map((l) => `${l.label}: median ${si(quantile(Array.from(l.y), 0.5), kind.unit)}`).join("; "),
      x: { name: "step", unit: "", scale: "linear" },
      y: { name: kind.name, unit: kind.unit, scale: kind.log ? "log" : "linear" },
      mark: () => state.frame.step,
      click: (step) => { state.play(false); state.goTo(state.world.frameOfStep(step)); },
    });
  };
  return { element, update, move: () => chart.redraw() };
}

/** The error of the shown step against iterations, or against time. */
export function convergence(state: State) {
  const chart = new Chart();
  let against: "iterations" | "time" = "iterations";
  const pick = choice<"iterations" | "time">("Against", [["iterations", "Iterations"], ["time", "Time"]],
    (value) => { against = value; update(); });
  const element = h("section", { class: "card", "aria-label": "Convergence" },
    h("div", { class: "title" }, h("h2", {}, "Convergence"), pick.element), chart.element);
  const update = () => {
    pick.show(against);
    const hidden: string[] = [];
    const step = state.frame.step;
    const lines: Line[] = state.file.series.map((series, index) => {
      const entry = series.at.get(step);
      const history = entry === undefined ? [] : series.history(entry);
      return {
        label: series.label, index, y: history.map((point) => point.energy),
        x: history.map((point) => (against === "iterations" ? point.iteration : Math.max(1e-7, point.seconds))),
      };
    });
    // A step that was looked at closely has curves of all solvers that were tried on it.
    const trials = state.file.explanations.find((each) => each.step === step)?.trials ?? [];
    const tried: string[] = [];
    for (const { solver, history } of trials) {
      const at = state.file.series.findIndex((each) => each.solver === solver);
      if (!history || lines.some((each) => each.x.length > 1 && each.label === solver)) continue;
      const x: number[] = against === "iterations" ? history.iteration
        : history.seconds.map((seconds: number) => Math.max(1e-7, seconds));
      const line = { label: String(solver), index: at >= 0 ? at : lines.length, x, y: history.energy };
      const own = lines.findIndex((each) => each.label === solver);
      if (own >= 0) lines[own] = line; else lines.push(line);
      if (tried.push(line.label) > kTried) hidden.push(line.label);
    }
    chart.show({
      title: `energy error in step ${step}`, lines, quiet: hidden,
      says: lines.every((l) => l.x.length === 0) ? "No history of this step: nothing was solved, or without --history."
        : lines.filter((l) => l.x.length > 0).map((l) => `${l.label}: to ${si(l.y[l.y.length - 1], "J")}`).join("; "),
      x: against === "iterations" ? { name: "iterations", unit: "", scale: "asinh" } : { name: "time", unit: "s", scale: "log" },
      y: { name: "energy error", unit: "J", scale: "log" },
    });
  };
  return { element, update };
}

/** How many contacts and joints of the shown step are off by how much. */
export function distribution(state: State) {
  const chart = new Chart();
  const element = h("section", { class: "card", "aria-label": "Distribution" }, h("h2", {}, "Where the joules are"), chart.element);
  const update = () => {
    const { frame, world } = state;
    const shown = [state.solution, ...(state.beside >= 0 ? [state.beside] : [])].map((k) => world.solutions[k]);
    let zeros = 0;
    let largest = -Infinity;
    for (const solution of shown) {
      for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
        const joules = solution.joules[g];
        if (joules > 0 && Number.isFinite(joules)) largest = Math.max(largest, Math.floor(2 * Math.log10(joules)) / 2);
      }
    }
    const counts = shown.map((solution, which) => {
      const bins = new Map<number, number>();
      for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
        const joules = solution.joules[g];
        if (!(joules > 0) || !Number.isFinite(joules)) { if (which === 0) ++zeros; continue; }
        const bin = Math.max(largest - kDecades, Math.floor(2 * Math.log10(joules)) / 2);
        bins.set(bin, (bins.get(bin) ?? 0) + 1);
      }
      return bins;
    });
    const keys = counts.flatMap((bins) => [...bins.keys()]);
    const [low, high] = [Math.min(...keys), Math.max(...keys)];
    const x = keys.length === 0 ? [] : positions(2 * (high - low) + 1).map((k) => low + k / 2);
    const lines: Line[] = shown.map((solution, k) => ({
      label: solution.solver, index: shown.length === 1 ? 1 : k, x: x.map((b) => 10 ** (b + 0.25)),
      y: x.map((b) => counts[k].get(b) ?? 0),
    }));
    chart.show({
      title: "contacts and joints by their error", lines, bars: true,
      says: `Step ${frame.step}: ${several(zeros, "contact")} without any error.`,
      x: { name: "energy error of a contact", unit: "J", scale: "log" },
      y: { name: "how many", unit: "", scale: "linear" },
    });
  };
  return { element, update };
}

/** Performance profiles, and the share of problems solved within a time. */
export function profiles(state: State) {
  const { comparison } = state.report;
  const chart = new Chart();
  let which = comparison ? comparison.tolerances.length - 1 : 0;
  let kind: "ratio" | "time" = "time";
  const element = h("section", { class: "card", "aria-label": "Profiles" });
  if (!comparison) return { element: null, update: () => {} };
  const tolerance = choice<string>("Tolerance", comparison.tolerances.map((t, k) => [String(k), String(t.tolerance)]),
    (value) => { which = Number(value); update(); });
  const pick = choice<"ratio" | "time">("Against", [["time", "Time"], ["ratio", "Times the fastest"]],
    (value) => { kind = value; update(); });
  element.append(h("div", { class: "title" }, h("h2", {}, "All problems"), tolerance.element, pick.element), chart.element,
    ...comparison.remarks.map((text) => h("p", { class: "muted" }, text)));
  const update = () => {
    tolerance.show(String(which));
    pick.show(kind);
    const chosen = comparison.tolerances[which];
    const values = kind === "ratio" ? chosen.ratios : chosen.seconds;
    const most = Math.max(...values.flatMap((sorted) => (sorted.length ? [sorted[sorted.length - 1]] : [])));
    const lines: Line[] = comparison.contenders.map((label, k) => {
      const x = Array.from(values[k]);
      const y = x.map((_, i) => (i + 1) / comparison.problems);
      if (x.length > 0 && Number.isFinite(most)) { x.push(1.05 * most); y.push(y[y.length - 1]); }
      const index = state.file.series.findIndex((s) => s.solver === label);
      return { label, x, y, index: index < 0 ? k + 1 : index };
    });
    chart.show({
      title: `share of ${several(comparison.problems, "problem")} solved to ${chosen.tolerance} of the free energy`, lines, steps: true,
      says: lines.map((l) => `${l.label}: ${Math.round(100 * (l.y[l.y.length - 1] ?? 0))} %`).join("; "),
      x: kind === "ratio" ? { name: "times the fastest solver\u2019s time", unit: "", scale: "log" } : { name: "time", unit: "s", scale: "log" },
      y: { name: "share solved", unit: "", scale: "linear" },
    });
  };
  return { element, update };
}
