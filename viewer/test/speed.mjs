// node test/speed.mjs PAGE.html: frames a second of a report while it is turned and while it is
// played, by whatever draws here: in a headless Chromium that is software.
import { launch, open } from "./browser.mjs";

const browser = await launch();
const page = await open(browser, process.argv[2]);
const measured = await page.evaluate(async () => {
  const { state, stage } = window.nonsmooth;
  const { frame, world } = state;
  const run = async (change) => {
    const gl = stage.canvas.getContext("webgl2");
    const pixel = new Uint8Array(4);
    const begin = performance.now();
    let count = 0;
    while (performance.now() - begin < 3000) {
      change(count++);
      stage.drawNow();
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel); // wait until it is drawn
      if (count % 8 === 0) await new Promise((next) => setTimeout(next));
    }
    return (1000 * count) / (performance.now() - begin);
  };
  const turned = await run(() => {});
  const played = await run((k) => { state.frameIndex = k % world.frames; stage.update(); });
  let updates = 0;
  const begin = performance.now();
  while (performance.now() - begin < 2000) { state.frameIndex = updates++ % world.frames; stage.update(); }
  return { bodies: frame.bodies[1] - frame.bodies[0], contacts: frame.groups[1] - frame.groups[0], turned, played,
    updateMs: (performance.now() - begin) / updates };
});
console.log(measured);
await browser.close();
