// Reports of both engines' captures in a real browser: what is shown against what is in the files.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { colourAt, data, launch, nonsmooth, open, report, altered } from "./browser.mjs";

let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

/** "612 µJ" → 6.12e-4 */
function joules(text) {
  const match = /([\d.]+)\s*([TGMkmµnpf]?)J/.exec(text);
  assert.ok(match, text);
  const prefix = { T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, "µ": 1e-6, n: 1e-9, p: 1e-12, f: 1e-15 };
  return Number(match[1]) * prefix[match[2]];
}
const near = (shown, expected) =>
  assert.ok(Math.abs(shown - expected) <= 0.006 * expected, `${shown} is not ${expected}`);

for (const engine of ["bullet", "chrono"]) {
  const file = data(`${engine}/brick_wall.h5`);
  let path;
  let page;

  test(`${engine}: the page opens without a complaint`, async () => {
    path = report(file, "--solver", "psor,ip");
    page = await open(browser, path);
    await page.waitForTimeout(300);
    assert.deepEqual(page.troubles, []);
    assert.equal(await page.locator("h1").textContent(), "brick_wall");
  });

  test(`${engine}: the worst contact is that of explain, with its joules`, async () => {
    const told = JSON.parse(nonsmooth("explain", file, "--step", "0", "--try", "psor", "--json"));
    await page.click("#show-worst");
    await page.waitForSelector("#picked:not([hidden])");
    const title = (await page.locator("#picked h3").textContent()).toLowerCase();
    assert.equal(title, told.worst[0].name);
    near(joules(await page.locator("#picked .solution p").first().textContent()), told.worst[0].joules);
    near(joules(await page.locator(".names span").first().textContent()), told.joules);
    const rows = page.locator("#picked tbody tr");
    assert.equal(await rows.count(), 3);
    assert.match(await rows.first().textContent(), /normal.*N\u00b7s.*m\/s/);
  });

  test(`${engine}: the table is that of replay`, async () => {
    const replay = JSON.parse(nonsmooth("replay", file, "--solver", "psor", "--warm-start", "captured", "--json", "-"));
    for (const record of replay.results) {
      const row = page.locator("#solvers tbody tr", { has: page.locator(`th:text-is("${record.solver}")`) });
      near(joules(await row.locator("td").nth(7).textContent()), record.energy_error);
    }
    await page.click("#solvers button:text('worst')");
    const sorted = await page.locator("#solvers tbody tr td:nth-child(9)").allTextContents();
    const values = sorted.map(joules);
    assert.deepEqual(values, [...values].sort((a, b) => a - b));
  });

  test(`${engine}: a click picks the brick that is there`, async () => {
    await page.keyboard.press("Escape");
    for (const name of ["contacts", "forces"]) await page.getByLabel(name, { exact: true }).uncheck();
    const box = await page.locator(".stage canvas").boundingBox();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForSelector("#picked:not([hidden])");
    assert.match(await page.locator("#picked h3").textContent(), /^Body \d+$/);
    assert.match(await page.locator("#picked").textContent(), /mass.*kg/);
  });

  test(`${engine}: the worst brick is darker than the same one mended`, async () => {
    const at = await page.evaluate(() => {
      const { state } = window.nonsmooth;
      state.set("opacity", 1);
      state.pick(null);
      const { worst } = state.world.bodyJoules(state.frame, state.shown);
      // Among bricks: the ground has no mass.
      const body = [...worst.keys()].filter((b) => b > 0 && state.world.mass[b - 1] > 0)
        .reduce((a, b) => (worst[b] > worst[a] ? b : a));
      const entry = state.world.poses(state.frame)[body];
      const centre = [0, 1, 2].map((k) => state.world.columns.position[3 * entry + k]);
      window.nonsmooth.stage.lookAt(centre);
      window.nonsmooth.stage.drawNow();
      return window.nonsmooth.stage.project(centre);
    });
    await page.waitForTimeout(100);
    const bad = await colourAt(page, at);
    await page.selectOption("#solution", { label: "ip" });
    await page.waitForTimeout(200);
    const good = await colourAt(page, at);
    assert.ok(bad[0] > 1.5 * bad[2], `not red: ${bad}`);
    assert.ok(good[2] > bad[2] + 60, `not paler: ${good} after ${bad}`);
    assert.match(await page.locator(".names").textContent(), /^ip off by/);
  });

  test(`${engine}: two solutions stand side by side and change places`, async () => {
    await page.selectOption("#solution", { label: "engine" });
    await page.selectOption("#beside", { label: "psor" });
    assert.match(await page.locator(".names").textContent(), /^engine off by.*psor off by/);
    await page.keyboard.press("x");
    await page.waitForTimeout(100);
    assert.match(await page.locator(".names").textContent(), /^psor off by.*engine off by/);
    assert.deepEqual(page.troubles, []);
    await page.close();
  });
}

