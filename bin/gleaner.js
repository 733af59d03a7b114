#!/usr/bin/env node
// Plain JavaScript, so that a Node.js that can't read TypeScript still gets to say so.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 21)) {
  console.error(
    `Gleaner needs Node.js 22.21 or newer, and this is ${process.version}. ` +
      "Run `npm ci` without --ignore-scripts: it installs a Node.js of its own for npm scripts and npx.",
  );
  process.exit(1);
}
const { main } = await import("../local/cli.ts");
await main(process.argv);
