import { basename, join, relative } from "node:path";
import { type BuildOptions, type BuildResult, build, context, type Metafile } from "esbuild";
import { ASSETS, type ConsoleFiles, INDEX } from "./files.ts";

const FOLDER = join(import.meta.dirname, "..");

const options = {
  absWorkingDir: FOLDER,
  entryPoints: ["main.tsx", "icon.svg"],
  outdir: ASSETS,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  publicPath: `/${ASSETS}/`,
  bundle: true,
  // The code of each page is loaded when the page is first shown.
  splitting: true,
  format: "esm",
  minify: true,
  target: ["chrome123", "edge123", "firefox121", "safari17.5"],
  jsx: "automatic",
  jsxImportSource: "preact",
  loader: { ".svg": "copy", ".md": "file" },
  // The content security policy allows no source maps from another host, and the modules are small.
  sourcemap: false,
  legalComments: "none",
  metafile: true,
  write: false,
} as const satisfies BuildOptions;

/** A build of the console: its files and esbuild's metafile. */
export interface ConsoleBuild {
  files: ConsoleFiles;
  metafile: Metafile;
}

export const buildConsole = async (): Promise<ConsoleBuild> => toBuild(await build(options));

/**
 * Builds the console now and after each change of its source. `onBuild` gets each build, or the error of a failed one.
 */
export async function watchConsole(
  onBuild: (result: ConsoleBuild | Error) => void,
): Promise<{ stop(): Promise<void> }> {
  const watched = await context({
    ...options,
    logLevel: "info",
    plugins: [
      {
        name: "report",
        setup: ({ onEnd }) =>
          onEnd((result) => {
            const [error] = result.errors;
            onBuild(error ? new Error(error.text) : toBuild(result as BuildResult<typeof options>));
          }),
      },
    ],
  });
  await watched.watch();
  return { stop: () => watched.dispose() };
}

function toBuild({ outputFiles, metafile }: BuildResult<typeof options>): ConsoleBuild {
  const folder = join(FOLDER, ASSETS);
  const files = new Map<string, Uint8Array>(
    outputFiles.map(({ path, contents }) => [`${ASSETS}/${relative(folder, path)}`, contents]),
  );
  const paths = [...files.keys()];
  const main = paths.find((path) => /\/main-\w+\.js$/.test(path)) ?? "";
  const find = (pattern: RegExp) => `/${paths.find((path) => pattern.test(path)) ?? ""}`;
  const page = indexPage({
    script: `/${main}`,
    style: find(/\/main-\w+\.css$/),
    icon: find(/\/icon-\w+\.svg$/),
    chunks: firstLoad(metafile)
      .filter((path) => basename(path) !== basename(main))
      .map((path) => `/${path}`),
  });
  return { files: files.set(INDEX, Buffer.from(page)), metafile };
}

/** The paths of the scripts that every page needs: the entry, and all that it imports statically. */
export function firstLoad({ outputs }: Metafile): string[] {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "main.tsx");
  const found = new Set<string>();
  const add = (path: string) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement") add(imported);
    }
  };
  if (entry !== undefined) add(entry);
  return [...found];
}

const indexPage = ({
  script,
  style,
  icon,
  chunks,
}: Record<"script" | "style" | "icon", string> & { chunks: string[] }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Gleaner</title>
<link rel="icon" href="${icon}" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
${chunks.map((chunk) => `<link rel="modulepreload" href="${chunk}">\n`).join("")}<script type="module" src="${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript>The console needs JavaScript. The command line and the API work without it.</noscript>
</body>
</html>
`;
