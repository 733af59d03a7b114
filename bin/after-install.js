// Runs after `npm ci` and `npm install` in a copy of the repository. It is plain JavaScript, so that it also runs in
// versions of Node.js without TypeScript support. Nothing here is needed, so no failure ends the installation.
import fs from "node:fs";
import { fileURLToPath } from "node:url";

/** Large files of packages that nothing here reads, in node_modules. */
const UNREAD = [
  // C headers. Nothing here compiles code for Node.js.
  "node/node_modules/*/include",
  // The AWS CLI, for functions that call it.
  "@aws-cdk/asset-awscli-v1/lib/layer.zip",
  // Descriptions of the constructs, for other languages than JavaScript.
  "aws-cdk-lib/.jsii*.gz",
];

try {
  const { hasPackedChromium, installChromium } = await import("../functions/scraping/browser/install.ts");
  const { cacheFolder } = await import("../local/data/cache-folder.ts");
  const cwd = fileURLToPath(new URL("../node_modules/", import.meta.url));
  for (const path of fs.globSync(UNREAD, { cwd })) fs.rmSync(`${cwd}${path}`, { recursive: true });
  // Otherwise, the first run would wait for it.
  if (hasPackedChromium) await installChromium(cacheFolder());
} catch (error) {
  console.log(
    `The browser is not unpacked yet: ${error.message}. The first run unpacks it into the folder gleaner in ` +
      "XDG_CACHE_HOME or ~/.cache, and takes some seconds longer.",
  );
}
