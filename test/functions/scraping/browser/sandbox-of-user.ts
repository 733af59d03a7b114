import { readFileSync } from "node:fs";
import { createBrowsers } from "../../../../functions/scraping/browser/browsers.ts";
import { startSite } from "../../../site/site.ts";
import { descendants } from "../harness.ts";

/*
 * A program for sandbox.test.ts, which starts it as a user who is not root. Prints JSON: why browsers have no sandbox here,
 * what a page shows, and the namespaces and capabilities of the process that shows it.
 */
const [cacheFolder = ""] = process.argv.slice(2);
const site = await startSite();
site.setRoute("/page", "<p>Page</p>");
const browsers = createBrowsers({ cacheFolder, egress: { allowHosts: [site.host] } });
const why = await browsers.whyNoSandbox();
const { tab, close } = await browsers.lease();
await tab.page.goto(site.url("/page"));
const text = await tab.page.textContent("p");
const statuses = descendants()
  .filter(({ command }) => command.includes("--headless"))
  .map(({ pid }) => readFileSync(`/proc/${pid}/status`, "utf8"));
const field = (status: string, name: string) =>
  new RegExp(`^${name}:\\s+(.*)$`, "m").exec(status)?.[1]?.split(/\s+/) ?? [];
const renderers = statuses
  .filter((status) => field(status, "NSpid").length > 1 && field(status, "Seccomp")[0] === "2")
  .map((status) => ({ capabilities: field(status, "CapEff")[0] }));
await close();
await browsers.close();
await site.close();
console.log(JSON.stringify({ why, text, renderers }));
