// One chart: lines over a common axis, with a legend of buttons that switch them.
import uPlot from "uplot";
import { plain, si } from "../text/units";
import { line } from "../ui/palette";
import { fill, h } from "../ui/dom";

export interface Line { label: string; x: ArrayLike<number>; y: ArrayLike<number>; index: number }

export interface Axis {
  name: string;
  unit: string; // empty: a plain number
  scale: "linear" | "log" | "asinh";
}

export interface ChartOptions {
  title: string;
  says: string; // to those who cannot see it
  x: Axis;
  y: Axis;
  lines: Line[];
  steps?: boolean; // stays until the next point instead of going straight to it
  bars?: boolean;
  height?: number;
  mark?: () => number; // of x, where a line is drawn
  click?: (x: number) => void;
  quiet?: string[]; // labels of lines that are not shown until they are asked for
}

const kHeight = 230;

function style(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function text(axis: Axis, value: number): string {
  return axis.unit === "" ? plain(value, 3) : si(value, axis.unit, 3);
}

/** Lines with axes of their own on one common axis; what a line does not have there is null. */
function align(lines: Line[], y: Axis, x: Axis, steps: boolean): (number | null)[][] {
  const usable = (axis: Axis, value: number) => Number.isFinite(value) && (axis.scale !== "log" || value > 0);
  const all = new Set<number>();
  const maps = lines.map(({ x: xs, y: ys }) => {
    const map = new Map<number, number>();
    for (let k = 0; k < xs.length; ++k) {
      if (!usable(x, xs[k])) continue;
      all.add(xs[k]);
      if (usable(y, ys[k])) map.set(xs[k], ys[k]);
    }
    return map;
  });
  const common = [...all].sort((a, b) => a - b);
  return [common, ...maps.map((map) => {
    let last: number | null = null;
    return common.map((value) => {
      const here = map.get(value);
      if (here !== undefined) last = here;
      return here ?? (steps ? last : null);
    });
  })];
}

/** Powers of ten, not more than fit: uPlot's own stop at 1e-16, and errors do not. */
function decades(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
  const by = Math.max(1, Math.ceil((last - first) / most));
  const powers: number[] = [];
  for (let k = first; k <= last; k += by) powers.push(10 ** k);
  return powers;
}

function axisOptions(axis: Axis): uPlot.Axis {
  return {
    ...(axis.scale === "log" && {
      splits: (plot: uPlot, which: number, low: number, high: number) =>
        decades(low, high, which === 0 ? Math.max(2, plot.width / 85) : 7),
      filter: (_: uPlot, splits: number[]) => splits,
    }),
    stroke: () => style("--text"),
    grid: { stroke: () => style("--grid"), width: 1 },
    ticks: { stroke: () => style("--grid"), width: 1 },
    label: axis.name, labelSize: 18, labelFont: "12px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    values: (_, splits) => splits.map((value) => (value === null || value === undefined ? ""
      : (axis.unit === "" ? plain(value, 4) : si(value, axis.unit, 3)).replace(/\.(\d*?)0+(?=\D|$)/, (_, kept) =>
        (kept ? "." + kept : "")))),
  };
}

function scaleOptions(axis: Axis): uPlot.Scale {
  if (axis.scale === "log") {
    return {
      time: false, distr: 3, log: 10,
      range: (_, low, high) => (low > 0 && high > 0
        ? [10 ** Math.floor(Math.log10(low)), 10 ** Math.ceil(Math.log10(high) + 1e-9)] : [0.1, 10]),
    };
  }
  if (axis.scale === "asinh") return { time: false, distr: 4, asinh: 1 };
  return { time: false, distr: 1 };
}

export class Chart {
  readonly element = h("figure", { class: "chart" });
  private readonly hidden = new Set<string>();
  private readonly known = new Set<string>(); // that were quiet once: from then on the user decides
  private plot: uPlot | null = null;
  private options: ChartOptions | null = null;

  constructor() {
    new ResizeObserver(() => {
      const width = this.box?.clientWidth ?? 0;
      if (this.plot && width > 0 && width !== this.plot.width) {
        this.plot.setSize({ width, height: this.plot.height });
      }
    }).observe(this.element);
  }

  private box: HTMLElement | null = null;

