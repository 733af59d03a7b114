import { homedir } from "node:os";
import { join } from "node:path";

/** The user's own settings, outside of all data folders. */
export const configFolder = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "gleaner");
