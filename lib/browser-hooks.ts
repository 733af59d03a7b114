import { join } from "node:path";
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";
import { PROJECT_FOLDER } from "./project-folder.ts";

/** Copies the browser and its driver next to the bundle. */
export const browserHooks: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  // The current Node.js, and not the first one in PATH.
  afterBundling: (_input, output) => [
    `"${process.execPath}" "${join(PROJECT_FOLDER, "lib", "unpack-browser.ts")}" "${output}"`,
  ],
};