  show(options: ChartOptions): void {
    this.options = options;
    for (const label of options.quiet ?? []) {
      if (!this.known.has(label)) this.hidden.add(label);
      this.known.add(label);
    }
    this.plot?.destroy();
    this.plot = null;
    const lines = options.lines.filter((each) => each.x.length > 0);
    this.box = h("div", { class: "plot", role: "img", "aria-label": `${options.title}. ${options.says}` });
    const readout = h("span", { class: "readout" });
    fill(this.element, h("figcaption", {}, options.title, readout), this.box,
      lines.length > 1 && this.legend(lines));
    if (lines.length === 0) {
      this.box.append(h("p", { class: "muted" }, options.says));
      return;
    }
    const data = align(lines, options.y, options.x, options.steps ?? false);
    if (data[0].length === 0) { this.box.append(h("p", { class: "muted" }, "Nothing to draw.")); return; }
    this.plot = new uPlot(this.uplotOptions(options, lines, readout), data as uPlot.AlignedData, this.box);
  }

  private uplotOptions(options: ChartOptions, lines: Line[], readout: HTMLElement): uPlot.Options {
    return {
      width: this.box!.clientWidth || 600, height: options.height ?? kHeight,
      legend: { show: false },
      scales: { x: scaleOptions(options.x), y: scaleOptions(options.y) },
      axes: [{ ...axisOptions(options.x), size: 44 }, { ...axisOptions(options.y), size: 66 }],
      cursor: { y: false, drag: { x: true, y: false }, points: { size: 6 } },
      series: [{}, ...lines.map((each) => {
        const { colour, dash } = line(each.index);
        const one = each.x.length < 3;
        return {
          label: each.label, stroke: colour, dash, width: 1.75, spanGaps: true,
          show: !this.hidden.has(each.label),
          fill: options.bars ? colour + "88" : undefined,
          points: { show: one || undefined, size: one ? 8 : 4 },
          paths: options.bars ? uPlot.paths.bars!({ size: [0.9, 60] })
            : options.steps ? uPlot.paths.stepped!({ align: 1 }) : undefined,
        };
      })],
      hooks: {
        setCursor: [(plot) => { readout.textContent = this.read(plot, options, lines); }],
        draw: [(plot) => this.drawMark(plot)],
        ready: [(plot) => {
          plot.over.addEventListener("click", () => {
            const at = plot.cursor.idx;
            if (options.click && at !== null && at !== undefined) options.click(plot.data[0][at]);
          });
          if (options.click) plot.over.style.cursor = "pointer";
        }],
      },
    };
  }

  private read(plot: uPlot, options: ChartOptions, lines: Line[]): string {
    const at = plot.cursor.idx;
    if (at === null || at === undefined) return "";
    const values = lines.map((each, k) => [each.label, plot.data[k + 1][at]] as const)
      .filter(([label, value]) => value !== null && value !== undefined && !this.hidden.has(label))
      .slice(0, 6).map(([label, value]) => `${label} ${text(options.y, value as number)}`);
    return ` ${text(options.x, plot.data[0][at])}: ${values.join(", ")}`;
  }

  private drawMark(plot: uPlot): void {
    const mark = this.options?.mark?.();
    if (mark === undefined || !Number.isFinite(mark)) return;
    const x = plot.valToPos(mark, "x", true);
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = style("--accent");
    ctx.lineWidth = 2 * devicePixelRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }

  /** The mark has moved, or the colours have changed. */
  redraw(): void { this.plot?.redraw(false); }

  private legend(lines: Line[]): HTMLElement {
    return h("div", { class: "legend" }, ...lines.map((each, k) => {
      const { colour, dash } = line(each.index);
      const toggle = h("button", { type: "button", "aria-pressed": String(!this.hidden.has(each.label)) },
        h("span", { class: "swatch", style: `border-top-color:${colour};border-top-style:${dash.length ? "dashed" : "solid"}` }),
        each.label);
      toggle.addEventListener("click", () => {
        if (!this.hidden.delete(each.label)) this.hidden.add(each.label);
        const shown = !this.hidden.has(each.label);
        toggle.setAttribute("aria-pressed", String(shown));
        this.plot?.setSeries(k + 1, { show: shown });
      });
      return toggle;
    }));
  }
}
