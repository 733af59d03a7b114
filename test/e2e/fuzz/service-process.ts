import { openBackend } from "../../../local/backend.ts";
import { startService } from "../../../local/service.ts";

/*
 * The local service as a process of its own, which tells its parent what it logs as errors and, when asked, how much it
 * holds after a collection. Runs are created and never executed: what is tried is the API, not the browser.
 */
const [data = ""] = process.argv.slice(2);
const tell = (message: object) => process.send?.(message);

const service = await startService({
  port: 0,
  data,
  allowHosts: [],
  log: {
    info() {},
    error: (message, fields) =>
      tell({ logged: `${message} ${JSON.stringify(fields)} ${fields?.error ?? ""}` }),
  },
  openBackend(tablePath) {
    const backend = openBackend(tablePath);
    backend.runs.send = () => {};
    backend.webhooks.send = () => {};
    return backend;
  },
});

process.on("message", () => {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed: heap, external, rss } = process.memoryUsage();
  tell({ memory: { heap, external, rss } });
});
process.once("SIGTERM", () => service.stop().then(() => process.exit(0)));
tell({ url: service.url });
