import { join } from "node:path";
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";
import { PROJECT_FOLDER } from "./project-folder.ts";

/** Puts the browser and its driver beside the bundle. */
export const browserHooks: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  // The Node that runs this, whatever the shell finds first.
  afterBundling: (_input, output) => [
    `"${process.execPath}" "${join(PROJECT_FOLDER, "lib", "unpack-browser.ts")}" "${output}"`,
  ],
};
