import { startShop } from "../examples/shop/server.ts";

/** The port that the scrapers in examples/ and the documentation name, so that they work after each start. */
const PORT = 4100;
/** A name, not an IP address, because that is how people write it. */
const HOST = "localhost";

/** The example bookshop, for users who have no page to try. */
export interface ExampleShop {
  /** The URL of its page with a list. */
  url: string;
  /** Its `host:port`. It is a private address, so it must be added to the allowed hosts. */
  host: string;
  /** What the user has to know if another program uses the shop's port, so that it listens on a free one. */
  notice: string | undefined;
  close(): Promise<void>;
}

/** Starts the shop on loopback: on its own port, or on a free one if another program uses that. */
export async function startExampleShop(): Promise<ExampleShop> {
  const { url, close } = await startShop({ host: HOST, port: PORT }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return startShop({ host: HOST, port: 0 });
  });
  const { host, port } = new URL(url);
  const notice = `Another program uses port ${PORT} of the bookshop. In examples and in the documentation, replace ${HOST}:${PORT} by ${host}.`;
  return { url: `${url}/books`, host, notice: port === String(PORT) ? undefined : notice, close };
}
