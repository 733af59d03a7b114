import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { inspect } from "../../../functions/inspections/inspect.ts";
import { sessionCheckOf } from "../../../functions/inspections/session-check.ts";
import type { InspectionTask } from "../../../functions/inspections/task.ts";
import { createScraper } from "../../../functions/scraping/engine.ts";
import { newSessionKey, SESSION_KEY } from "../../../functions/sessions/session-key.ts";
import { deleteSession, getSession } from "../../../functions/store/sessions.ts";
import { SpareThread } from "../../../functions/threads/spare-thread.ts";
import { type Site, sendHtml, startSite } from "../../site/site.ts";
import { type Engine, startEngine } from "../scraping/harness.ts";
import { startTable } from "../store/local-table.ts";

const table = await startTable();
let engine: Engine;
let site: Site;
let signIns: number;

beforeAll(async () => {
  site = await startSite();
  engine = await startEngine([site.host]);
  for (const path of ["/orders", "/invoices"])
    site.setRoute(path, (request, response) => {
      const isMember = request.headers.cookie?.includes("member=yes");
      sendHtml(response, isMember ? "<a>Sign out</a><ul><li>One</li><li>Two</li></ul>" : "<h1>Sign in</h1>");
    });
  site.setRoute("/login", (_, response) => {
    signIns += 1;
    response.setHeader("set-cookie", "member=yes; Path=/; HttpOnly; Max-Age=86400");
    sendHtml(response, "Welcome");
  });
});
const threads = new SpareThread();
afterAll(async () => {
  await threads.close();
  await engine.close();
  await site.close();
});
beforeEach(async () => {
  signIns = 0;
  await deleteSession(table, "acme", "shop");
});

const key = newSessionKey();
const deps = {
  table,
  threads,
  readSecrets: async () => new Map([[SESSION_KEY, key]]),
  upstreamFor: async () => undefined,
  now: () => new Date(),
};
const list: Step = { type: "get_list", selector: "li", fields: [{ name: "text" }] };
const visit = (path: string): Step => ({ type: "visit", url: site.url(path) });

const inspected = (
  steps: Step[],
  session: InspectionTask["session"],
  want: InspectionTask["want"] = ["rows"],
) =>
  inspect(
    { ...deps, scrape: createScraper(engine.browsers) },
    {
      ...{ account: "acme", steps, session, pages: 1, rows_limit: 10, want, credits_left: null },
      ...{ pagination: { type: "none" }, proxy: { type: "none" } },
    },
  );
const check = { text: "Sign out" };
const ROWS = [{ text: "One" }, { text: "Two" }];

test("an inspection signs in by the scraper's session, keeps that, and describes the page that its steps end at", async () => {
  const steps = [{ type: "visit", url: site.url("/login") } as const];
  const first = await inspected([visit("/orders"), visit("/invoices"), list], { name: "shop", check, steps });
  expect(first).toMatchObject({ ok: true, rows: ROWS, page: { url: site.url("/invoices") } });
  const second = await inspected([visit("/orders"), list], { name: "shop", check, steps });
  expect(second).toMatchObject({ ok: true, rows: ROWS });
  expect(signIns).toBe(1);
});

test("a session without a check is only begun with, and kept", async () => {
  const steps = [{ type: "visit", url: site.url("/login") } as const];
  await inspected([visit("/orders")], { name: "shop", check, steps });
  const before = await getSession(table, "acme", "shop");
  const found = await inspected([visit("/invoices"), list], { name: "shop" });
  expect(found).toMatchObject({ ok: true, rows: ROWS, credits_used: 1 });
  expect((await getSession(table, "acme", "shop"))?.version).toBe((before?.version ?? 0) + 1);
});

test("the page of a session without a check has a picture, and a map with the control that signs out", async () => {
  const steps = [{ type: "visit", url: site.url("/login") } as const];
  await inspected([visit("/orders")], { name: "shop", check, steps });
  const found = await inspected([visit("/orders")], { name: "shop" }, ["map", "screenshot"]);
  expect(
    Buffer.from(found.screenshot ?? "", "base64")
      .subarray(0, 2)
      .toString("hex"),
  ).toBe("ffd8");
  expect(sessionCheckOf(found)).toEqual(check);
});

test("a session that is signed out fails the inspection, and no rows are shown", async () => {
  const found = await inspected([visit("/orders"), list], { name: "shop", check });
  expect(found).toMatchObject({ ok: false, error: { code: "session_expired", step: 0 }, rows: [] });
});
