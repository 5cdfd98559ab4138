// A headless Chromium, and reports to show in it.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";

const root = resolve(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "../..");
export const cli = process.env.NONSMOOTH_CLI ?? join(root, "build/bin/nonsmooth");
export const data = (name) => join(root, "tests/data", name);

const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser"]
  .find((path) => path && existsSync(path));
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
// WebGL by software: the same pictures on every machine.
const drawing = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

export function launch({ webgl = true } = {}) {
  return chromium.launch({
    executablePath: found,
    args: [...flags, ...(webgl ? drawing : ["--disable-3d-apis"])],
  });
}

export const folder = mkdtempSync(join(tmpdir(), "nonsmooth-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

/** Output of the command line. */
export function nonsmooth(...args) {
  return execFileSync(cli, args, { encoding: "utf8", maxBuffer: 1 << 28 });
}

let pages = 0;
export function report(...args) {
  const path = join(folder, `${++pages}.html`);
  nonsmooth("report", ...args, "--jobs", "1", "--deadline-ms", "5000", "--out", path);
  return path;
}

/** The same page with other data. */
export function altered(path, change) {
  const page = readFileSync(path, "utf8");
  const mark = 'id="report">';
  const first = page.indexOf(mark) + mark.length;
  const last = page.indexOf("</script", first);
  const json = JSON.parse(page.slice(first, last));
  change(json);
  const other = join(folder, `${++pages}.html`);
  writeFileSync(other, page.slice(0, first) + JSON.stringify(json).replaceAll("<", "\\u003c") + page.slice(last));
  return other;
}

/** Opens a page, and fails on errors of its script and on anything that it wants from elsewhere. */
export async function open(browser, path, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, ...options });
  page.troubles = [];
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") page.troubles.push(message.text());
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!/^(file:.*\.html$|data:|blob:)/.test(address)) page.troubles.push(`asked for ${address}`);
  });
  page.on("dialog", (dialog) => { page.troubles.push(`dialog: ${dialog.message()}`); void dialog.dismiss(); });
  await page.goto("file://" + path);
  await page.waitForSelector("html[data-ready]");
  return page;
}

/** Colour of the first half of the world at pixels that are asked for in the page. */
export function colourAt(page, [x, y]) {
  return page.evaluate(([px, py]) => {
    const { stage } = window.nonsmooth;
    stage.drawNow();
    const gl = stage.canvas.getContext("webgl2");
    const ratio = stage.canvas.width / stage.canvas.clientWidth;
    const rgba = new Uint8Array(4);
    gl.readPixels(Math.round(px * ratio), Math.round(stage.canvas.height - py * ratio), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, rgba);
    return [...rgba.slice(0, 3)];
  }, [x, y]);
}
