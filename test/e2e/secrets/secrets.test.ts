import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newApiKey } from "../../../functions/accounts/api-key-format.ts";
import type { Secret } from "../../../functions/secrets/secret.ts";
import { webhookSecrets } from "../../../functions/store/webhooks.ts";
import { withService } from "../../../local/connect.ts";
import { putScraper } from "../../put-scraper.ts";
import { type Site, sendHtml, startSite } from "../../site/site.ts";
import { startUpstreamProxy, type UpstreamProxy } from "../../site/upstream-proxy.ts";
import { filesIn, findIn, itemsOf, type Sinks } from "./leaks.ts";
import { WatchedService } from "./watched-service.ts";

/*
 * The whole service with secrets of every kind planted in it, and a search of all that came out of it: what its
 * processes wrote, its answers, its webhooks, what it stored.
 */

/** Told apart by nothing but where they stand: this one is no secret. */
const MARKER = "marker-that-everybody-may-see";
const password = `pl4nted "pass" & w0rd/%é`;
const urlKey = "pl4nted key+for/addresses";
/** Of an address that is signed: clients know it and it is stored, but no log may have it. */
const signature = "pl4ntedsignature0123456789abcdef";
const wrongKey = newApiKey().key;
/** Of the operator's proxies: the second one does not let us in. */
const proxyPasswords = ["pl4nted-proxy-password", "pl4nted-refused-password"];

let site: Site;
let proxy: UpstreamProxy;
let service: WatchedService;

beforeAll(async () => {
  site = await startSite();
  const [password = "", refused] = proxyPasswords;
  proxy = await startUpstreamProxy({ user: "renter", password });
  const proxies = [
    { type: "residential", url: `http://renter:${password}@${proxy.host}` },
    { type: "custom", url: `http://renter:${refused}@${proxy.host}` },
  ];
  service = await WatchedService.start({
    hosts: [site.host],
    proxies,
    query: `X-Amz-Signature=${signature}`,
  });
}, 60_000);

afterAll(async () => {
  await service.close();
  await Promise.all([site.close(), proxy.close()]);
});

const storeScraper = async (definition: object): Promise<string> =>
  (await withService(service, (table) => putScraper(table, "default", definition, new Date()))).id;

const setSecret = (name: string, secret: Secret): Promise<void> =>
  withService(service, (_table, secrets) => secrets.put("default", name, secret, new Date()));

const fields = [{ name: "text" }, { name: "html", attribute: "html" }];
const list = { type: "get_list", selector: "li", fields };
const write = {
  id: "password",
  type: "write_input",
  selector: "[name=password]",
  value: "{{secret:password}}",
};

