import { startShop } from "../examples/shop/server.ts";

/**
 * A fixed port, so that scrapers of the shop work after a restart. Differs from the port of `examples/shop/main.ts`.
 */
const PORT = 4101;

/** The example bookshop, for users who have no page to try. */
export interface ExampleShop {
  /** The URL of its page with a list. */
  url: string;
  /** Its `host:port`. It is a private address, so it must be added to the allowed hosts. */
  host: string;
  close(): Promise<void>;
}

/** Starts the shop on loopback. Returns undefined if its port is in use. */
export async function startExampleShop(): Promise<ExampleShop | undefined> {
  try {
    const { url, close } = await startShop({ port: PORT });
    return { url: `${url}/books`, host: new URL(url).host, close };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
}
