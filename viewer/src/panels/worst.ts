// The contacts and joints of the shown step that are off most, and how many stick or slide.
import type { State } from "../state";
import { stateShares } from "../text/words";
import { percent, several, si } from "../text/units";
import { button, fill, h } from "../ui/dom";

const kShown = 6;

/** Groups of a frame by joules, the worst first; NaN counts as worst. */
export function worstGroups(state: State, most: number): number[] {
  const { frame, shown } = state;
  const rank = (g: number) => (Number.isNaN(shown.joules[g]) ? Infinity : shown.joules[g]);
  const worst: number[] = [];
  for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
    if (worst.length < most || rank(g) > rank(worst[worst.length - 1])) {
      let at = worst.findIndex((other) => rank(g) > rank(other));
      if (at < 0) at = worst.length;
      worst.splice(at, 0, g);
      if (worst.length > most) worst.pop();
    }
  }
  return worst;
}

export function worstPanel(state: State, look: (group: number) => void) {
  const element = h("section", { class: "card worst", "aria-label": "Worst contacts of this step" });
  return {
    element,
    update() {
      const { world, frame, shown } = state;
      const total = world.frameJoules(frame, shown);
      const shares = stateShares(world, frame, shown);
      const known = shown.known[frame.index] === 1;
      const groups = known ? worstGroups(state, kShown) : [];
      const rows = groups.map((g) => {
        const joules = shown.joules[g];
        const share = Number.isNaN(joules) ? 1 : total > 0 ? joules / total : 0;
        const length = Number.isNaN(joules) ? 1 : joules > 0 ? joules / shown.joules[groups[0]] : 0;
        const pick = () => { state.pick({ kind: "group", group: g }); look(g); };
        return h("tr", {},
          h("td", {}, button(world.groupName(frame, g), pick, { class: "link" })),
          h("td", { class: "muted" }, world.groupBodies(g)),
          h("td", { class: "number" }, si(joules, "J")),
          h("td", {}, h("span", { class: "bar", style: `--share:${length.toFixed(3)}`, title: `${percent(share)} of the step` })));
      });
      fill(element,
        h("h3", {}, `Worst in step ${frame.step}`),
        h("p", { class: "muted" }, known
          ? `${shown.solver}: off by ${si(total, "J")} over ${several(shares.contacts, "contact")}` +
            (shares.joints ? ` and ${several(shares.joints, "joint")}` : "") +
            (shares.contacts ? `; ${percent(shares.sticking / shares.contacts)} stick, ` +
            `${percent(shares.sliding / shares.contacts)} slide, ` +
            `${percent(shares.open / shares.contacts)} are open.` : ".")
          : `${shown.solver} has no solution of this step.`),
        rows.length > 0 && h("div", { class: "scroll" }, h("table", { class: "worst-table" },
          h("tbody", {}, ...rows))));
    },
  };
}
