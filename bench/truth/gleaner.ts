import gleaner from "../../package.json" with { type: "json" };
import { openBrowsers, scrapeTask } from "../../test/widgets/runner.ts";
import type { Peer } from "./peer.ts";

/** The engine. A warning says that the rows may be wrong. */
export function gleanerPeer(host: string): Peer {
  const browsers = openBrowsers(host);
  return {
    name: "Gleaner",
    version: gleaner.version,
    can: () => true,
    async read(task, { origin }) {
      const { rows, warnings, failure } = await scrapeTask(browsers, origin, task);
      if (failure !== undefined) throw new Error(failure);
      return { rows, ...(warnings.length > 0 && { doubt: `warns: ${warnings.join(", ")}` }) };
    },
    close: () => browsers.close(),
  };
}
