import { join } from "node:path";

/** The folder that contains package.json. */
export const PROJECT_FOLDER = join(import.meta.dirname, "..");
