import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { build } from "esbuild";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";

interface LockedPackage {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  inBundle?: boolean;
  hasInstallScript?: boolean;
  license?: string;
  dev?: boolean;
}

const read = (path: string) => readFileSync(join(PROJECT_FOLDER, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const direct: Record<string, string> = {
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
};
const locked = Object.entries<LockedPackage>(JSON.parse(read("package-lock.json")).packages).filter(
  // The project itself and its own packages.
  ([path, { link }]) => path.includes("node_modules/") && !link,
);
/** Where each package runs, as docs/dependencies.md has it. */
const where = new Map(
  [...read("docs/dependencies.md").matchAll(/^\| `(\S+)` \| ([^|]+) \|/gm)].map(([, name, place]) => [
    name as string,
    place as string,
  ]),
);
const at = (...places: string[]) =>
  [...where].flatMap(([name, place]) => (places.includes(place) ? [name] : [])).sort();

describe("docs/dependencies.md", () => {
  test("names the dependencies of package.json and no others", () => {
    expect([...where.keys()].sort()).toEqual(Object.keys(direct).sort());
  });

  test("tells what is for development and deployment alone", () => {
    const development = Object.keys({ ...manifest.devDependencies, ...manifest.optionalDependencies });
    expect(at("deploy", "development")).toEqual(development.sort());
  });

  test("has the Node.js that docs/hosting.md says how to install", () => {
    const { node } = manifest.dependencies;
    expect(read("docs/hosting.md")).toContain(`/v${node}/node-v${node}-linux-x64.tar.xz`);
  });

  test("tells what is in the Lambda functions", async () => {
    const folder = join(PROJECT_FOLDER, "functions", "lambda");
    const files = (await readdir(folder, { recursive: true })).filter(
      (file) =>
        file.endsWith(".ts") && readFileSync(join(folder, file), "utf8").includes("export const handler"),
    );
    const isApi = (file: string) => file.startsWith("api/");
    const [api = [], others = []] = await Promise.all(
      [files.filter(isApi), files.filter((file) => !isApi(file))].map((some) =>
        dependenciesOf(some.map((file) => join(folder, file))),
      ),
    );
    expect(api.sort()).toEqual(at("API"));
    expect(others.filter((name) => !api.includes(name)).sort()).toEqual(
      // What the browser's package is asked for is its files, not its code.
      at("workers", "executor's files").filter((name) => name !== "@sparticuz/chromium"),
    );
  });

  test("are enough for the service, its console and the demo without those for development", async () => {
    const { metafile } = await build({
      entryPoints: [
        ...["bin/after-install.js", "bin/gleaner.js", "bin/pack.ts", "examples/demo.ts"],
        // The service bundles these when it is started.
        ...["console/main.tsx", "console/build/write.ts"],
      ],
      absWorkingDir: PROJECT_FOLDER,
      outdir: "unwritten",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      packages: "external",
      jsx: "automatic",
      jsxImportSource: "preact",
      loader: { ".css": "empty", ".md": "empty" },
      metafile: true,
      write: false,
    });
    const imported = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.flatMap(({ path, external }) =>
        external && !path.startsWith("node:")
          ? [path.split("/", path.startsWith("@") ? 2 : 1).join("/")]
          : [],
      ),
    );
    expect(imported).toEqual(expect.arrayContaining(["esbuild", "preact", "commander"]));
    expect(imported.filter((name) => !(name in manifest.dependencies))).toEqual([]);
  });

  /** The direct dependencies whose code is in a bundle of these files, or called from it. */
  async function dependenciesOf(files: string[]): Promise<string[]> {
    const contents = files.map((file, index) => `export * as file${index} from ${JSON.stringify(file)};`);
    const { metafile } = await build({
      stdin: { contents: contents.join("\n"), resolveDir: PROJECT_FOLDER },
      absWorkingDir: PROJECT_FOLDER,
      bundle: true,
      format: "esm",
      platform: "node",
      mainFields: ["module", "main"],
      external: ["playwright-core"],
      metafile: true,
      write: false,
    });
    const used = Object.values(metafile.outputs).flatMap(({ inputs, imports }) => [
      ...Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
      ...imports.flatMap(({ path, external }) => (external ? [`node_modules/${path}/`] : [])),
    ]);
    return Object.keys(direct).filter((name) =>
      used.some((path) => path.startsWith(`node_modules/${name}/`)),
    );
  }
});

describe("package-lock.json", () => {
  test("holds the hash of everything, and no address", () => {
    // What a package brings along inside of itself is in that package's hash.
    const unhashed = locked.filter(
      ([, { integrity, inBundle }]) => !inBundle && !/^sha512-/.test(integrity ?? ""),
    );
    expect(unhashed.map(([path]) => path)).toEqual([]);
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
    expect(read("package-lock.json")).not.toMatch(/https?:\/\/[^"]*\.tgz/);
  });

  test("has no engines, of which npm would warn where it runs on an older Node.js", () => {
    const lockfile = JSON.parse(read("package-lock.json"));
    const packages = Object.entries<{ engines?: unknown }>(lockfile.packages);
    // `npm run lockfile` removes them.
    expect(packages.flatMap(([path, { engines }]) => (engines === undefined ? [] : [path]))).toEqual([]);
    expect(manifest.engines).toBeUndefined();
    expect(read(".npmrc")).not.toContain("loglevel");
  });

  test("has the very versions that package.json names", () => {
    for (const [name, version] of Object.entries(direct)) {
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(locked.find(([path]) => path === `node_modules/${name}`)?.[1].version).toBe(version);
    }
  });

  test("has no script on installation that nobody has decided about", () => {
    const scripted = locked.flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.replace(/^.*node_modules\//, "")] : [],
    );
    expect(Object.keys(manifest.allowScripts)).toEqual(expect.arrayContaining([...new Set(scripted)]));
    const allowed = Object.entries(manifest.allowScripts).flatMap(([name, yes]) => (yes ? [name] : []));
    expect(allowed.sort()).toEqual(["esbuild", "node"]);
    // npm only warns of a package that nobody has decided about, and runs its script.
    expect(read(".npmrc")).toMatch(/^strict-allow-scripts=true$/m);
  });

  test.each(["test/clients", "test/widgets"])("of %s has no such script either", (folder) => {
    const { packages } = JSON.parse(read(`${folder}/package-lock.json`));
    const { allowScripts = {} } = JSON.parse(read(`${folder}/package.json`));
    const scripted = Object.entries<LockedPackage>(packages).flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? [path.replace(/^.*node_modules\//, "")] : [],
    );
    expect([...new Set(scripted)].filter((name) => allowScripts[name] !== false)).toEqual([]);
  });

  test("has permissive licences alone", () => {
    const permissive =
      /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC-BY-4\.0|CC0-1\.0|Unlicense)$/;
    const isPermissive = (license: string): boolean => {
      const text = license.replace(/^\((.*)\)$/, "$1");
      if (text.includes(" OR ")) return text.split(" OR ").some(isPermissive);
      return text.split(" AND ").every((part) => permissive.test(part));
    };
    const others = locked.filter(([, { license = "" }]) => !isPermissive(license));
    // Weak copyleft, in tests alone: docs/dependencies.md.
    expect(others.map(([path, { license, dev }]) => [path, license, dev])).toEqual([
      ["node_modules/axe-core", "MPL-2.0", true],
    ]);
  });
});

test("CI calls actions by commit, so that nobody can put another one in its place", () => {
  const called = [...read(".github/workflows/ci.yml").matchAll(/uses: (\S+)(.*)$/gm)];
  expect(called).not.toEqual([]);
  for (const [, action, comment] of called) {
    expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
    expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});
