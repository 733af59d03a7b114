import gleaner from "../../package.json" with { type: "json" };
import { openBrowsers, scrapeTask } from "../../test/widgets/runner.ts";
import type { Peer } from "./peer.ts";

/** The engine. A warning says that the rows may be wrong. */
export const gleanerPeer: Peer = {
  name: "Gleaner",
  version: gleaner.version,
  can: () => true,
  async read(task, { origin, signal }) {
    const browsers = openBrowsers(new URL(origin).host);
    const close = () => browsers.close();
    signal.addEventListener("abort", close);
    try {
      const { rows, warnings, failure } = await scrapeTask(browsers, origin, task);
      if (failure !== undefined) throw new Error(failure);
      return { rows, ...(warnings.length > 0 && { doubt: `warns: ${warnings.join(", ")}` }) };
    } finally {
      signal.removeEventListener("abort", close);
      await close();
    }
  },
};
