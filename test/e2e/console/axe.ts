import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What axe-core finds on a page, or in the dialog that is open over it, with colors of both kinds. */
export async function findingsOf(page: Page): Promise<string[]> {
  // A page of the console replaces the one before without a new document.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  const found: string[] = [];
  // Only the contrast differs in the dark.
  for (const [colorScheme, options] of [
    ["light", "resultTypes: ['violations']"],
    ["dark", "resultTypes: ['violations'], runOnly: ['color-contrast']"],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const { violations } = (await page.evaluate(
      `axe.run(document.querySelector("dialog:modal") ?? document, { ${options} })`,
    )) as {
      violations: Finding[];
    };
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${id} in ${colorScheme}: ${html.slice(0, 200)}\n${failureSummary}`);
      }
    }
  }
  return found;
}
