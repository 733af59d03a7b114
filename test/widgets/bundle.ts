import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { FOLDER } from "./folder.ts";

/** Loads the compilers, which are installed with the libraries and not with the project. */
const requireLibrary = createRequire(join(FOLDER, "package.json"));

export interface Bundle {
  js: string;
  css: string;
}

interface Compiled {
  js: { code: string };
  css?: { code: string } | null;
}
interface SvelteCompiler {
  compile(source: string, options: object): Compiled;
  compileModule(source: string, options: object): Compiled;
}

/** Compiles `.svelte` components and `.svelte.js` modules. */
const svelte: Plugin = {
  name: "svelte",
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte(\.js)?$/ }, ({ path }) => {
      const { compile, compileModule }: SvelteCompiler = requireLibrary("svelte/compiler");
      const source = readFileSync(path, "utf8");
      const { js } = path.endsWith(".js")
        ? compileModule(source, { generate: "client", filename: path })
        : compile(source, { generate: "client", css: "injected", filename: path });
      return { contents: js.code, loader: "js", resolveDir: dirname(path) };
    });
  },
};

interface Babel {
  transformAsync(source: string, options: object): Promise<{ code: string }>;
}

/** Compiles pages whose name begins with `solid`, which are JSX for Solid. All other JSX is for React. */
const solid: Plugin = {
  name: "solid",
  setup({ onLoad }) {
    onLoad({ filter: /\/pages\/solid[^/]*\.jsx$/ }, async ({ path }) => {
      const babel: Babel = requireLibrary("@babel/core");
      const { code } = await babel.transformAsync(readFileSync(path, "utf8"), {
        presets: [requireLibrary.resolve("babel-preset-solid")],
        filename: path,
        babelrc: false,
        configFile: false,
      });
      return { contents: code, loader: "js", resolveDir: dirname(path) };
    });
  },
};

const assets = Object.fromEntries(
  [".svg", ".png", ".gif", ".woff", ".woff2", ".ttf", ".eot"].map((ending) => [ending, "dataurl" as const]),
);

/** The path of the source of a page that is bundled; undefined for other pages. */
export const entryOf = (page: string): string | undefined =>
  [".jsx", ".js", ".svelte"]
    .map((ending) => join(FOLDER, "pages", page + ending))
    .find((path) => existsSync(path));

/** Bundles a page as for production. Returns its script and style sheet. */
export async function bundle(entry: string): Promise<Bundle> {
  const isSvelte = entry.endsWith(".svelte");
  const mount = `import { mount } from "svelte";
    import App from "./${basename(entry)}";
    mount(App, { target: document.getElementById("root") });`;
  const { outputFiles } = await build({
    ...(isSvelte
      ? { stdin: { contents: mount, resolveDir: dirname(entry), loader: "js" } }
      : { entryPoints: [entry] }),
    bundle: true,
    write: false,
    outdir: "/bundles",
    format: "esm",
    target: "es2022",
    minify: true,
    jsx: "automatic",
    conditions: ["browser", "production", ...(isSvelte ? ["svelte"] : [])],
    mainFields: isSvelte ? ["svelte", "browser", "module", "main"] : ["browser", "module", "main"],
    define: {
      "process.env.NODE_ENV": '"production"',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    // This build of Vue can compile templates in the browser.
    alias: { vue: "vue/dist/vue.esm-bundler.js" },
    loader: assets,
    plugins: [svelte, solid],
    absWorkingDir: FOLDER,
    logLevel: "silent",
  });
  const text = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return { js: text(".js"), css: text(".css") };
}
