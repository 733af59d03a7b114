import { homedir } from "node:os";
import { join } from "node:path";

/** The folder with the user's configuration, which is independent of data folders. */
export const configFolder = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), ".config"), "gleaner");
