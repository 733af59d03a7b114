import { join } from "node:path";

/** Where package.json is. */
export const PROJECT_FOLDER = join(import.meta.dirname, "..");
