import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { type ServiceProcess, startServiceProcess, withDataFolder } from "./service.ts";
import { storeRun } from "./stored-run.ts";

/*
 * GET of a run of 200,000 rows × 5 fields, plain and compressed: how soon it begins, and what memory it takes beside the
 * idle service.
 */
const ROWS = 200_000;
const REPEATS = 5;
const LIMITS = { firstByteMs: 300, memoryMb: 100 };

await withDataFolder(async (data) => {
  const writer = await startServiceProcess(data);
  const id = await writer
    .withTable((table) => storeRun(table, { rows: ROWS, fields: Object.keys(row(0)), row }))
    .finally(writer.stop);
  // Another process, so that what storing it took is no part of what the service holds when idle.
  for (const encoding of ["identity", "gzip"]) {
    const service = await startServiceProcess(data);
    await measure(service, id, encoding).finally(service.stop);
  }
  console.log(
    `Held against: first byte ≤ ${LIMITS.firstByteMs} ms, memory over idle < ${LIMITS.memoryMb} MB`,
  );
});

async function measure(service: ServiceProcess, id: string, encoding: string): Promise<void> {
  await sleep(3_000);
  const idle = await service.memory();

  console.log(
    `GET of a run of ${ROWS} rows × 5 fields, ${encoding}; the service idles at ${idle.toFixed(0)} MB\n`,
  );
  console.log("first byte ms   whole s   sent MB   rows     memory over idle MB");
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    let peak = 0;
    let measuring = true;
    const sampler = (async () => {
      while (measuring) {
        peak = Math.max(peak, await service.memory());
        await sleep(10);
      }
    })();
    const { firstByte, whole, body } = await download(service, id, encoding);
    measuring = false;
    await sampler;
    const text = encoding === "gzip" ? gunzipSync(body) : body;
    const rows = JSON.parse(text.toString()).result_rows.length;
    const figures = [
      firstByte.toFixed(0),
      (whole / 1000).toFixed(2),
      (body.length / 1e6).toFixed(1),
      rows,
      (peak - idle).toFixed(0),
    ];
    console.log(figures.map((figure) => String(figure).padStart(9)).join(" "));
  }
  console.log();
}

/** By node:http, because fetch decompresses. */
async function download({ url, apiKey }: ServiceProcess, id: string, encoding: string) {
  const start = performance.now();
  const headers = { authorization: `Bearer ${apiKey}`, "accept-encoding": encoding };
  const [response] = (await once(request(`${url}/v1/runs/${id}`, { headers }).end(), "response")) as [
    IncomingMessage,
  ];
  if ((response.headers["content-encoding"] ?? "identity") !== encoding) throw new Error("Another encoding");
  let firstByte = 0;
  const parts: Buffer[] = [];
  for await (const part of response as AsyncIterable<Buffer>) {
    firstByte ||= performance.now() - start;
    parts.push(part);
  }
  return { firstByte, whole: performance.now() - start, body: Buffer.concat(parts) };
}

function row(index: number) {
  return {
    name: `Product ${index} in a colour of its own`,
    price: `€${((index * 7919) % 100_000) / 100}`,
    rating: String((index * 31) % 50),
    url: `https://shop.example.org/products/${index}-product`,
    image: `https://shop.example.org/images/${(index * 104_729) % 1_000_003}.jpg`,
  };
}
