import { startShop } from "../examples/shop/server.ts";

/** Always the same, so that scrapers of the shop work after a restart. It is not the port of `examples/shop/main.ts`. */
const PORT = 4101;

/** The shop of the examples, for people who have no page at hand. */
export interface ExampleShop {
  /** Its page with a list. */
  url: string;
  /** Its `host:port`, which scrapes have to be allowed to reach. */
  host: string;
  close(): Promise<void>;
}

/** Starts the shop on loopback. Undefined: its port is taken. */
export async function startExampleShop(): Promise<ExampleShop | undefined> {
  try {
    const { url, close } = await startShop({ port: PORT });
    return { url: `${url}/books`, host: new URL(url).host, close };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}
