import alerts from "../../../docs/alerts.md";
import batches from "../../../docs/batches.md";
import changes from "../../../docs/changes.md";
import console from "../../../docs/console.md";
import failures from "../../../docs/failures.md";
import keys from "../../../docs/keys.md";
import politeness from "../../../docs/politeness.md";
import proxies from "../../../docs/proxies.md";
import schedules from "../../../docs/schedules.md";
import scrapers from "../../../docs/scrapers.md";
import secrets from "../../../docs/secrets.md";
import webhooks from "../../../docs/webhooks.md";

/** The addresses of the documents that the service serves, by name. */
export const documents: Readonly<Record<string, string>> = {
  console,
  scrapers,
  batches,
  changes,
  schedules,
  failures,
  webhooks,
  alerts,
  secrets,
  proxies,
  politeness,
  keys,
};

/** The address in the console of what a document links to; undefined if the service does not serve it. */
export function linkTo(href: string, current: string): string | undefined {
  if (/^https?:/.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const name = file === "" ? current : file.replace(/\.md$/, "");
  if (name === "api") return "/v1/reference";
  if (!Object.hasOwn(documents, name)) return undefined;
  return `/help/${name}${anchor === undefined ? "" : `#${anchor}`}`;
}
