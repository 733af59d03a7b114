import { join } from "node:path";
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";
import { PROJECT_FOLDER } from "./project-folder.ts";

/** Bundling hooks that copy the browser and its driver next to the bundle. */
export const browserHooks: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  // Uses the Node.js that runs this process, which may differ from the first one in PATH.
  afterBundling: (_input, output) => [
    `"${process.execPath}" "${join(PROJECT_FOLDER, "lib", "unpack-browser.ts")}" "${output}"`,
  ],
};
