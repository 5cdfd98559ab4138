// One line a solver over all steps, as `nonsmooth replay` prints it; sorted by a click.
import type { Series } from "../data/report";
import type { State } from "../state";
import { percent, plain, si } from "../text/units";
import { fill, h } from "../ui/dom";

/** The value that a share of the known values does not exceed. */
export function quantile(values: Iterable<number>, share: number): number {
  const sorted = [...values].filter((v) => !Number.isNaN(v)).sort((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  return sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1];
}

interface Column { name: string; title: string; value(s: Series): number | string; text(v: any): string }

function columns(tolerance: number): Column[] {
  const solved = (s: Series) => {
    let count = 0;
    s.status.forEach((status, k) => {
      if (s.solver === "engine" ? s.relative[k] <= tolerance : status === "converged") ++count;
    });
    return count / Math.max(1, s.status.length);
  };
  const number = (unit: string) => (v: number) => si(v, unit);
  return [
    { name: "solver", title: "Who", value: (s) => s.label, text: String },
    { name: "law", title: "Friction law", value: (s) => s.law, text: String },
    { name: "steps", title: "Steps solved or tried", value: (s) => s.step.length, text: String },
    { name: "solved", title: "Share of steps within the tolerance", value: solved, text: percent },
    { name: "iterations", title: "Median", value: (s) => quantile(s.iterations, 0.5), text: (v) => plain(v) },
    { name: "time", title: "Median of a step", value: (s) => quantile(s.seconds, 0.5), text: number("s") },
    { name: "p99", title: "99 % of the steps took no longer", value: (s) => quantile(s.seconds, 0.99), text: number("s") },
    { name: "error", title: "Energy error of a step, median", value: (s) => quantile(s.energy, 0.5), text: number("J") },
    { name: "worst", title: "Energy error of the worst step", value: (s) => quantile(s.energy, 1), text: number("J") },
    { name: "relative", title: "Error by the step\u2019s free energy, median", value: (s) => quantile(s.relative, 0.5), text: (v) => plain(v) },
  ];
}

export function tablePanel(state: State) {
  const element = h("section", { class: "card", "aria-label": "Solvers" });
  let by = -1;
  let down = false;
  const update = () => {
    const all = columns(state.report.tolerance);
    const rows = state.file.series.map((series) => all.map((column) => column.value(series)));
    if (by >= 0) {
      rows.sort((a, b) => {
        const [x, y] = [a[by], b[by]];
        const order = typeof x === "string" ? x.localeCompare(String(y))
          : Number.isNaN(x) ? 1 : Number.isNaN(y as number) ? -1 : x - (y as number);
        return down ? -order : order;
      });
    }
    const heads = all.map((column, k) => {
      const sort = () => { down = by === k && !down; by = k; update(); };
      return h("th", { scope: "col", "aria-sort": by !== k ? "none" : down ? "descending" : "ascending" },
        h("button", { type: "button", class: "sort", title: column.title, click: sort as EventListener },
          column.name + (by !== k ? "" : down ? " \u25be" : " \u25b4")));
    });
    fill(element, h("h2", {}, "Solvers over all steps"),
      h("div", { class: "scroll" }, h("table", { class: "numbers", id: "solvers" },
        h("thead", {}, h("tr", {}, ...heads)),
        h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((value, k) =>
          k === 0 ? h("th", { scope: "row" }, all[k].text(value))
            : h("td", { class: k > 1 ? "number" : "" }, all[k].text(value)))))))));
  };
  return { element, update };
}
