// The first thing one reads: how far off the engine is, where, and who mends it.
import type { Series } from "../data/report";
import type { State } from "../state";
import { several, si } from "../text/units";
import { button, fill, h } from "../ui/dom";
import { worstGroups } from "./worst";

/** Where a solver was tried at leisure on a step that was looked at closely, that time counts. */
function trialOf(state: State, step: number, solver: string): any {
  return state.file.explanations.find((each) => each.step === step)?.trials
    .find((trial: any) => trial.solver === solver && trial.solved);
}

interface Mender { solver: string; energy: number; seconds: number; inWorld: number }

/**
 * Who mends a step best: the fastest of those within the tolerance, or else the one with the least
 * error, if that is less than half of what there is.
 */
function mender(state: State, step: number, joules: number): Mender | null {
  const candidates = state.file.series.filter((s) => s.solver !== "engine" && s.at.has(step))
    .map((series) => {
      const k = series.at.get(step)!;
      const trial = trialOf(state, step, series.solver);
      return {
        series, energy: series.energy[k], ok: series.status[k] === "converged",
        seconds: Math.min(series.seconds[k], trial?.seconds ?? Infinity),
      };
    }).filter((c) => c.energy < 0.5 * joules || Number.isNaN(joules));
  if (candidates.length === 0) return null;
  const good = candidates.filter((c) => c.ok);
  const best = good.length > 0
    ? good.reduce((a, b) => (b.seconds < a.seconds ? b : a))
    : candidates.reduce((a, b) => (b.energy < a.energy ? b : a));
  const name = (series: Series) => series.solver;
  return {
    solver: best.series.solver, energy: best.energy, seconds: best.seconds,
    inWorld: state.world.solutions.findIndex((s) => s.solver === name(best.series)),
  };
}

export function verdictPanel(state: State, look: (group: number) => void) {
  const element = h("section", { class: "card verdict", "aria-label": "Verdict" });
  return {
    element,
    update() {
      const { world, file } = state;
      if (world.frames === 0) { fill(element, h("p", {}, "There is no step to show.")); return; }
      const frame = world.frame(state.worstFrame);
      const solution = world.solutions[0].known[frame.index] ? world.solutions[0] : state.shown;
      const joules = world.frameJoules(frame, solution);
      const engine = solution.solver === "engine";
      const who = engine ? `${file.engine ? file.engine[0].toUpperCase() + file.engine.slice(1) : "The engine"}\u2019s solver` : solution.solver;
      const series = file.series.find((each) => each.solver === solution.solver);
      const share = series?.relative[series.at.get(frame.step) ?? -1] ?? NaN;
      const found = mender(state, frame.step, joules);
      const showWorst = () => {
        state.show(world.solutions.indexOf(solution), -1);
        state.goTo(state.worstFrame);
        const [worst] = worstGroups(state, 1);
        if (worst !== undefined) { state.pick({ kind: "group", group: worst }); look(worst); }
      };
      const showMended = () => {
        const beside = found!.inWorld >= 0 ? found!.inWorld : 1;
        state.show(world.solutions.indexOf(solution), beside);
        state.goTo(state.worstFrame);
      };
      const mendable = found !== null && (found.inWorld >= 0 || world.solutions.length > 1);
      fill(element,
        h("p", { class: "headline" },
          share <= state.report.tolerance || joules === 0
            ? `${who} solves every step: it is furthest off in step ${frame.step}, by ${si(joules, "J")}.` : [
            `${who} is furthest off in step ${frame.step}: by ${si(joules, "J")}`,
            found ? `. ${found.solver} brings that to ${si(found.energy, "J")} in ${si(found.seconds, "s")}.` : ".",
          ].join("")),
        h("div", { class: "actions" },
          joules !== 0 && button("Show where", showWorst, { class: "primary", id: "show-worst" }),
          mendable && button("Show it mended", showMended, { class: "primary", id: "show-mended" }),
          h("span", { class: "muted" }, several(file.curves.step.length, "step"))));
    },
  };
}