test("nothing that the service says or stores has a planted secret in it", async () => {
  site.setRoute(
    "/login",
    `<title>${MARKER}</title><form method="post" action="/account"><input name="password"><button>Go</button></form>`,
  );
  site.setRoute("/account", async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    sendHtml(response, echo(new URLSearchParams(body).get("password") ?? ""));
  });
  site.setRoute("/fixed", `<input name="password" readonly>`);
  const held: (() => void)[] = [];
  let holds = true;
  for (const page of [1, 2, 3]) {
    site.setRoute(`/list/${page}`, (request, response) => {
      const key = new URL(request.url ?? "", site.origin).searchParams.get("key");
      const answer = () =>
        sendHtml(
          response,
          key === urlKey ? `<ul><li>${MARKER} ${page} ${key}</li></ul>` : "no",
          key === urlKey ? 200 : 403,
        );
      if (page === 3 && holds) held.push(answer);
      else answer();
    });
  }

  expect((await service.line(`${password}\n`, "secret", "set", "password")).stdout).toContain(
    "{{secret:password}}",
  );
  expect((await service.line(urlKey, "secret", "set", "key", "--host", site.host, "--json")).code).toBe(0);
  expect((await service.line("abc", "secret", "set", "short")).stderr).toContain("at least 4 characters");
  await setSecret("elsewhere", { value: "elsewhere-only", hosts: ["shop.example"] });
  await setSecret("gone", { value: "gone for good", hosts: [] });
  expect((await service.line("", "secret", "remove", "gone")).stderr).toContain("Add --yes");
  expect((await service.line("", "secret", "remove", "gone", "--yes")).code).toBe(0);
  const listed = JSON.parse((await service.line("", "secret", "list", "--json")).stdout);
  expect(listed.map(({ name, hosts }: { name: string; hosts: string[] }) => ({ name, hosts }))).toEqual([
    { name: "elsewhere", hosts: ["shop.example"] },
    { name: "key", hosts: [site.host] },
    { name: "password", hosts: [] },
  ]);

  // Typed, on a page that shows it; the first delivery of its webhook fails.
  const open = { id: "open", type: "visit", url: site.url("/login") };
  const go = { type: "click", selector: "button" };
  const file = join(service.folder, "scraper.json");
  const steps = [open, write, go, list];
  await writeFile(
    file,
    JSON.stringify({ name: `Typing ${MARKER}`, steps, webhook_url: service.receiverUrl }),
  );
  const typing = JSON.parse((await service.line("", "scraper", "put", file, "--json")).stdout).id;
  const typed = await service.run(typing);
  expect(typed).toMatchObject({
    status: "successful",
    steps: [{}, { value: "{{secret:password}}" }, {}, {}],
  });
  expect(typed.result_rows?.[0]).toMatchObject({ text: `${MARKER} {{secret:password}}` });
  // Delivered again after five seconds.
  while (service.deliveries < 2) await sleep(100);

  // In addresses; stopped in the middle, to go on from the stored place.
  const address = `${site.url("/list/{page}")}?key={{secret:key}}`;
  const paging = await storeScraper({
    name: "Paging",
    steps: [{ type: "visit", url: address.replace("{page}", "1") }, list],
    // A delay keeps one page behind the other: it is known which the run stops before.
    pagination: { type: "url_template", url: address, max_pages: 3, delay_ms: 1 },
  });
  const paged = (await service.post({ scraper_id: paging })).body;
  while (held.length === 0) await sleep(20);
  await service.stop();
  const halfway = await filesIn(service.data);
  holds = false;
  for (const answer of held) answer();
  await service.start();
  expect((await service.finished(paged.id)).result_rows?.map(({ text }) => text)).toEqual(
    [1, 2, 3].map((page) => `${MARKER} ${page} {{secret:key}}`),
  );
  // Its first step was performed again, and the list went on from the place that was stored.
  const numbers = site.requests.flatMap((path) => /^\/list\/(\d)/.exec(path)?.[1] ?? []);
  expect(numbers.join("")).toBe("123123");

  // Through the operator's proxies.
  const visit = { type: "visit", url: `${site.url("/list/1")}?key={{secret:key}}` };
  const proxied = (type: string) => storeScraper({ name: type, steps: [visit, list], proxy: { type } });
  expect(await service.run(await proxied("residential"))).toMatchObject({ status: "successful" });
  expect(await service.run(await proxied("custom"))).toMatchObject({ error: { code: "proxy_failed" } });
  expect(proxy.asked.length).toBeGreaterThanOrEqual(2);

  // Runs that fail in each way that quotes something.
  const failing = async (steps: object[], code: string) => {
    const failed = await service.run(await storeScraper({ name: "Failing", steps }));
    expect(failed.error?.code).toBe(code);
    return failed;
  };
  const shown = await failing(
    [open, write, go, { type: "click", selector: "#none", timeout_ms: 1_500 }],
    "element_not_found",
  );
  await failing(
    [
      { ...open, url: site.url("/fixed") },
      { ...write, timeout_ms: 2_000 },
    ],
    "element_unusable",
  );
  await failing([{ type: "visit", url: `${site.url("/missing")}?key={{secret:key}}` }], "http_error");
  await failing(
    [
      { type: "visit", url: site.url("/login") },
      { ...write, value: "{{secret:gone}}" },
    ],
    "secret_unavailable",
  );
  await failing(
    [{ type: "visit", url: `${site.url("/login")}?key={{secret:elsewhere}}` }],
    "secret_unavailable",
  );
  const { stdout } = await service.line("", "run", "show", shown.id);
  expect(stdout).toContain(site.url("/account"));

  // Requests that are refused.
  expect((await service.call("/v1/runs", { key: wrongKey })).status).toBe(401);
  expect((await service.call(`/v1/runs/x?token=${signature}`, { key: wrongKey })).status).toBe(401);
  const away = { id: "open", url: service.receiverUrl };
  const reference = { id: "password", value: "{{secret:key}}" };
  expect((await service.post({ scraper_id: typing, steps: [away] })).status).toBe(400);
  expect((await service.post({ scraper_id: typing, steps: [reference] })).status).toBe(400);
  expect(
    (await service.post({ scraper_id: typing, webhook_url: "https://hooks.example/{{secret:key}}" })).status,
  ).toBe(400);

  for (const path of ["/v1/runs", `/v1/runs/${typed.id}`, "/v1/scrapers", `/v1/scrapers/${typing}`])
    await service.call(path);
  await service.line("", "webhook", "attempts", typed.id);

  const webhookSecret = await withService(service, (table) => webhookSecrets(table, "default", () => ""));
  const items = await withService(service, itemsOf);
  await service.stop();
  const files = [...halfway, ...(await filesIn(service.data))];
  const everywhere: Sinks = { ...service.sinks, items, files };

  // The search itself works: it finds what is no secret wherever it has to be.
  for (const sink of ["responses", "webhooks", "items", "files", "command line"]) {
    expect(findIn(everywhere, MARKER)).toContain(`${sink}: plain`);
  }
  expect(findIn(everywhere, typed.id)).toContain("service's output: plain");

  const ofProxies = proxyPasswords.flatMap((one) => [one, `renter:${one}`]);
  for (const value of [
    password,
    urlKey,
    ...ofProxies,
    "elsewhere-only",
    "gone for good",
    service.apiKey,
    wrongKey,
  ]) {
    expect({ value, found: findIn(everywhere, value) }).toEqual({ value, found: [] });
  }
  // What signs webhooks has to be stored, and a signed address is the client's own: neither is ever logged.
  for (const value of webhookSecret) expect(findIn(service.sinks, value)).toEqual([]);
  const logs = { "service's output": service.sinks["service's output"] };
  expect(findIn(logs, signature)).toEqual([]);
}, 240_000);

/** A page that shows a text in every way that it can. */
function echo(text: string): string {
  const escaped = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<title>${escaped}</title><ul><li>${MARKER} ${escaped}</li>
    <li>${encodeURIComponent(text)}</li><li>${Buffer.from(text).toString("base64")}</li>
    <li><a href="/?p=${encodeURIComponent(text)}">x</a><input value="${escaped}"></li></ul>`;
}

test.each([
  ["plain", password],
  ["percent-encoded", encodeURIComponent(password)],
  ["base 64", `x${Buffer.from(password).toString("base64")}x`],
  ["in capitals", password.replace(/[a-z]/g, (letter) => letter.toUpperCase())],
])("the search would find a secret: %s", (_form, text) => {
  expect(findIn({ log: ["first", `before ${text} after`] }, password)).not.toEqual([]);
  expect(findIn({ log: [Buffer.from(`before ${text} after`)] }, password)).not.toEqual([]);
});
