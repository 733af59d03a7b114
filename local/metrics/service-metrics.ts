import { stat, statfs } from "node:fs/promises";
import packageJson from "../../package.json" with { type: "json" };
import type { WorkQueue } from "../queues/work-queue.ts";
import type { Counters } from "./counters.ts";
import type { Metric, Sample } from "./exposition.ts";

/** The parts of a service that are measured. */
export interface Measured {
  counters: Counters;
  queues: Readonly<Record<string, WorkQueue>>;
  /** How many browsers are open. */
  browsers: () => number;
  /** The file of the table. */
  tablePath: string;
}

/** All metrics of a service, as they are now. */
export async function serviceMetrics(measured: Measured): Promise<Metric[]> {
  const { counters, queues, browsers, tablePath } = measured;
  const states = Object.entries(queues).map(([queue, work]) => ({ queue, ...work.state() }));
  return [
    gauge("gleaner_info", "The version of the service.", [
      { labels: { version: packageJson.version }, value: 1 },
    ]),
    ...counters.metrics(),
    gauge(
      "gleaner_queue_messages",
      "Messages of a queue: waiting, in progress, or delayed, such as a webhook that is sent again later.",
      states.flatMap(({ queue, waiting, running, delayed }) =>
        Object.entries({ waiting, running, delayed }).map(([state, value]) => ({
          labels: { queue, state },
          value,
        })),
      ),
    ),
    gauge(
      "gleaner_queue_oldest_seconds",
      "How long the oldest message of a queue has been waiting; 0 if none is.",
      states.map(({ queue, oldestMs }) => ({ labels: { queue }, value: oldestMs / 1000 })),
    ),
    gauge("gleaner_browsers", "Browsers that are open, with those kept for the next run.", [
      { value: browsers() },
    ]),
    ...(await storage(tablePath)),
    ...ofProcess(),
  ];
}

async function storage(tablePath: string): Promise<Metric[]> {
  const sizes = [tablePath, `${tablePath}-wal`].map(
    async (path) => (await stat(path).catch(() => undefined))?.size ?? 0,
  );
  const [table = 0, log = 0] = await Promise.all(sizes);
  const { bavail, bsize } = await statfs(tablePath);
  return [
    gauge("gleaner_table_bytes", "Size of the table on the disk.", [{ value: table + log }]),
    gauge("gleaner_disk_free_bytes", "Free space on the disk of the data folder.", [
      { value: bavail * bsize },
    ]),
  ];
}

/** Under the names of Prometheus' own clients. The browsers, which are other processes, are not in them. */
function ofProcess(): Metric[] {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: "process_cpu_seconds_total",
      help: "CPU time of the service's own process.",
      type: "counter",
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge("process_resident_memory_bytes", "Memory of the service's own process.", [
      { value: process.memoryUsage.rss() },
    ]),
    gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.", [
      { value: Math.round(performance.timeOrigin) / 1000 },
    ]),
  ];
}

const gauge = (name: string, help: string, samples: Sample[]): Metric => ({
  name,
  help,
  type: "gauge",
  samples,
});
