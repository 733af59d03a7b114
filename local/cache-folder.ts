import { homedir } from "node:os";
import { join } from "node:path";

/** The browser is unpacked here once for all services of this user. Unlike the temp folder, it is private to the user. */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner");
