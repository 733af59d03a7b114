import { randomBytes } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createApiKey } from "../../../functions/accounts/create-key.ts";
import { apiHandlers } from "../../../functions/api/api-handlers.ts";
import { exampleInspection } from "../../../functions/contract/examples.ts";
import type { RouteName } from "../../../functions/contract/routes.ts";
import { startRun } from "../../../functions/runs/start-run.ts";
import { sweptSchedules } from "../../../functions/schedules/schedules.ts";
import { createAccount } from "../../../functions/store/accounts.ts";
import type { Table } from "../../../functions/store/table.ts";
import { definition, storeScraper } from "../../functions/store/samples.ts";
import { noFiles } from "../../no-files.ts";
import { type Received, send } from "../send.ts";
import { damage } from "./bodies.ts";
import { faultOf } from "./check.ts";
import { answerTo, eventOf, type Spelling, spellings } from "./events.ts";
import { type RawCase, rawCases } from "./raw-cases.ts";
import { type FuzzRequest, type Known, requests } from "./requests.ts";
import { type FuzzedService, type Memory, startFuzzedService } from "./service.ts";
import { exchange } from "./socket.ts";

/** A request that takes longer hangs. */
const DEADLINE_MS = 20_000;
const AT_ONCE = 8;
const BATCH = 100;
/** Node takes 16 KB of address and headers, API Gateway 10. */
const LONG_PATH = 10_000;
/** Code and caches are filled by then. */
const WARM_UP = 500;

/** One thing that is tried; all but the cases of the list comes out of the seed. */
type Try =
  | { kind: "http"; request: FuzzRequest }
  | { kind: "event"; request: FuzzRequest; spelling: Spelling }
  | { kind: "wire"; request: FuzzRequest; harms: ((bytes: Buffer) => Buffer)[] }
  | { kind: "case"; index: number };

export interface Fault {
  kind: "5xx" | "hang" | "shape";
  /** The seed and the place that give this request again. */
  at: string;
  fault: string;
  request: string;
}

export interface FuzzReport {
  seed: number;
  tried: Record<Try["kind"], number>;
  statuses: Record<string, number>;
  slowest: { ms: number; request: string };
  memory: ({ after: number } & Memory)[];
  faults: Fault[];
  /** Errors that the service and the handlers logged. */
  logged: string[];
}

/** Sends so many requests to a service of its own, and tells what came of them. */
export async function fuzz(total: number, seed: number): Promise<FuzzReport> {
  const service = await startFuzzedService();
  try {
    return await service.withTable(async (table) =>
      new Fuzzer(service, table, seed, await prepare(table)).run(total),
    );
  } finally {
    await service.stop();
  }
}

/** An account with a scraper, a run, and no rate limit in the way. */
async function prepare(table: Table): Promise<Known> {
  const account = "fuzz";
  await createAccount(table, { name: account, credit_limit: null, rate_limit: 100_000_000, created_at: "" });
  const { key } = await createApiKey(table, account, new Date());
  const steps = [
    { id: "open", type: "visit" as const, url: "https://example.org/" },
    { id: "search", type: "write_input" as const, value: "" },
  ];
  const { id: scraperId } = await storeScraper(table, account, { ...definition, steps }, new Date());
  const queues = { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} };
  const request = { scraper_id: scraperId };
  const started = await startRun(
    { table, queues, now: () => new Date(), log: { info() {}, error() {} } },
    { account, source: "api", request },
  );
  if (started.outcome !== "started") throw new Error(started.outcome);
  return { key, scraperId, runId: started.run.id };
}

class Fuzzer {
  readonly #service: FuzzedService;
  readonly #handlers: ReturnType<typeof apiHandlers>;
  readonly #cases: RawCase[];
  readonly #tries: fc.Arbitrary<Try>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  readonly #report: FuzzReport;

