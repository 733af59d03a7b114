import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Run } from "../functions/contract/runs/run.ts";
import { putScraper } from "../test/put-scraper.ts";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";

/*
 * Files of a run for real: as many small ones as a run may have; and more than a gigabyte of large ones, beside one that
 * says that it has more than a gigabyte and one without an end. What the run and the archive take, and how soon that begins.
 */
const SMALL = { count: 10_000, bytes: 10_000 };
const LARGE = { count: 12, bytes: 100_000_000 };
const DECLARED = 1_200_000_000;
const LIMITS = { memoryMb: 200, firstByteMs: 500 };

const part = Buffer.alloc(64_000, "%PDF-1.7 ");
/** What the site has sent of the two files that are refused, in bytes. */
const sent = { declared: 0, endless: 0 };

const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
  const [, kind = "", number = ""] = (request.url ?? "").split("/");
  if (kind === "list") {
    const more = number === "large" ? ["/declared", "/endless"] : [];
    const { count } = number === "large" ? LARGE : SMALL;
    const links = [...Array.from({ length: count }, (_, index) => `/${number}/${index}.pdf`), ...more];
    response.setHeader("content-type", "text/html");
    response.end(`<ul>${links.map((link) => `<li><a href="${link}">${link}</a></li>`).join("")}</ul>`);
    return;
  }
  const isRefused = kind === "declared" || kind === "endless";
  if (kind !== "small" && kind !== "large" && !isRefused) return void response.writeHead(404).end();
  const bytes = {
    small: SMALL.bytes,
    large: LARGE.bytes,
    declared: DECLARED,
    endless: Number.POSITIVE_INFINITY,
  }[kind];
  response.setHeader("content-type", "application/pdf");
  if (Number.isFinite(bytes)) response.setHeader("content-length", bytes);
  const chunks = function* () {
    for (let left = bytes; left > 0; left -= part.length) {
      const chunk = left < part.length ? part.subarray(0, left) : part;
      if (isRefused) sent[kind] += chunk.length;
      yield chunk;
    }
  };
  // The service closes the connection of a file that it refuses.
  await pipeline(Readable.from(chunks()), response).catch(() => {});
}).listen(0, "127.0.0.1");
await once(server, "listening");
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

console.log(
  "files    listed   failed   stored MB   run s   memory over idle MB   ZIP first byte ms   ZIP MB   ZIP s   memory over idle MB",
);
for (const kind of ["small", "large"] as const)
  await withDataFolder(async (data) => {
    const service = await startServiceProcess(data, ["--allow-host", host]);
    await measure(service, kind).finally(service.stop);
  });
console.log(
  `\nSent of the file that declares ${DECLARED / 1e6} MB: ${(sent.declared / 1e6).toFixed(1)} MB; of the one without an end: ${(sent.endless / 1e6).toFixed(1)} MB`,
);
console.log(`Held against: memory over idle ≤ ${LIMITS.memoryMb} MB, first byte ≤ ${LIMITS.firstByteMs} ms`);
server.close();
server.closeAllConnections();

async function measure(service: ServiceProcess, kind: "small" | "large"): Promise<void> {
  const get = (path: string) =>
    fetch(service.url + path, { headers: { authorization: `Bearer ${service.apiKey}` } });
  const list = {
    ...{ type: "get_list", selector: "li", fields: [{ name: "file", selector: "a", attribute: "href" }] },
    files: { field: "file", max_bytes: LARGE.bytes },
  };
  const definition = {
    ...{ name: "Files", rows_limit: SMALL.count },
    steps: [{ id: "open", type: "visit", url: `http://${host}/list/${kind}` }, list],
  };
  const scraper_id = await service.withTable(
    async (table) => (await putScraper(table, "default", definition, new Date())).id,
  );
  await sleep(3_000);
  const idle = await service.memory();
  const ran = await sampled(service, async () => {
    const response = await fetch(`${service.url}/v1/runs`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ scraper_id, rows_limit: SMALL.count }),
    });
    let run = (await response.json()) as Run;
    while (run.status === "running") {
      await sleep(500);
      run = (await (await get(`/v1/runs/${run.id}`)).json()) as Run;
    }
    if (run.status !== "successful") throw new Error(JSON.stringify(run.error));
    return run;
  });
  const { id, files } = ran.result;
  const zip = await sampled(service, async (start) => {
    const response = await get(`/v1/runs/${id}/files?format=zip`);
    if (!response.ok) throw new Error(await response.text());
    let firstByte = 0;
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      firstByte ||= performance.now() - start;
      bytes += chunk.length;
    }
    return { firstByte, bytes };
  });
  const columns: [string | number, number][] = [
    [files?.count ?? 0, 15],
    [files?.failed ?? 0, 9],
    [((files?.bytes ?? 0) / 1e6).toFixed(0), 12],
    [ran.seconds.toFixed(1), 8],
    [(ran.peak - idle).toFixed(0), 22],
    [zip.result.firstByte.toFixed(0), 20],
    [(zip.result.bytes / 1e6).toFixed(0), 9],
    [zip.seconds.toFixed(1), 8],
    [(zip.peak - idle).toFixed(0), 22],
  ];
  console.log(kind + columns.map(([value, width]) => String(value).padStart(width)).join(""));
}

/** Does something, and measures how long it takes and the most memory that the service has meanwhile, in MB. */
async function sampled<T>(service: ServiceProcess, work: (start: number) => Promise<T>) {
  let peak = 0;
  let isMeasuring = true;
  const sampler = (async () => {
    while (isMeasuring) {
      peak = Math.max(peak, await service.memory());
      await sleep(50);
    }
  })();
  const start = performance.now();
  const result = await work(start);
  const seconds = (performance.now() - start) / 1000;
  isMeasuring = false;
  await sampler;
  return { result, seconds, peak };
}
