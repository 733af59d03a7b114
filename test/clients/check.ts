import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { routes } from "../../functions/contract/routes.ts";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { startWorld, type World } from "../e2e/harness.ts";
import { callsOf, requireSuccess } from "./every-route/calls.ts";

/*
 * Lints openapi.json, then runs the commands and programs of docs/clients.md word by word against a service of its own,
 * compares their output, and looks for every route in the generated code. With each client of a program, it also calls
 * every route. Everything is installed into a temporary
 * folder: the linters in the versions of package-lock.json, the rest as the page says.
 */

const HERE = import.meta.dirname;

/** The programs in every-route that call every route, by the section of docs/clients.md whose client they use. */
const programs: Record<string, string> = {
  "TypeScript: openapi-typescript and openapi-fetch": "openapi-fetch.ts",
  "TypeScript: @hey-api/openapi-ts": "hey-api.ts",
  "Python: openapi-python-client": "openapi-python-client.py",
  "Python: OpenAPI Generator": "openapi-generator.py",
};

/** A section of docs/clients.md: commands, a program that the last command runs, and the program's output. */
interface Section {
  title: string;
  commands: string[];
  program: string;
  language: "ts" | "python" | undefined;
  output: string;
}

const folder = await mkdtemp(join(tmpdir(), "gleaner-clients-"));
/** The environment of a reader: without the settings of this project, which npm hands down. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
};
try {
  await lint();
  for (const section of await sections()) await check(section);
  console.log("All clients work.");
} finally {
  await rm(folder, { recursive: true });
}

async function lint(): Promise<void> {
  for (const file of ["package.json", "package-lock.json", ".npmrc", "spectral.yaml"]) {
    await copyFile(join(HERE, file), join(folder, file));
  }
  await copyFile(join(PROJECT_FOLDER, "openapi.json"), join(folder, "openapi.json"));
  await run("npm ci --ignore-scripts --loglevel=error", folder);
  await run("npx redocly lint openapi.json", folder);
  await run("npx spectral lint --ruleset spectral.yaml --fail-severity=warn openapi.json", folder);
}

async function sections(): Promise<Section[]> {
  const page = await readFile(join(PROJECT_FOLDER, "docs", "clients.md"), "utf8");
  return page
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const block = (language: string) =>
        new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "ms").exec(text)?.[1];
      const language = (["ts", "python"] as const).find((one) => block(one) !== undefined);
      return {
        title: text.slice(0, text.indexOf("\n")),
        commands: (block("sh") ?? "").split("\n").filter((line) => line !== ""),
        program: (language && block(language)) ?? "",
        language,
        output: block("text") ?? "",
      };
    });
}

/** Each section has a folder and a service of its own, and one shell, because a command may change its environment. */
async function check({ title, commands, program, language, output }: Section): Promise<void> {
  console.log(`\n${title}`);
  const place = await mkdtemp(join(tmpdir(), "gleaner-client-"));
  try {
    await copyFile(join(folder, "openapi.json"), join(place, "openapi.json"));
    if (language) await writeFile(join(place, language === "ts" ? "example.ts" : "example.py"), program);
    const last = commands.pop() ?? "";
    for (const command of [...commands, last]) console.log(`$ ${command}`);
    const quiet = (command: string) => `{ ${command}\n} >&2`;
    // Only programs print what the page shows.
    const script = ["set -e", ...commands.map(quiet), language ? last : quiet(last)].join("\n");
    const runProgram = async (variables: Record<string, string>) => {
      const printed = await outputOf(script, place, variables);
      if (printed !== output) throw new Error(`${last} printed\n${printed}\ninstead of\n${output}`);
      process.stdout.write(printed);
    };
    if (language === undefined) await runProgram({});
    else
      await withScraper(async (world, variables) => {
        await runProgram(variables);
        await callEveryRoute(world, { title, place, last, variables });
      });
    await requireRoutes(place);
    if (language === "ts") {
      await run("npm install --silent --save-dev @types/node", place);
      await run(
        "npx tsc --noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2022 --module esnext --moduleResolution bundler --types node example.ts",
        place,
      );
    }
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Calls every route with the generated client, by a program that is run as the last command runs that of the page. */
async function callEveryRoute(
  world: World,
  { title, place, last, variables }: Record<"title" | "place" | "last", string> & { variables: object },
): Promise<void> {
  const program = programs[title];
  if (program === undefined) throw new Error(`No program calls every route with the client of "${title}".`);
  const calls = await callsOf(world);
  await writeFile(join(place, "calls.json"), JSON.stringify(calls));
  const file = `every-route${extname(program)}`;
  await copyFile(join(HERE, "every-route", program), join(place, file));
  const command = last.replace(/example\.\w+$/, file);
  const activated = existsSync(join(place, "venv")) ? `. venv/bin/activate && ${command}` : command;
  requireSuccess(calls, await outputOf(activated, place, { ...variables }));
  console.log(`All ${calls.length} routes were called.`);
}

/** Checks that the code that was generated into a folder has every operation of the API, however it writes the names. */
async function requireRoutes(place: string): Promise<void> {
  const files = await readdir(place, { recursive: true, withFileTypes: true });
  const code = new Set<string>();
  for (const file of files) {
    const path = join(file.parentPath, file.name);
    if (
      !file.isFile() ||
      !/\.(ts|py|go|java)$/.test(path) ||
      /node_modules|venv|\/docs\/|example\./.test(path)
    )
      continue;
    for (const text of [path, await readFile(path, "utf8")]) {
      for (const [word] of text.matchAll(/\w+/g)) code.add(word.replaceAll("_", "").toLowerCase());
    }
  }
  const missing = Object.keys(routes).filter((name) => !code.has(name.toLowerCase()));
  if (missing.length > 0) throw new Error(`The generated code has no ${missing.join(", ")}.`);
  console.log(`All ${Object.keys(routes).length} routes are there.`);
}

/** Runs a service with the scraper of the examples. */
async function withScraper<T>(
  work: (world: World, variables: Record<string, string>) => Promise<T>,
): Promise<T> {
  const world = await startWorld();
  try {
    // There are more routes than a key may call in ten seconds by default.
    await world.setLimits({ rate_limit: 1_000 });
    const definition = await readFile(join(PROJECT_FOLDER, "examples", "shop-catalogue.json"), "utf8");
    await world.putScraper(JSON.parse(definition.replace("http://localhost:4100", world.shopUrl)));
    return await work(world, {
      GLEANER_URL: world.service.url,
      GLEANER_KEY: world.service.credentials.api_key,
    });
  } finally {
    await world.stop();
  }
}

async function run(command: string, cwd: string): Promise<void> {
  console.log(`$ ${command}`);
  const child = spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "inherit", "inherit"] });
  const [status] = await once(child, "exit");
  if (status !== 0) throw new Error(`${command} exited with status ${status}`);
}

/** What a script prints, without its standard error. */
async function outputOf(script: string, cwd: string, variables: Record<string, string>): Promise<string> {
  const child = spawn("sh", ["-c", script], {
    cwd,
    env: { ...env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed, [status]] = await Promise.all([text(child.stdout), once(child, "exit")]);
  if (status !== 0) throw new Error(`It exited with status ${status}, and printed ${printed}`);
  return printed;
}
