// The card of what was clicked: all rows of a contact or joint, or all contacts of a body.
import { Kind, type Solution } from "../data/world";
import type { State } from "../state";
import { describe, lawName, massText, rowsOf, shapeNames } from "../text/words";
import { plain, si } from "../text/units";
import { announce, button, fill, h } from "../ui/dom";

function solutions(state: State): Solution[] {
  const all = state.world.solutions;
  return state.beside < 0 ? [all[state.solution]] : [all[state.solution], all[state.beside]];
}

function groupCard(state: State, group: number): Node[] {
  const { world, frame } = state;
  const shown = solutions(state);
  const { gap, friction, kind } = world.columns;
  const unit = (angular: boolean) => (angular ? ["N\u00b7m\u00b7s", "rad/s"] : ["N\u00b7s", "m/s"]);
  const contact = kind[group] === Kind.contact;
  const facts: [string, string][] = contact ? [
    ["gap", si(gap[group], "m")], ["friction \u00b5", plain(friction[3 * group])],
    ["law", lawName(world, group)],
  ] : [];
  if (friction[3 * group + 1] > 0) facts.push(["spinning \u00b5", si(friction[3 * group + 1], "m")]);
  if (friction[3 * group + 2] > 0) facts.push(["rolling \u00b5", si(friction[3 * group + 2], "m")]);
  const tables = shown.map((solution) => {
    const rows = rowsOf(world, group, solution).map((row) => {
      const [impulse, velocity] = unit(row.angular);
      return h("tr", {}, h("th", { scope: "row" }, row.name),
        h("td", {}, si(solution.x[row.row], impulse)), h("td", {}, row.bounds),
        h("td", {}, si(solution.w[row.row], velocity)));
    });
    return h("div", { class: "solution", "data-solver": solution.solver },
      h("h4", {}, solution.solver), h("p", {}, solution.known[frame.index]
        ? describe(world, group, solution) : "Has no solution of this step."),
      h("div", { class: "scroll" }, h("table", { class: "rows" },
        h("thead", {}, h("tr", {}, ...["row", "impulse", "may be", "velocity"]
          .map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, ...rows))));
  });
  return [
    h("p", { class: "between" }, "between ",
      ...[world.columns.bodyA[group], world.columns.bodyB[group]].flatMap((body, k) => [
        k > 0 ? " and " : "",
        body > 0 ? button(world.bodyName(body), () => state.pick({ kind: "body", body }), { class: "link" })
          : world.bodyName(body)])),
    facts.length > 0 && h("dl", { class: "facts" },
      ...facts.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    ...tables,
  ].filter(Boolean) as Node[];
}

function bodyCard(state: State, body: number): Node[] {
  const { world, frame } = state;
  const [shown] = solutions(state);
  const groups: number[] = [];
  for (let g = frame.groups[0]; g < frame.groups[1]; ++g) {
    if (world.columns.bodyA[g] === body || world.columns.bodyB[g] === body) groups.push(g);
  }
  groups.sort((a, b) => shown.joules[b] - shown.joules[a]);
  const joules = solutions(state).map((s) => `${si(world.bodyJoules(frame, s).sum[body], "J")} (${s.solver})`);
  return [
    h("dl", { class: "facts" }, h("dt", {}, "mass"), h("dd", {}, massText(world, body)),
      h("dt", {}, "shape"), h("dd", {}, shapeNames(world, body)),
      h("dt", {}, "off by"), h("dd", {}, joules.join(", "))),
    groups.length === 0 ? h("p", {}, "Nothing touches it in this step.")
      : h("ul", { class: "links" }, ...groups.slice(0, 24).map((g) => h("li", {},
        button(world.groupName(frame, g), () => state.pick({ kind: "group", group: g }), { class: "link" }),
        ` ${si(shown.joules[g], "J")}`))),
  ];
}

export function pickedPanel(state: State): { element: HTMLElement; update(): void } {
  const element = h("section", { class: "card picked", id: "picked", "aria-label": "Picked" });
  return {
    element,
    update() {
      const { picked, world, frame } = state;
      element.hidden = picked === null;
      if (picked === null) return;
      const title = picked.kind === "body" ? world.bodyName(picked.body)
        : world.groupName(frame, picked.group);
      fill(element, h("div", { class: "title" }, h("h3", {}, title[0].toUpperCase() + title.slice(1)),
        button("\u00d7", () => state.pick(null), { "aria-label": "Close", class: "close" })),
        ...(picked.kind === "body" ? bodyCard(state, picked.body) : groupCard(state, picked.group)));
      announce(`${title} picked`);
    },
  };
}
