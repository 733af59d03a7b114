import { watchConsole } from "../console/build/build.ts";
import type { ConsoleFiles } from "../console/build/files.ts";
import { DEFAULT_DATA } from "../local/client/target.ts";
import { start } from "../local/commands/start.ts";

/* The local service with a console that is built again after each change of its source: reload the page to see it. */

let files = Promise.withResolvers<ConsoleFiles>();
await watchConsole((result) => {
  if (result instanceof Error) return;
  files.resolve(result.files);
  files = Promise.withResolvers();
  files.resolve(result.files);
});
await start({
  port: 4000,
  data: DEFAULT_DATA,
  name: [],
  allowHost: process.argv.slice(2),
  example: true,
  consoleFiles: () => files.promise,
});
