import type { Step } from "../../../../functions/contract/steps.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

/** An engine and a site, for tests of steps: `onPage` runs steps on a page and returns what its scripts noted. */
export async function startOnPage() {
  const { engine, site } = await startEngineAndSite();
  const onPage = async (html: string, ...steps: Step[]) => {
    const path = site.newPath();
    site.setRoute(
      path,
      `<!doctype html><script>const note = (text) => { log.textContent += text + ";"; };</script>${html}<p id=log></p>`,
    );
    const log: Step = { type: "get_text", field_name: "log", selector: "#log" };
    const told = await engine.run({ steps: [{ type: "visit", url: site.url(path) }, ...steps, log] });
    return { ...told, log: told.rows[0]?.log };
  };
  return { engine, site, onPage };
}
