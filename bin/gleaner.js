#!/usr/bin/env node
// Plain JavaScript, so that a Node.js without TypeScript support can print the message below.
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 21)) {
  console.error(
    `Gleaner needs Node.js 22.21 or newer, but this is ${process.version}. ` +
      "Run `npm ci` without --ignore-scripts: it installs a Node.js for npm scripts and npx.",
  );
  process.exit(1);
}
// Halves the start: later starts neither strip types nor compile. Not in the shared temp folder, where others can write.
module.enableCompileCache(
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner", "compile-cache"),
);
// A reader such as `head` has got what it wanted.
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
const { main } = await import("../local/cli.ts");
await main(process.argv);