test("it plays to the end, scrubs and goes where the time line is clicked", async () => {
  const page = await open(browser, report(data("chain.h5"), "--solver", "psor"));
  await page.keyboard.press("Home");
  assert.match(await page.locator("#step-label").textContent(), /^step 0/);
  await page.keyboard.press(" ");
  const last = await page.evaluate(() => window.nonsmooth.state.world.frames - 1);
  await page.waitForFunction((end) => window.nonsmooth.state.frameIndex === end, last);
  assert.equal(await page.evaluate(() => window.nonsmooth.state.playing), false);
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.locator("#step-label").textContent(), new RegExp(`^step ${last - 1}`));
  await page.locator("[aria-label='Time line'] .u-over").scrollIntoViewIfNeeded();
  const plot = await page.locator("[aria-label='Time line'] .u-over").boundingBox();
  await page.mouse.move(plot.x + 0.3 * plot.width, plot.y + 20);
  await page.mouse.click(plot.x + 0.3 * plot.width, plot.y + 20);
  const step = await page.evaluate(() => window.nonsmooth.state.frame.step);
  assert.ok(Math.abs(step - 0.3 * last) < 3, `step ${step} of ${last}`);
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("names and texts are shown, never run", async () => {
  const evil = "</script><img src=x onerror=alert(1)><script>document.title='evil'</script>";
  const path = altered(report(data("balls.h5"), "--solver", "psor", "--steps", "20:30"), (json) => {
    json.notes.push(evil);
    const [file] = json.files;
    file.scene = file.engine = file.name = evil;
    for (const series of file.series) series.solver = series.law = evil;
    for (const solution of file.world.solutions) solution.solver = evil;
    for (const each of file.explanations) { each.advice = evil; each.trials[0].solver = evil; }
    json.comparison.contenders[0] = evil;
  });
  const page = await open(browser, path);
  await page.click("#show-worst");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("h1").textContent(), evil);
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.title()).startsWith("</script>"));
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("numbers that are none, one step, no step", async () => {
  const one = report(data("balls.h5"), "--solver", "psor", "--steps", "30");
  let page = await open(browser, one);
  assert.equal(await page.evaluate(() => window.nonsmooth.state.world.frames), 1);
  assert.deepEqual(page.troubles, []);
  await page.close();
  const none = altered(one, (json) => {
    const nothing = { type: "u8", count: 0, data: "" };
    const [file] = json.files;
    const empty = (columns) => { for (const key of Object.keys(columns)) if (columns[key]?.type) columns[key] = nothing; };
    empty(file.world.frames);
    file.world.solutions.forEach(empty);
    empty(file.curves);
    file.series = [];
    file.explanations = [];
  });
  page = await open(browser, none);
  assert.match(await page.locator(".verdict").textContent(), /no step/);
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("without WebGL curves and tables stay, and a sentence says why", async () => {
  const plain = await launch({ webgl: false });
  const page = await open(plain, report(data("balls.h5"), "--solver", "psor"));
  assert.match(await page.locator(".stage").textContent(), /no WebGL/);
  assert.equal(await page.locator("#solvers tbody tr").count(), 2);
  assert.ok(await page.locator(".u-over").count() >= 3);
  await page.click("#show-worst");
  assert.match(await page.locator("#picked h3").textContent(), /contact/i);
  await plain.close();
});

test("on a telephone nothing sticks out, in the dark it is dark", async () => {
  const path = report(data("balls.h5"), "--solver", "psor");
  const page = await open(browser, path, { viewport: { width: 390, height: 800 }, colorScheme: "dark" });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 390);
  const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g);
  assert.ok(Number(red) < 60, `background ${red}`);
  await page.close();
});

test("all that can be used has a name", async () => {
  const page = await open(browser, report(data("chain.h5"), "--solver", "psor"));
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, canvas[tabindex], [role=img]")]
    .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim()))
    .map((e) => e.outerHTML.slice(0, 80)));
  assert.deepEqual(nameless, []);
  await page.close();
});
