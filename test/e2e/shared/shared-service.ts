import type { Server } from "node:http";

/** The service that many test files share, each with an account of its own. */
export interface SharedService {
  url: string;
  /** The data folder. */
  data: string;
  shopUrl: string;
}

/** The environment variable that holds it as JSON. */
export const SHARED_SERVICE = "GLEANER_SHARED_SERVICE";

const FIRST_PORT = 21_100;
const PORTS_OF_WORKER = 8;
const WORKERS_MAX = 16;

/** The ports of test servers that the shared service may reach. Each Jest worker has some of its own. */
export const reachablePorts = (): number[] =>
  Array.from({ length: WORKERS_MAX * PORTS_OF_WORKER }, (_, index) => FIRST_PORT + index);

/** Listens on a port that the shared service may reach. */
export async function listenReachably(server: Server): Promise<void> {
  const first = ((Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS_MAX) * PORTS_OF_WORKER;
  for (const port of reachablePorts().slice(first, first + PORTS_OF_WORKER)) {
    if (await listens(server, port)) return;
  }
  throw new Error(`All ports from ${FIRST_PORT + first} on are in use.`);
}

const listens = (server: Server, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const onError = () => resolve(false);
    server.once("error", onError);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", onError);
      resolve(true);
    });
  });
