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
  /** Whether another program uses its port, so that it listens on a free one. */
  isElsewhere: boolean;
  close(): Promise<void>;
}

/** Starts the shop on loopback: on its own port, or on a free one if another program uses that. */
export async function startExampleShop(): Promise<ExampleShop> {
  const { url, close } = await startShop({ host: HOST, port: PORT }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return startShop({ host: HOST, port: 0 });
  });
  const { host, port } = new URL(url);
  return { url: `${url}/books`, host, isElsewhere: port !== String(PORT), close };
}

/** Says where the shop is, and why it is not on its own port. */
export function describeShop({ url, host, isElsewhere }: ExampleShop): string {
  const where = `The example bookshop is open at ${url}`;
  return isElsewhere
    ? `${where}\nAnother program uses its port ${PORT}. In examples and in the documentation, replace ${HOST}:${PORT} by ${host}.`
    : where;
}
