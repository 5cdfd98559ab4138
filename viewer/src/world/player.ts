// Play, pause, scrub, speed; and the keys.
import type { State } from "../state";
import { si } from "../text/units";
import { button, h, select } from "../ui/dom";

/** [frames a second] of files that know no time. */
const kTimeless = 10;

export class Player {
  readonly element: HTMLElement;
  private readonly slider = h("input", { type: "range", min: 0, step: 1, "aria-label": "Step" });
  private readonly label = h("output", { class: "step", id: "step-label" });
  private readonly toggle: HTMLButtonElement;
  private clock = 0; // [s] of the simulation
  private last = 0; // [ms] of the browser

  constructor(private readonly state: State) {
    this.toggle = button("\u25b6", () => this.play(!state.playing), { class: "play" });
    this.slider.addEventListener("input", () => { this.play(false); state.goTo(this.slider.valueAsNumber); });
    const speed = select("Speed", [["0.1", "0.1\u00d7"], ["0.25", "0.25\u00d7"], ["1", "1\u00d7"],
      ["4", "4\u00d7"]], (value) => { state.speed = Number(value); });
    speed.value = "1";
    this.element = h("div", { class: "player" },
      this.toggle,
      button("\u2039", () => this.move(-1), { "aria-label": "One step back" }),
      button("\u203a", () => this.move(1), { "aria-label": "One step on" }),
      this.slider, this.label, speed);
    this.show();
  }

  move(by: number): void { this.play(false); this.state.goTo(this.state.frameIndex + by); }

  show(): void {
    const { state } = this;
    const { curves } = state.file;
    this.slider.max = String(Math.max(0, state.world.frames - 1));
    this.slider.valueAsNumber = state.frameIndex;
    const step = state.frame.step;
    const k = this.curve(state.frameIndex);
    const time = curves.time[k];
    this.label.textContent = `step ${step}` + (Number.isFinite(time) ? ` \u00b7 ${si(time, "s")}` : "");
    this.slider.setAttribute("aria-valuetext", this.label.textContent);
    this.toggle.textContent = state.playing ? "\u275a\u275a" : "\u25b6";
    this.toggle.setAttribute("aria-label", state.playing ? "Pause" : "Play");
  }

  private curve(frame: number): number {
    return this.state.file.curves.step.indexOf(this.state.world.columns.step[frame]);
  }

  /** [s] from a frame to the next. */
  private pause(frame: number): number {
    const { time } = this.state.file.curves;
    const between = time[this.curve(frame + 1)] - time[this.curve(frame)];
    return between > 0 && between < 10 ? between : between === 0 ? 0 : 1 / kTimeless;
  }

  play(playing: boolean): void {
    const { state } = this;
    if (playing === state.playing) return;
    if (playing && state.frameIndex >= state.world.frames - 1) state.goTo(0);
    state.play(playing);
    if (!playing) return;
    this.clock = 0;
    this.last = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    const { state } = this;
    if (!state.playing) return;
    this.clock += Math.min(0.25, (now - this.last) / 1000) * state.speed;
    this.last = now;
    let frame = state.frameIndex;
    while (frame < state.world.frames - 1 && this.clock >= this.pause(frame)) {
      this.clock -= this.pause(frame++);
    }
    state.goTo(frame);
    if (frame >= state.world.frames - 1) return this.play(false);
    requestAnimationFrame((next) => this.tick(next));
  }

  /** True if the key meant something. */
  key(event: KeyboardEvent): boolean {
    const { state } = this;
    const many = event.shiftKey ? 10 : 1;
    switch (event.key) {
      case " ": this.play(!state.playing); return true;
      case "ArrowRight": this.move(many); return true;
      case "ArrowLeft": this.move(-many); return true;
      case "Home": this.move(-Infinity); return true;
      case "End": this.move(Infinity); return true;
      case "w": this.play(false); state.goTo(state.worstFrame); return true;
      case "x": if (state.beside >= 0) state.show(state.beside, state.solution); return true;
      case "f": state.set("forces", !state.forces); return true;
      case "j": state.set("joints", !state.joints); return true;
      case "Escape": state.pick(null); return true;
      default: return false;
    }
  }
}
