// The page of `nonsmooth report`: puts the parts together and tells them what has changed.
import plotStyle from "uplot/dist/uPlot.min.css";
import { convergence, distribution, profiles, timeline } from "./curves/curves";
import { loadReport, type Report } from "./data/report";
import { explainPanel } from "./panels/explain";
import { legend, lookBar } from "./panels/look";
import { pickedPanel } from "./panels/picked";
import { tablePanel } from "./panels/table";
import { verdictPanel } from "./panels/verdict";
import { worstPanel } from "./panels/worst";
import { State } from "./state";
import { several, si } from "./text/units";
import { fill, h, select } from "./ui/dom";
import pageStyle from "./ui/style.css";
import { Player } from "./world/player";
import { Stage } from "./world/stage";

function header(state: State): { element: HTMLElement; update(): void } {
  const element = h("header", {});
  return {
    element,
    update() {
      const { file, report } = state;
      const { contacts, h: step } = file.curves;
      let [least, most] = [Infinity, 0];
      for (const count of contacts) { least = Math.min(least, count); most = Math.max(most, count); }
      const facts = [
        file.engine && `${file.engine} ${file.engineVersion}`.trim(),
        several(file.total, "step") + (step[0] > 0 ? ` of ${si(step[0], "s")}` : ""),
        contacts.length > 0 && (least === most ? several(most, "contact") : `${least} to ${several(most, "contact")}`),
      ].filter(Boolean).join(" \u00b7 ");
      const chooser = select("File", report.files.map((each, k) => [String(k), each.name]),
        (value) => state.openFile(Number(value)));
      chooser.value = String(state.fileIndex);
      document.title = `${file.scene || file.name} \u2013 Nonsmooth`;
      fill(element, h("h1", {}, file.scene || file.name), h("p", {}, facts),
        report.files.length > 1 && h("label", {}, "file ", chooser));
    },
  };
}

function makeStage(state: State, box: HTMLElement): Stage | null {
  try {
    return new Stage(state, box);
  } catch (error) {
    console.warn(error);
    fill(box, h("p", { class: "no-webgl" },
      "This browser offers no WebGL, so that the world cannot be drawn; curves, tables and lists are all here."));
    return null;
  }
}

function labels(state: State, box: HTMLElement): void {
  const shown = [state.solution, ...(state.beside >= 0 ? [state.beside] : [])];
  fill(box, ...shown.map((k) => {
    const solution = state.world.solutions[k];
    const joules = state.world.frameJoules(state.frame, solution);
    return h("span", { "data-solver": solution.solver },
      h("b", {}, solution.solver), ` off by ${si(joules, "J")}`);
  }));
}

function build(report: Report, root: HTMLElement): void {
  const state = new State(report);
  const box = h("div", { class: "stage" });
  const names = h("div", { class: "names" });
  const head = header(state);
  let stage: Stage | null = null;
  const look = (group: number) => stage?.lookAt(state.world.point(group));
  const parts = {
    verdict: verdictPanel(state, look), worst: worstPanel(state, look), picked: pickedPanel(state),
    look: lookBar(state, () => stage?.lookHome()), legend: legend(state), table: tablePanel(state),
    time: timeline(state), convergence: convergence(state), distribution: distribution(state),
    profiles: profiles(state), explain: explainPanel(state),
  };
  const player = new Player(state);
  const world = h("section", { class: "card world", "aria-label": "World" }, parts.look.element,
    h("div", { class: "stage-box" }, box, names), parts.legend.element, player.element,
    h("p", { class: "keys muted" }, "drag turns, wheel zooms, click picks \u00b7 space plays, \u2190 \u2192 step, w worst step, x swaps, f forces"));
  const notes = [...report.errors, ...report.notes];
  root.append(head.element, parts.verdict.element,
    h("main", {},
      h("div", { class: "columns" }, world,
        h("div", { class: "side" }, parts.picked.element, parts.worst.element, parts.explain.element)),
      parts.time.element,
      h("div", { class: "pair" }, parts.convergence.element, parts.distribution.element, parts.profiles.element),
      parts.table.element),
    h("footer", {}, ...notes.map((note) => h("p", { class: "note" }, note)),
      h("p", { class: "muted" }, `${report.program}. Errors are energy errors in joules: 0 is a solution.`)));
  stage = makeStage(state, box);
  if (stage) {
    stage.canvas.tabIndex = 0;
    stage.canvas.setAttribute("role", "img");
  }
  state.listen((changes) => {
    const has = (...any: string[]) => any.some((each) => (changes as Set<string>).has(each));
    if (has("file")) {
      head.update(); parts.table.update(); parts.time.update(); parts.profiles.update(); parts.verdict.update();
      stage?.open();
    }
    if (has("file", "solution", "look")) { parts.look.update(); }
    if (has("frame", "solution", "look")) { parts.legend.update(); labels(state, names); }
    if (has("frame", "solution", "picked")) parts.picked.update();
    if (has("frame", "playing")) player.show();
    // While it plays only what moves is drawn: charts cost more than the world.
    if (has("frame", "solution", "playing") && !state.playing) {
      parts.worst.update(); parts.convergence.update(); parts.distribution.update(); parts.explain.update();
    }
    if (has("frame")) parts.time.move();
    if (has("file", "frame", "solution", "look", "picked")) stage?.update();
    if (stage) {
      stage.canvas.setAttribute("aria-label", `${state.world.bodies} bodies in step ${state.frame.step}, ` +
        `coloured by ${state.colourBy}; the lists beside tell the same in words`);
    }
  });
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    const own = /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) || (target.tagName === "BUTTON" && event.key === " ");
    if (!own && !event.ctrlKey && !event.metaKey && !event.altKey && player.key(event)) event.preventDefault();
  });
  // For tests and for the curious in the browser's console.
  Object.assign(window, { nonsmooth: { state, stage, report } });
}

async function start(): Promise<void> {
  document.head.append(h("style", {}, plotStyle + pageStyle));
  const root = h("div", { id: "page" });
  document.body.append(root);
  try {
    if (!("DecompressionStream" in window)) {
      throw new Error("this browser is too old: Chrome 80, Firefox 113 or Safari 16.4 are needed");
    }
    const report = await loadReport(document.getElementById("report")!.textContent ?? "");
    if (report.files.length === 0) {
      root.append(h("h1", {}, "Nothing to show"), ...report.errors.map((text) => h("p", {}, text)));
      return;
    }
    build(report, root);
  } catch (error) {
    root.append(h("h1", {}, "This report cannot be shown"), h("p", {}, String(error)));
  }
  document.documentElement.dataset.ready = "yes";
}

void start();
