// What `nonsmooth explain` says of the worst steps.
import type { State } from "../state";
import { si } from "../text/units";
import { button, fill, h } from "../ui/dom";

const kTrials = 7;

/** Numbers and their units stay on one line. */
function tied(text: string): string {
  return text.replace(/(\d) (?=[TGMkm\u00b5npf]?[JsNm]\b)/g, "$1\u00a0");
}

export function explainPanel(state: State) {
  const element = h("section", { class: "card explain", id: "explain", "aria-label": "Explanation" });
  let all = false;
  const update = () => {
      const { file, frame } = state;
      element.hidden = file.explanations.length === 0;
      const found = file.explanations.find((each) => each.step === frame.step);
      if (!found) {
        fill(element, h("h3", {}, "Why"), h("p", { class: "muted" }, "Looked at closely: ",
          ...file.explanations.flatMap((each, k) => [k > 0 ? ", " : "",
            button(`step ${each.step}`, () => state.goTo(state.world.frameOfStep(each.step)), { class: "link" })])),
          h("p", { class: "muted" }, `nonsmooth explain ${file.name} --step ${frame.step}`));
        return;
      }
      const facts: [string, string][] = found.facts.map((fact: any) => [String(fact.name), tied(String(fact.text))]);
      fill(element, h("h3", {}, `Step ${found.step}, looked at closely`),
        h("p", {}, tied(String(found.advice))),
        h("dl", { class: "facts" }, ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
        found.trials.length > 0 && h("div", { class: "scroll" }, h("table", { class: "numbers" },
          h("thead", {}, h("tr", {}, ...["solver", "time", "off by", "status"].map((t) => h("th", { scope: "col" }, t)))),
          h("tbody", {}, ...found.trials.slice(0, all ? undefined : kTrials).map((trial: any) => h("tr", {},
            h("th", { scope: "row" }, String(trial.solver)), h("td", { class: "number" }, si(trial.seconds ?? NaN, "s")),
            h("td", { class: "number" }, si(trial.joules ?? NaN, "J")), h("td", {}, String(trial.status).replace("_", " "))))))),
        found.trials.length > kTrials && !all && button(`all ${found.trials.length} solvers that were tried`,
          () => { all = true; update(); }, { class: "link" }));
  };
  return { element, update };
}
