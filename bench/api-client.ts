import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** Requests at a steady rate, whether or not the ones before have been answered. */
export interface Load {
  url: string;
  method: string;
  body: string | undefined;
  /** Used in turn. */
  keys: readonly string[];
  perSecond: number;
  requests: number;
}

export interface LoadResult {
  /** Milliseconds from sending to the last byte. */
  times: number[];
  failed: number;
  firstFailure: string;
}

const load = workerData as Load;
const agent = new Agent({ keepAlive: true });
const result: LoadResult = { times: [], failed: 0, firstFailure: "" };

const start = performance.now();
const pending: Promise<void>[] = [];
for (let index = 0; index < load.requests; index += 1) {
  await sleep(Math.max(0, start + (index * 1000) / load.perSecond - performance.now()));
  pending.push(send(load.keys[index % load.keys.length] ?? ""));
}
await Promise.all(pending);
agent.destroy();
parentPort?.postMessage(result);

function send(key: string): Promise<void> {
  return new Promise((resolve) => {
    const sent = performance.now();
    const fail = (reason: string) => {
      result.failed += 1;
      result.firstFailure ||= reason;
      resolve();
    };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    request(load.url, { method: load.method, agent, headers }, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += chunk;
      });
      response.on("end", () => {
        if ((response.statusCode ?? 500) >= 300) return fail(`${response.statusCode} ${body}`);
        result.times.push(performance.now() - sent);
        resolve();
      });
    })
      .on("error", (error) => fail(error.message))
      .end(load.body);
  });
}
