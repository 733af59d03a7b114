import { watchConsole } from "../console/build/build.ts";
import type { ConsoleFiles } from "../console/build/files.ts";
import { start } from "../local/commands/start.ts";
import { defaultData } from "../local/data/default-data.ts";

/**
 * Starts the local service, and rebuilds the console after each change of its source. Reload the page to see the
 * change.
 */

let files = Promise.withResolvers<ConsoleFiles>();
await watchConsole((result) => {
  if (result instanceof Error) return;
  files.resolve(result.files);
  files = Promise.withResolvers();
  files.resolve(result.files);
});
await start({
  port: 4000,
  data: defaultData(),
  allowHost: process.argv.slice(2),
  example: true,
  consoleFiles: () => files.promise,
});
