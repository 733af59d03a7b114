import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder into which the browser is unpacked, once for all services of this user. Unlike the temp folder, other
 * users can't write to it.
 */
export const cacheFolder = (): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "gleaner");
