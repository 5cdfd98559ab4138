// What is shown in the world and how: solutions, colours, legend.
import { Kind, State as Contact } from "../data/world";
import type { ColourBy, State } from "../state";
import { css, gradient, JouleScale, kStates } from "../ui/palette";
import { si } from "../text/units";
import { button, choice, fill, h, select } from "../ui/dom";

export function lookBar(state: State, home: () => void) {
  const element = h("div", { class: "look" });
  const update = () => {
    const solvers = state.world.solutions.map((s, k) => [String(k), s.solver] as [string, string]);
    const left = select("Solution", solvers, (value) => state.show(Number(value), state.beside));
    left.value = String(state.solution);
    left.id = "solution";
    const right = select("Beside it", [["-1", "nothing"], ...solvers.filter(([k]) => k !== left.value)],
      (value) => state.show(state.solution, Number(value)));
    right.value = String(state.beside);
    right.id = "beside";
    const colour = choice<ColourBy>("Colour by", [["joules", "Joules"], ["state", "Stick/slip"], ["impulse", "Impulse"]],
      (value) => state.set("colourBy", value));
    colour.show(state.colourBy);
    const flag = (key: "forces" | "joints" | "contacts", label: string) => {
      const box = h("input", { type: "checkbox" });
      box.checked = state[key];
      box.addEventListener("change", () => state.set(key, box.checked));
      return h("label", {}, box, label);
    };
    const opacity = h("input", { type: "range", min: 0.1, max: 1, step: 0.05, "aria-label": "Opacity of bodies" });
    opacity.valueAsNumber = state.opacity;
    opacity.addEventListener("input", () => state.set("opacity", opacity.valueAsNumber));
    const joints = state.world.columns.kind.some((kind) => kind !== Kind.contact);
    fill(element,
      h("label", {}, "show", left), h("label", {}, "beside", right), colour.element,
      flag("contacts", "contacts"), flag("forces", "forces"), joints && flag("joints", "joints"),
      h("label", {}, "bodies", opacity), button("\u2302", home, { "aria-label": "Look at all of it", title: "Look at all of it" }));
  };
  return { element, update };
}

export function legend(state: State) {
  const element = h("div", { class: "scale", "aria-label": "Legend" });
  const update = () => {
    const { frame, world, shown, colourBy } = state;
    if (colourBy === "state") {
      const counts = new Map<number, number>();
      for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
        counts.set(shown.state[g], (counts.get(shown.state[g]) ?? 0) + 1);
      }
      const shownStates = [Contact.sticking, Contact.sliding, Contact.open, Contact.joint, Contact.atBound, Contact.unknown]
        .filter((each) => (counts.get(each) ?? 0) > 0);
      fill(element, ...shownStates.map((each) => h("span", { class: "key" },
        h("i", { style: `background:${css(kStates[each].colour)}` }), `${kStates[each].name} ${counts.get(each) ?? 0}`)));
      return;
    }
    let most = 0;
    for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
      const impulse = world.impulse(g, shown);
      if (Number.isFinite(impulse)) most = Math.max(most, impulse);
    }
    const joules = colourBy === "joules";
    const labels = joules
      ? Array.from({ length: JouleScale.decades + 1 }, (_, k) => si(state.scale.least * 10 ** k, "J", 1))
      : [0, 0.25, 1].map((share) => si(share * most, "N\u00b7s"));
    fill(element, h("div", { class: "ramp", style: `background:${gradient(colourBy)}` }),
      h("div", { class: "ticks" }, ...labels.map((text, k) =>
        h("span", {}, joules && k === 0 ? `\u2264 ${text}` : text))));
  };
  return { element, update };
}
