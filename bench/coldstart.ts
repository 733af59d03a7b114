/**
 * Cold start: how large each function's bundle is, and how long a new process takes to load it. Asks that those which
 * answer requests stay below 500 kB and 120 ms; exits 1 where they don't.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { App } from "aws-cdk-lib";
import type { CfnFunction } from "aws-cdk-lib/aws-lambda";
import Table from "cli-table3";
import { routes } from "../functions/contract/routes.ts";
import { readConfig } from "../lib/config.ts";
import { GleanerStack } from "../lib/gleaner-stack.ts";
import { ServiceFunction } from "../lib/service-function.ts";

const LOADS = 15;
const MAX_BYTES = 500_000;
const MAX_MS = 120;

/** Loads a bundle as Lambda's runtime does, in a process of its own that says how many ms it took. */
const LOADER = `
  globalThis.awslambda = { streamifyResponse: (handler) => handler };
  const start = performance.now();
  await import(process.argv[1]);
  console.log(performance.now() - start);
  process.exit(0);
`;

function loadMs(bundle: string): number {
  const args = ["--enable-source-maps", "--input-type=module", "-e", LOADER, pathToFileURL(bundle).href];
  const env = { POWERTOOLS_SERVICE_NAME: "gleaner", POWERTOOLS_METRICS_NAMESPACE: "Gleaner" };
  return Number(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

const bytesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(join(entry.parentPath, entry.name)).size, 0);

const outdir = mkdtempSync(join(tmpdir(), "gleaner-coldstart-"));
try {
  const app = new App({ outdir });
  const stack = new GleanerStack(app, "gleaner", { config: readConfig(app.node) });
  app.synth();
  const apiFunctions = new Set(Object.keys(routes).map((name) => name.toLowerCase()));
  const table = new Table({
    head: ["function", "bundle, kB", "files, MB", "load, ms: least", "median", "most"],
    colAligns: ["left", "right", "right", "right", "right", "right"],
    style: { head: [], border: [] },
  });
  let tooHeavy = false;
  for (const fn of stack.node.findAll().filter((one) => one instanceof ServiceFunction)) {
    const { code } = fn.node.defaultChild as CfnFunction;
    const { s3Key } = stack.resolve(code) as { s3Key: string };
    const folder = join(outdir, `asset.${s3Key.replace(/\.zip$/, "")}`);
    const bundle = join(folder, "index.mjs");
    const bytes = statSync(bundle).size;
    // The first one also reads the files from the disk.
    loadMs(bundle);
    const times = Array.from({ length: LOADS }, () => loadMs(bundle)).sort((one, other) => one - other);
    const [least = 0, median = 0, most = 0] = [0, LOADS >> 1, LOADS - 1].map((index) => times[index]);
    // The least is the bundle's own; what is above it is whatever else the machine was doing.
    const tooLong = apiFunctions.has(fn.node.id.toLowerCase()) && (bytes > MAX_BYTES || least > MAX_MS);
    tooHeavy ||= tooLong;
    const figures = [bytes / 1000, bytesOf(folder) / 1e6, least, median, most].map((figure) =>
      figure.toFixed(1),
    );
    table.push([fn.node.id + (tooLong ? " (too heavy)" : ""), ...figures]);
  }
  console.log(table.toString());
  if (tooHeavy) process.exitCode = 1;
} finally {
  rmSync(outdir, { recursive: true });
}
