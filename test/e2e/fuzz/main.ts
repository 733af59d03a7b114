import { parseArgs } from "node:util";
import { type FuzzReport, fuzz } from "./fuzz.ts";

/* The long version: npm run fuzz -- --requests 20000 --seed 7 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
});
/** What a heap may differ by, all collected, without anything being kept. */
const SLACK_BYTES = 8 * 2 ** 20;
const SHOWN = 10;

const start = Date.now();
const report = await fuzz(Number(values.requests), Number(values.seed));
print(report);
console.log(`\n${((Date.now() - start) / 1000).toFixed(0)} s`);
process.exitCode = report.faults.length === 0 && report.logged.length === 0 && !grows(report) ? 0 : 1;

function print({ seed, tried, statuses, slowest, memory, faults, logged }: FuzzReport): void {
  const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  const line = (name: string, value: unknown) => console.log(`${name.padEnd(28)}${value}`);
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name}: ${count}`)
      .join(", ");
  line("seed", seed);
  line("requests", `${Object.values(tried).reduce((sum, count) => sum + count, 0)} (${list(tried)})`);
  line("answers by status", list(statuses));
  line("slowest", `${slowest.ms.toFixed(0)} ms, ${slowest.request.slice(0, 100)}`);
  for (const { after, heap, external, rss } of memory) {
    line(`memory after ${after}`, `${megabytes(heap + external)} held, ${megabytes(rss)} resident`);
  }
  for (const kind of ["5xx", "hang", "shape"] as const) {
    line(
      { "5xx": "5xx", hang: "hangs", shape: "not as described" }[kind],
      faults.filter((one) => one.kind === kind).length,
    );
  }
  line("errors logged", logged.length);
  for (const { at, fault, request } of faults.slice(0, SHOWN))
    console.log(`\n${at}\n  ${fault}\n  ${request}`);
  for (const text of logged.slice(0, SHOWN)) console.log(`\nlogged: ${text}`);
}

function grows({ memory }: FuzzReport): boolean {
  const [first, last] = [memory.at(0), memory.at(-1)];
  if (first === undefined || last === undefined) return false;
  return last.heap + last.external > first.heap + first.external + SLACK_BYTES;
}
