// Builds dist/page.html: one page with one script, which `nonsmooth report` puts its data into.
// The content security policy lets this script run and nothing else: no network, and no script
// that a capture might smuggle in.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const here = new URL(".", import.meta.url).pathname;
const result = await build({
  entryPoints: [here + "src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii", // of C++ texts nobody knows in which encoding they are read
  legalComments: "inline", // the licences of three and uPlot
  loader: { ".css": "text" },
  write: false,
});
const script = result.outputFiles[0].text.replaceAll("</script", "<\\/script").trim();
const hash = createHash("sha256").update(script).digest("base64");
const page = readFileSync(here + "src/page.html", "utf8")
  .replace("@HASH@", () => hash)
  .replace("@SCRIPT@", () => script);
for (const [what, wrong] of [
  ["characters that are not ASCII", /[^\x00-\x7f]/],
  ["the end of the C++ text it is embedded as", /\)nonsmooth"/],
]) {
  if (wrong.test(page)) throw new Error("the page holds " + what);
}
if (page.split("@REPORT@").length !== 2) throw new Error("the page wants one place for its data");
mkdirSync(here + "dist", { recursive: true });
writeFileSync(here + "dist/page.html", page);
console.log(`dist/page.html: ${Math.round(page.length / 1000)} kB`);
