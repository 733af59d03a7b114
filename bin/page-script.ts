import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type BuildOptions, build } from "esbuild";

/**
 * Bundles code that is needed as a string: scripts that run inside pages, which can't import our modules, and the code of
 * threads, which has to be found wherever the rest is bundled. Each bundle becomes a module that exports the string. With
 * `--check`, only checks whether these modules are up to date.
 */
const PAGE_SCRIPT = "functions/scraping/page-script";
const inPage = { folder: PAGE_SCRIPT, options: { format: "iife", target: "chrome150" } } as const;
const inThread = {
  folder: "functions/threads",
  options: { format: "cjs", target: "node22", platform: "node" },
} as const;
const bundles = [
  { ...inPage, entry: "index.ts", name: "page-script", constant: "pageScriptCode" },
  { ...inPage, entry: "page-world/index.ts", name: "page-world", constant: "pageWorldCode" },
  { ...inPage, entry: "page-world/image-loads.ts", name: "image-loads", constant: "imageLoadsCode" },
  { ...inPage, entry: "json/index.ts", name: "json", constant: "jsonCode" },
  {
    ...inPage,
    entry: "dropdown.ts",
    name: "dropdown",
    constant: "dropdownCode",
    globalName: "dropdown",
  },
  {
    ...inPage,
    entry: "snapshot/index.ts",
    name: "snapshot",
    constant: "snapshotCode",
    globalName: "snapshot",
  },
  { ...inThread, entry: "main.ts", name: "thread", constant: "threadCode" },
];

for (const { folder, options, entry, name, constant, ...more } of bundles) {
  const { outputFiles } = await build({
    ...options,
    entryPoints: [pathOf(folder, entry)],
    bundle: true,
    minify: true,
    ...more,
    charset: "ascii",
    write: false,
  } as BuildOptions & { write: false });
  const code = outputFiles[0]?.text.trim() ?? "";
  const text = `// Made from ${entry} by \`npm run page-script\`. Do not edit.\nexport const ${constant} = ${JSON.stringify(code)};\n`;
  const target = pathOf(folder, `bundles/${name}.ts`);
  if (!process.argv.includes("--check")) {
    await writeFile(target, text);
  } else if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    console.error(`${folder}/bundles/${name}.ts is out of date. Run: npm run page-script`);
    process.exitCode = 1;
  }
}

function pathOf(folder: string, file: string): string {
  return fileURLToPath(new URL(`../${folder}/${file}`, import.meta.url));
}
