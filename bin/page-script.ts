import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles the page script into one module that exports its code, because a page can't import modules of ours. With
 * `--check`, only tells whether that module is up to date.
 */
const folder = new URL("../functions/scraping/page-script/", import.meta.url);
const target = new URL("bundle.ts", folder);

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("index.ts", folder))],
  bundle: true,
  minify: true,
  format: "iife",
  target: "chrome150",
  charset: "ascii",
  write: false,
});
const code = outputFiles[0]?.text.trim() ?? "";
const text = `// Made from index.ts by \`npm run page-script\`. Do not edit.\nexport const pageScriptCode = ${JSON.stringify(code)};\n`;

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error("functions/scraping/page-script/bundle.ts is out of date. Run: npm run page-script");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
