#!/usr/bin/env node
// This file is plain JavaScript, so that versions of Node.js without TypeScript support can print the message below.
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 21)) {
  console.error(
    `Gleaner needs Node.js 22.21 or newer, but this is ${process.version}. ` +
      "Install a newer one from https://nodejs.org. In a copy of the repository, `npm ci` without --ignore-scripts " +
      "installs one for npm scripts and npx.",
  );
  process.exit(1);
}
// The cache halves the start time: later starts neither strip types nor compile. It is not in the shared temp folder,
// where other users could replace the code.
module.enableCompileCache(
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner", "compile-cache"),
);
// EPIPE means that the reader of a pipe, such as `head`, needs no more output. That is not an error.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
const { main } = await import("../local/cli.ts");
await main(process.argv);