  constructor(service: FuzzedService, table: Table, seed: number, known: Known) {
    this.#service = service;
    const tried = { http: 0, event: 0, wire: 0, case: 0 };
    const slowest = { ms: 0, request: "" };
    this.#report = { seed, tried, statuses: {}, slowest, memory: [], faults: [], logged: service.logged };
    this.#cases = rawCases(known);
    this.#tries = triesOf(known, this.#cases.length);
    this.#handlers = apiHandlers({
      table,
      queues: { sendRun: async () => {}, sendWebhook: async () => {}, sendBatch: async () => {} },
      now: () => new Date(),
      schedules: sweptSchedules,
      inspect: async () => exampleInspection,
      allowHosts: () => [],
      fetchFile: noFiles,
      sessionKey: async () => randomBytes(32),
      baseUrl: () => "http://127.0.0.1:9",
      log: { info() {}, error: (message, fields) => void service.logged.push(`${message} ${fields?.error}`) },
    });
  }

  async run(total: number): Promise<FuzzReport> {
    const { memory, seed } = this.#report;
    // Each case once, whatever comes out of the seed.
    await this.#all(
      this.#cases.map((_, index) => ({ kind: "case", index })),
      "case",
    );
    for (let done = this.#cases.length; done < total; ) {
      const batch = Math.min(BATCH, total - done);
      const batchSeed = seed + done;
      await this.#all(
        fc.sample(this.#tries, { seed: batchSeed, numRuns: batch }),
        `seed ${seed}, request ${done}`,
      );
      done += batch;
      const isQuarter = Math.floor((4 * done) / total) > Math.floor((4 * (done - batch)) / total);
      if ((memory.length === 0 && done >= WARM_UP) || isQuarter) {
        memory.push({ after: done, ...(await this.#service.memory()) });
      }
    }
    this.#agent.destroy();
    return this.#report;
  }

  /** So many at once, each with its place in the sequence. */
  async #all(tries: Try[], from: string): Promise<void> {
    const rest = tries.entries();
    const worker = async () => {
      for (const [index, one] of rest) await this.#one(one, `${from} + ${index}`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  async #one(one: Try, at: string): Promise<void> {
    const { tried, statuses, slowest, faults } = this.#report;
    const start = performance.now();
    const { answers, fault, pauses = 0 } = await this.#try(one);
    const ms = performance.now() - start - pauses;
    tried[one.kind] += 1;
    const request = () => `${one.kind}: ${this.#describe(one)}`;
    if (ms > slowest.ms) Object.assign(slowest, { ms, request: request() });
    for (const { status } of answers ?? []) statuses[status] = (statuses[status] ?? 0) + 1;
    const isFault = answers?.some(({ status }) => status >= 500) ?? false;
    const kind = answers === undefined ? "hang" : isFault ? "5xx" : "shape";
    if (answers === undefined || fault !== undefined) {
      faults.push({ kind, at, fault: fault ?? `no answer in ${DEADLINE_MS} ms`, request: request() });
    }
    if (!this.#service.isAlive()) throw new Error(`The service has died: ${at}, ${request()}`);
  }

  async #try(
    one: Try,
  ): Promise<{ answers: Received[] | undefined; fault?: string | undefined; pauses?: number }> {
    switch (one.kind) {
      case "http":
      case "event": {
        const { operationId, method } = one.request;
        const answer = await inTime(
          one.kind === "http"
            ? send(this.#service.url, one.request, this.#agent)
            : answerTo(this.#handlers[operationId as RouteName], eventOf(one.request, one.spelling)),
        );
        if (answer !== undefined && "error" in answer) return { answers: [], fault: `${answer.error}` };
        // That no operation answers: it never got so far.
        const isTooLong = answer?.status === 431 && one.request.path.length > LONG_PATH;
        return {
          answers: answer && [answer],
          fault: answer && faultOf(answer, isTooLong ? undefined : operationId, method),
        };
      }
      case "wire": {
        const bytes = one.harms.reduce((before, harm) => harm(before), wireOf(one.request));
        const answers = await exchange(this.#service.url, [bytes], "half-close", DEADLINE_MS);
        return { answers, fault: answers && faultOfAll(answers) };
      }
      case "case": {
        const { wire, end = "wait", expect } = this.#cases[one.index] as RawCase;
        const answers = await exchange(this.#service.url, wire, end, DEADLINE_MS);
        const pauses = wire.reduce<number>((sum, part) => sum + (typeof part === "number" ? part : 0), 0);
        const got = answers?.map(({ status }) => status) ?? [];
        const isExpected =
          got.length === expect.length &&
          expect.every((status, index) => [status].flat().includes(got[index] ?? 0));
        const fault = isExpected ? answers && faultOfAll(answers) : `answered ${JSON.stringify(got)}`;
        return { answers, fault, pauses };
      }
    }
  }

  #describe(one: Try): string {
    if (one.kind === "case") return this.#cases[one.index]?.name ?? "";
    const { method, path, headers, body } = one.request;
    const event = one.kind === "event" ? ` as ${JSON.stringify(one.spelling)}` : "";
    return `${method} ${path.slice(0, 200)} ${JSON.stringify({ ...headers, authorization: "…" }).slice(0, 300)} ${body.toString("latin1").slice(0, 300)} (${body.length} bytes)${event}`;
  }
}

function triesOf(known: Known, cases: number): fc.Arbitrary<Try> {
  const request = requests(known);
  const ofOperation = request.filter(({ operationId }) => operationId !== undefined);
  return fc.oneof(
    { weight: 70, arbitrary: request.map((request): Try => ({ kind: "http", request })) },
    {
      weight: 15,
      arbitrary: fc
        .tuple(ofOperation, spellings)
        .map(([request, spelling]): Try => ({ kind: "event", request, spelling })),
    },
    {
      weight: 12,
      arbitrary: fc
        .tuple(ofOperation, fc.array(damage, { minLength: 1, maxLength: 3 }))
        .map(([request, harms]): Try => ({ kind: "wire", request, harms })),
    },
    { weight: 3, arbitrary: fc.nat({ max: cases - 1 }).map((index): Try => ({ kind: "case", index })) },
  );
}

/** A request's bytes as a client would send them; the harm falls on its head as well as on its body. */
function wireOf({ method, path, headers, body }: FuzzRequest): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    "host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), body]);
}

const faultOfAll = (answers: Received[]) => {
  for (const answer of answers) {
    const fault = answer.status === 0 ? `an answer cut short: ${answer.text}` : faultOf(answer, undefined);
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** Undefined where there was no answer in time; the error where there was none at all. */
async function inTime<T>(answer: Promise<T>): Promise<T | { error: unknown } | undefined> {
  const deadline = new AbortController();
  try {
    return await Promise.race([
      answer.catch((error: unknown) => ({ error })),
      sleep(DEADLINE_MS, undefined, { signal: deadline.signal }).catch(() => undefined),
    ]);
  } finally {
    deadline.abort();
  }
}
