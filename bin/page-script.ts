import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles the scripts that run inside pages. Each bundle becomes a module that exports the code as a string, because a
 * page can't import our modules. With `--check`, only checks whether these modules are up to date.
 */
const folder = "functions/scraping/page-script";
const bundles = [
  { entry: "index.ts", name: "page-script", constant: "pageScriptCode" },
  { entry: "page-world/index.ts", name: "page-world", constant: "pageWorldCode" },
  { entry: "page-world/image-loads.ts", name: "image-loads", constant: "imageLoadsCode" },
  { entry: "dropdown/index.ts", name: "dropdown", constant: "dropdownCode", globalName: "dropdown" },
  { entry: "snapshot/index.ts", name: "snapshot", constant: "snapshotCode", globalName: "snapshot" },
];

for (const { entry, name, constant, globalName } of bundles) {
  const bundle = `bundles/${name}.ts`;
  const { outputFiles } = await build({
    entryPoints: [pathOf(entry)],
    bundle: true,
    minify: true,
    format: "iife",
    ...(globalName && { globalName }),
    target: "chrome150",
    charset: "ascii",
    write: false,
  });
  const code = outputFiles[0]?.text.trim() ?? "";
  const text = `// Made from ${entry} by \`npm run page-script\`. Do not edit.\nexport const ${constant} = ${JSON.stringify(code)};\n`;
  const target = pathOf(bundle);
  if (!process.argv.includes("--check")) {
    await writeFile(target, text);
  } else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error(`${folder}/${bundle} is out of date. Run: npm run page-script`);
    process.exitCode = 1;
  }
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${folder}/${file}`, import.meta.url));
}
