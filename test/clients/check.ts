import { execFile, spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { startWorld } from "../e2e/harness.ts";

/*
 * Lints openapi.json, then runs the commands and programs of docs/clients.md against a service of its own and compares
 * their output. The tools are installed into a temporary folder, from the npm registry and PyPI.
 */

const HERE = import.meta.dirname;
const INSTALLS = /^(npm install|pip install|python3 -m venv) /;

/** A section of docs/clients.md: commands, a program that the last command runs, and the program's output. */
interface Section {
  title: string;
  commands: string[];
  program: string;
  language: "ts" | "python";
  output: string;
}

const folder = await mkdtemp(join(tmpdir(), "gleaner-clients-"));
const env = {
  ...process.env,
  PATH: `${join(folder, "venv", "bin")}:${process.env.PATH}`,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};
try {
  await install();
  await lint();
  for (const section of await sections()) await check(section);
  console.log("All clients work.");
} finally {
  await rm(folder, { recursive: true });
}

async function install(): Promise<void> {
  console.log(`Installing the tools into ${folder}`);
  for (const file of ["package.json", "package-lock.json", ".npmrc", "requirements.txt", "spectral.yaml"]) {
    await copyFile(join(HERE, file), join(folder, file));
  }
  await copyFile(join(PROJECT_FOLDER, "openapi.json"), join(folder, "openapi.json"));
  await run("npm ci --ignore-scripts --loglevel=error");
  await run("python3 -m venv venv");
  await run("pip install --quiet --disable-pip-version-check --requirement requirements.txt");
}

async function lint(): Promise<void> {
  await run("npx redocly lint openapi.json");
  await run("npx spectral lint --ruleset spectral.yaml --fail-severity=warn openapi.json");
}

async function sections(): Promise<Section[]> {
  const page = await readFile(join(PROJECT_FOLDER, "docs", "clients.md"), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const block = (language: string) =>
        new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(text)?.[1];
      const language = block("ts") === undefined ? "python" : "ts";
      return {
        title: text.slice(0, text.indexOf("\n")),
        commands: (block("sh") ?? "").split("\n").filter((line) => line !== "" && !INSTALLS.test(line)),
        program: block(language) ?? "",
        language,
        output: block("text") ?? "",
      };
    });
}

/** Each section has a folder and a service of its own. */
async function check({ title, commands, program, language, output }: Section): Promise<void> {
  console.log(`\n${title}`);
  const place = join(folder, title.replaceAll(/\W+/g, "-"));
  await mkdir(place);
  await copyFile(join(folder, "openapi.json"), join(place, "openapi.json"));
  await writeFile(join(place, language === "ts" ? "example.ts" : "example.py"), program);
  const last = commands.pop() ?? "";
  for (const command of commands) await run(command, place);
  if (language === "ts") {
    await run(
      "npx tsc --noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module esnext --moduleResolution bundler example.ts",
      place,
    );
  }
  const printed = await withScraper((variables) => outputOf(last, place, variables));
  if (printed !== output) throw new Error(`${last} printed\n${printed}\ninstead of\n${output}`);
  process.stdout.write(printed);
}

/** Runs a service with the scraper of the examples. */
async function withScraper<T>(work: (variables: Record<string, string>) => Promise<T>): Promise<T> {
  const world = await startWorld();
  try {
    const definition = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
    await world.putScraper(JSON.parse(definition.replace("http://localhost:4100", world.shopUrl)));
    return await work({ GLEANER_URL: world.service.url, GLEANER_KEY: world.service.credentials.api_key });
  } finally {
    await world.stop();
  }
}

async function run(command: string, cwd = folder): Promise<void> {
  console.log(`$ ${command}`);
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
  const status = await new Promise((resolve) => child.once("exit", resolve));
  if (status !== 0) throw new Error(`${command} exited with status ${status}`);
}

async function outputOf(command: string, cwd: string, variables: Record<string, string>): Promise<string> {
  console.log(`$ ${command}`);
  const { stdout } = await promisify(execFile)("sh", ["-c", command], {
    cwd,
    env: { ...env, ...variables },
    timeout: 60_000,
  });
  return stdout;
}
