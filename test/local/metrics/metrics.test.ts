import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, jest, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import { Counters } from "../../../local/metrics/counters.ts";
import { exposition, type Metric } from "../../../local/metrics/exposition.ts";
import { createMetricsServer } from "../../../local/metrics/metrics-server.ts";
import { serviceMetrics } from "../../../local/metrics/service-metrics.ts";
import { WorkQueue } from "../../../local/queues/work-queue.ts";
import { newFolder } from "../../new-folder.ts";

const folder = await newFolder();
const tablePath = join(folder, "table.sqlite");
await writeFile(tablePath, "x".repeat(1_000));
await writeFile(`${tablePath}-wal`, "x".repeat(500));

function service() {
  const queues = { runs: new WorkQueue(1), webhooks: new WorkQueue(1), batches: new WorkQueue(1) };
  return { counters: new Counters(), queues, browsers: () => 2, tablePath };
}

/** The lines with values, by the metric with its labels. */
const valuesOf = (metrics: readonly Metric[]): Record<string, number> =>
  Object.fromEntries(
    exposition(metrics)
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ") + 1))]),
  );

test("what happens is counted, from values that are there from the start", async () => {
  const measured = service();
  const before = valuesOf(await serviceMetrics(measured));
  const { counters } = measured;
  counters.runStarted("scheduler");
  counters.runFinished({ durationMs: 900, rows: 20, pages: 2, credits: 4 });
  counters.runFinished({ durationMs: 45_000, rows: 5, pages: 1, credits: 1, code: "timeout" });
  counters.runFinished({ durationMs: 4_000_000, rows: 0, pages: 0, credits: 0, code: "internal_error" });
  counters.webhookAttempted("delivered");
  const after = valuesOf(await serviceMetrics(measured));
  expect(Object.keys(after)).toEqual(Object.keys(before));
  const changed = Object.entries(after).filter(
    ([name, value]) => name.startsWith("gleaner_") && value !== before[name],
  );
  expect(Object.fromEntries(changed.filter(([name]) => name !== "gleaner_disk_free_bytes"))).toEqual({
    'gleaner_runs_started_total{source="scheduler"}': 1,
    'gleaner_runs_finished_total{status="successful",code=""}': 1,
    'gleaner_runs_finished_total{status="failed",code="timeout"}': 1,
    'gleaner_runs_finished_total{status="failed",code="internal_error"}': 1,
    ...Object.fromEntries(
      [1, 2, 5, 10, 30].map((le) => [`gleaner_run_duration_seconds_bucket{le="${le}"}`, 1]),
    ),
    ...Object.fromEntries(
      [60, 120, 300, 600, 1800, 3600].map((le) => [`gleaner_run_duration_seconds_bucket{le="${le}"}`, 2]),
    ),
    'gleaner_run_duration_seconds_bucket{le="+Inf"}': 3,
    gleaner_run_duration_seconds_sum: 4_045.9,
    gleaner_run_duration_seconds_count: 3,
    gleaner_rows_total: 25,
    gleaner_pages_total: 3,
    gleaner_credits_total: 5,
    'gleaner_webhook_attempts_total{outcome="delivered"}': 1,
  });
});

test("queues, browsers and the disk are read when Prometheus asks", async () => {
  const measured = service();
  const { runs, webhooks } = measured.queues;
  const run = Promise.withResolvers<void>();
  runs.start(async () => {
    await run.promise;
    return { batchItemFailures: [] };
  }, 60_000);
  for (const id of ["1", "2", "3"]) runs.send({ account: "one", id });
  webhooks.send({ account: "one", id: "4" }, 3_600);
  const values = valuesOf(await serviceMetrics(measured));
  expect(values).toMatchObject({
    'gleaner_queue_messages{queue="runs",state="waiting"}': 2,
    'gleaner_queue_messages{queue="runs",state="running"}': 1,
    'gleaner_queue_messages{queue="runs",state="delayed"}': 0,
    'gleaner_queue_messages{queue="webhooks",state="delayed"}': 1,
    'gleaner_queue_oldest_seconds{queue="webhooks"}': 0,
    gleaner_browsers: 2,
    gleaner_table_bytes: 1_500,
  });
  expect(values['gleaner_queue_oldest_seconds{queue="runs"}']).toBeGreaterThan(0);
  expect(values.gleaner_disk_free_bytes).toBeGreaterThan(0);
  run.resolve();
  await Promise.all([runs.stop(), webhooks.stop()]);
});

test("a metric is written as Prometheus reads it", () => {
  const samples = [{ labels: { a: 'x "y"\\\n', b: "" }, value: 0.5 }, { value: 2 }];
  expect(exposition([{ name: "m", help: "It is.", type: "gauge", samples }])).toBe(
    '# HELP m It is.\n# TYPE m gauge\nm{a="x \\"y\\"\\\\\\n",b=""} 0.5\nm 2\n',
  );
});

test("the server has the metrics at one path, and stays when they can't be read", async () => {
  const log = { info: jest.fn(), error: jest.fn() };
  const read = jest.fn(
    async (): Promise<Metric[]> => [{ name: "m", help: "", type: "gauge", samples: [{ value: 1 }] }],
  );
  const server = createMetricsServer(read, log).listen(0, "127.0.0.1");
  await once(server, "listening");
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, init);
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  expect(await ask("/metrics")).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "# HELP m \n# TYPE m gauge\nm 1\n",
  ]);
  expect((await ask("/"))[0]).toBe(404);
  expect((await ask("/metrics", { method: "POST" }))[0]).toBe(405);
  read.mockRejectedValueOnce(new Error("no disk"));
  expect((await ask("/metrics"))[0]).toBe(500);
  expect(log.error).toHaveBeenCalledWith("The metrics could not be read", { error: new Error("no disk") });
  expect((await ask("/metrics"))[0]).toBe(200);
  server.close();
});

test("the dashboard and the documentation name metrics that there are, and only those", async () => {
  const metrics = await serviceMetrics(service());
  const series = new Set(
    metrics.flatMap(({ name, samples }) => samples.map(({ suffix }) => name + (suffix ?? ""))),
  );
  const read = (path: string) => readFile(join(PROJECT_FOLDER, path), "utf8");
  const { panels } = JSON.parse(await read("local/host/grafana-dashboard.json")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const used = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const names = new Set(used.flatMap((expr) => expr.match(/\b(?:gleaner|process)_\w+/g) ?? []));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !series.has(name))).toEqual([]);
  // Each label that an expression selects or groups by is one that its metric has.
  for (const expr of used) {
    const [name = ""] = expr.match(/\b(?:gleaner|process)_\w+/) ?? [];
    const labels = metrics
      .filter((metric) => name.startsWith(metric.name))
      .flatMap(({ samples }) => samples.flatMap((sample) => Object.keys(sample.labels ?? {})));
    const asked = [
      ...[...expr.matchAll(/[{,](\w+)=~?"/g)].map(([, label]) => label),
      ...[...expr.matchAll(/by \(([\w, ]+)\)/g)].flatMap(([, list]) => list?.split(", ") ?? []),
    ];
    expect({
      expr,
      unknown: asked.filter((label) => label !== "instance" && !labels.includes(label ?? "")),
    }).toEqual({
      expr,
      unknown: [],
    });
  }
  const rows = (await read("docs/hosting.md"))
    .split("\n")
    .filter((row) => /^\| `(gleaner|process)_/.test(row));
  const documented = rows.flatMap((row) => row.match(/`(?:gleaner|process)_\w+/g) ?? []);
  expect(documented.map((name) => name.slice(1)).sort()).toEqual(metrics.map(({ name }) => name).sort());
});
