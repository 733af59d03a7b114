import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { build } from "esbuild";

const inRepository = (path: string) => new URL(`../../${path}`, import.meta.url);

test("the image of the service is built from all folders that its code comes from", async () => {
  const { metafile } = await build({
    absWorkingDir: inRepository(".").pathname,
    entryPoints: ["bin/gleaner.js", "bin/pack.ts", "console/main.tsx"],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    loader: { ".svg": "copy", ".md": "file" },
    outdir: "unused",
    write: false,
    metafile: true,
  });
  const folders = new Set(Object.keys(metafile.inputs).map((path) => path.split("/")[0]));
  const copied = (await readFile(inRepository("local/host/Dockerfile.dockerignore"), "utf8")).split("\n");
  expect(copied).toEqual(expect.arrayContaining([...folders].map((folder) => `!${folder}`)));
  expect(folders).toContain("console");
});
