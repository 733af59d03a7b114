import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/**
 * Checks what is new: the states of a page share most of their markup, and checking takes a second of CPU time for some.
 * Parts of a page that passed are left out where they appear again.
 */
const CHECK_NEW = `async (isDark) => {
  const passed = (globalThis.passed ??= { false: new Set(), true: new Set() })[isDark];
  const root = document.querySelector("dialog:modal") ?? document.documentElement;
  const [exclude, parts] = [[], []];
  const collect = (element) => {
    const isPart = element.childElementCount > 1 && element !== root;
    if (isPart && passed.has(element.outerHTML)) return void exclude.push(element);
    if (isPart) parts.push(element.outerHTML);
    for (const child of element.children) collect(child);
  };
  collect(root);
  // Only the contrast differs in the dark.
  const options = { resultTypes: ["violations"], ...(isDark && { runOnly: ["color-contrast"] }) };
  const { violations } = await axe.run({ include: [root], exclude }, options);
  if (violations.length === 0) for (const part of parts) passed.add(part);
  return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, failureSummary }) => ({ html, failureSummary })) }));
}`;

/** What axe-core finds on a page, or in the dialog that is open over it, with colors of both kinds. */
export async function findingsOf(page: Page): Promise<string[]> {
  // A page of the console replaces the one before without a new document.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const violations: Finding[] = await page.evaluate(`(${CHECK_NEW})(${colorScheme === "dark"})`);
    for (const { id, nodes } of violations) {
      for (const { html, failureSummary } of nodes) {
        found.push(`${id} in ${colorScheme}: ${html.slice(0, 200)}\n${failureSummary}`);
      }
    }
  }
  return found;
}
