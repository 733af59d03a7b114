import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { collectPages } from "./proposals/collect-pages.ts";
import { isHeldOut, readSets } from "./proposals/labelled-sets.ts";
import { type Measured, measure, type ProposedPage, proposePage, type Share } from "./proposals/measure.ts";

/*
 * How good the proposals are on public pages that people have labelled. The sets are not in the repository:
 * `--data FOLDER` holds checkouts named autopager, next-eval, WREN and article-extraction-benchmark. Rules are tuned
 * on one half of the hosts; the other half, the held-out one, tells how good they are.
 */
const { values } = parseArgs({ options: { data: { type: "string" }, json: { type: "string" } } });
if (!values.data) throw new Error("Usage: npm run bench:proposals -- --data FOLDER [--json FILE]");

const { pages, missing } = await readSets(values.data);
for (const name of missing) console.log(`${values.data} has no set ${name}: its numbers are missing.`);
const tuned: ProposedPage[] = [];
const heldOut: ProposedPage[] = [];
const times: number[] = [];
for await (const page of collectPages(pages)) {
  const start = performance.now();
  const proposed = proposePage(page);
  times.push(performance.now() - start);
  (isHeldOut(page.host) ? heldOut : tuned).push(proposed);
}
times.sort((a, b) => a - b);
console.log(
  `${pages.length} pages; proposals take ${ms(0.5)} ms in the median, ${ms(0.95)} ms at the 95th percentile`,
);

const measured = measure(heldOut);
print(`held-out half, ${heldOut.length} pages`, measured);
print(`tuned-on half, ${tuned.length} pages`, measure(tuned));
if (values.json) await writeFile(values.json, `${JSON.stringify(summaryOf(measured), null, 2)}\n`);

function ms(quantile: number): string {
  return (times[Math.floor(times.length * quantile)] ?? 0).toFixed(0);
}

function print(title: string, result: Measured): void {
  const line = (name: string, target: string, { hits, of }: Share) =>
    console.log(
      `  ${name.padEnd(42)} ${ratio({ hits, of }).toFixed(3)}  (${hits} of ${of}; target ${target})`,
    );
  console.log(`\n${title}`);
  line("next control: recall", "≥ .92", result.recall);
  line("next control: precision", "≥ .95", result.precision);
  line("selector found again on another page", "≥ .85", result.otherPage);
  line("selector found again after a mutation", "≥ .90", result.mutated);
  line("main list is the first proposal", "none", result.first);
  line("main list among the first five", "≥ .90", result.firstFive);
  line("articles that a pagination is proposed for", "≤ .05", result.falseAlarms);
}

function ratio({ hits, of }: Pick<Share, "hits" | "of">): number {
  return of === 0 ? 0 : Math.round((hits / of) * 1000) / 1000;
}

function summaryOf(result: Measured) {
  return {
    next: { recall: ratio(result.recall), precision: ratio(result.precision) },
    selectors: { other_page: ratio(result.otherPage), mutated: ratio(result.mutated) },
    lists: { first: ratio(result.first), first_five: ratio(result.firstFive) },
    articles: { false_alarms: ratio(result.falseAlarms) },
  };
}
