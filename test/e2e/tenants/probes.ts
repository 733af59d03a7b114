import type { RouteName } from "../../../functions/contract/routes.ts";
import { ChangesQuery, FilesQuery, RowsQuery } from "../../../functions/contract/runs/rows-query.ts";
import { ScraperDefinition } from "../../../functions/contract/scrapers/scraper.ts";
import type { Sent } from "../send.ts";
import { neverGiven, type Tenant } from "./tenants.ts";

/** The same request twice: with something of another account, and with something that never was. */
export interface Probe {
  name: string;
  theirs: Sent;
  never: Sent;
  /** What the two differ in. */
  values: [string, string];
}

/** Why an input needs no probe. */
type Reason = string;

type Probes = Record<RouteName, Record<string, Probe[] | Reason>>;

/** For each route, for each of its inputs: every way to name in it what belongs to another account. */
export function probes(mine: Tenant, theirs: Tenant): Probes {
  const authorization = `Bearer ${mine.key}`;
  const get = (path: string): Sent => ({ method: "GET", path, headers: { authorization } });
  const remove = (path: string): Sent => ({ method: "DELETE", path, headers: { authorization } });
  const withJson = (method: string, path: string, body: object, headers = {}): Sent => ({
    method,
    path,
    headers: { authorization, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const post = (body: object, headers = {}): Sent => withJson("POST", "/v1/runs", body, headers);
  const pair = (name: string, value: string, other: string, request: (value: string) => Sent): Probe => ({
    name,
    theirs: request(value),
    never: request(other),
    values: [value, other],
  });
  /** With numbers that `mine` has given to something of its own as well, and with numbers that it has not. */
  const ids = (request: (id: string) => Sent) =>
    [
      ["a run's id", theirs.runs],
      ["a scraper's id", theirs.scrapers],
    ].flatMap(([what, known]) =>
      [known?.[0] ?? "", known?.[1] ?? "", known?.at(-1) ?? ""].map((id, index) =>
        pair(`${what}, ${index}`, id, neverGiven(id), request),
      ),
    );
  // Page 2 is one of theirs and none of mine; page 9 is nobody's. Zeros make them values that stand out in a text.
  const pages = (list: string) => [
    pair("a page", "0000000002", "0000000009", (page) => get(`${list}?page=${page}`)),
  ];
  const hooks = (request: (url: string) => Sent) => [
    pair("an address", `http://127.0.0.1:80/${theirs.account}`, "http://127.0.0.1:80/none", request),
  ];
  const [ownScraper = ""] = mine.scrapers;
  const [theirScraper = ""] = theirs.scrapers;
  const batchIds = (request: (id: string) => Sent) =>
    theirs.batches.map((id, index) => pair(`a batch's id, ${index}`, id, neverGiven(id), request));
  const hookIds = (request: (id: string) => Sent) =>
    [theirs.hooks[0] ?? "", theirs.hooks.at(-1) ?? ""].map((id, index) =>
      pair(`a hook's id, ${index}`, id, neverGiven(id), request),
    );
  const sessionNames = (request: (name: string) => Sent) => [
    pair("a session's name", theirs.session, `${theirs.session}-never`, request),
  ];
  const hook = (body: object): Sent =>
    withJson("POST", "/v1/hooks", {
      url: "http://127.0.0.1:80/hook",
      format: "standard",
      events: ["run.finished"],
      ...body,
    });
  const upload = (path: string): Sent => ({
    method: "POST",
    path,
    headers: { authorization, "content-type": "text/csv" },
    body: "no-such-step\nx",
  });
  const batch = (body: object, headers = {}): Sent =>
    withJson("POST", "/v1/batches", { scraper_id: ownScraper, inputs: [{ x: "x" }], ...body }, headers);
  const rowsOf = (of: object): Sent =>
    batch({ inputs: undefined, inputs_from: { rows_of: { ...of, field: "title", step: "open" } } });
  const used = theirs.idempotencyKeys[0] ?? "";
  const scraper = { name: "New", steps: [{ type: "visit", url: "https://example.org/" }] };
  const step = `secret-step-${theirs.account}`;

  return {
    listRuns: {
      "query scraper_id": [
        ...ids((id) => get(`/v1/runs?scraper_id=${id}`)),
        ...ids((id) => get(`/v1/runs?scraper_id=${id}&page=2`)),
      ],
      "query rows": "true or false names nothing",
      "query status": ids((id) => get(`/v1/runs?status=running&scraper_id=${id}`)),
      "query batch_id": batchIds((id) => get(`/v1/runs?batch_id=${id}`)),
      "query page": [
        ...pages("/v1/runs"),
        pair("a page of a scraper of theirs", theirScraper, neverGiven(theirScraper), (id) =>
          get(`/v1/runs?page=1&scraper_id=${id}`),
        ),
      ],
    },
    createRun: {
      "body scraper_id": [
        ...ids((scraper_id) => post({ scraper_id })),
        ...ids((scraper_id) => post({ scraper_id, steps: [{ id: step, value: "x" }] })),
        ...ids((scraper_id) => post({ scraper_id }, { "idempotency-key": used })),
      ],
      "body steps": [
        pair("a step's id", step, "x".repeat(step.length), (id) =>
          post({ scraper_id: ownScraper, steps: [{ id, value: "x" }] }),
        ),
      ],
      "body rows_limit": "a number names nothing",
      "body only_new": "true or false names nothing",
      "header gleaner-client": "a kind of client names nothing",
      "body webhook_url": hooks((webhook_url) => post({ scraper_id: ownScraper, webhook_url })),
      "header idempotency-key": [
        pair("a used key", used, used.replace("order", "never"), (idempotencyKey) =>
          post({ scraper_id: ownScraper }, { "idempotency-key": idempotencyKey }),
        ),
        pair(
          "a used key with another body",
          theirs.idempotencyKeys[1] ?? "",
          "never-used-key-2",
          (idempotencyKey) =>
            post({ scraper_id: ownScraper, rows_limit: 7 }, { "idempotency-key": idempotencyKey }),
        ),
      ],
    },
    getRun: {
      "path id": ids((id) => get(`/v1/runs/${id}`)),
      "query rows": "true or false names nothing",
    },
    getRunRows: {
      ...Object.fromEntries(
        Object.keys(RowsQuery.entries).map((name) => [`query ${name}`, "it names nothing that is stored"]),
      ),
      "path id": ids((id) => get(`/v1/runs/${id}/rows`)),
    },
    getRunChanges: {
      ...Object.fromEntries(
        Object.keys(ChangesQuery.entries).map((name) => [`query ${name}`, "it names nothing that is stored"]),
      ),
      "path id": ids((id) => get(`/v1/runs/${id}/changes`)),
    },
    getRunFiles: {
      ...Object.fromEntries(
        Object.keys(FilesQuery.entries).map((name) => [`query ${name}`, "it names nothing of another run"]),
      ),
      "path id": ids((id) => get(`/v1/runs/${id}/files`)),
    },
    readRunLog: {
      "path id": ids((id) => get(`/v1/runs/${id}/log`)),
      "query after": "a number names nothing",
    },
    getRunScreenshot: { "path id": ids((id) => get(`/v1/runs/${id}/screenshot`)) },
    getRunWebhook: { "path id": ids((id) => get(`/v1/runs/${id}/webhook`)) },
    resendRunWebhook: {
      "path id": ids((id) => withJson("POST", `/v1/runs/${id}/webhook/resend`, {})),
      "query what": "it names nothing that is stored",
    },
    getAccount: {},
    getOpenApi: {},
    getReference: {},
    getHealth: {},
    stopRun: { "path id": ids((id) => withJson("POST", `/v1/runs/${id}/stop`, {})) },
    deleteRun: { "path id": ids((id) => remove(`/v1/runs/${id}`)) },
    listScrapers: { "query page": pages("/v1/scrapers") },
    createScraper: {
      ...definitionFields,
      "body webhook_url": hooks((webhook_url) =>
        withJson("POST", "/v1/scrapers", { ...scraper, webhook_url }),
      ),
      "body id": ids((id) => withJson("POST", "/v1/scrapers", { ...scraper, id })),
      "header idempotency-key": [
        pair("a used key", used, used.replace("order", "never"), (idempotencyKey) =>
          withJson("POST", "/v1/scrapers", scraper, { "idempotency-key": idempotencyKey }),
        ),
      ],
    },
    getScraper: { "path id": ids((id) => get(`/v1/scrapers/${id}`)) },
    replaceScraper: {
      ...definitionFields,
      "body webhook_url": hooks((webhook_url) =>
        withJson("PUT", `/v1/scrapers/${ownScraper}`, { ...scraper, webhook_url }),
      ),
      "path id": ids((id) => withJson("PUT", `/v1/scrapers/${id}`, scraper)),
      "body id": ids((id) => withJson("PUT", `/v1/scrapers/${ownScraper}`, { ...scraper, id })),
      "header if-match": "a version names nothing",
    },
    // A client of the other routes; test/e2e/mcp asks its tools for what is another account's.
    callMcp: {},
    deleteSeen: { "path id": ids((id) => remove(`/v1/scrapers/${id}/seen`)) },
    deleteScraper: { "path id": ids((id) => remove(`/v1/scrapers/${id}`)) },
    listBatches: { "query page": pages("/v1/batches") },
    createBatch: {
      "query scraper_id": ids((id) => upload(`/v1/batches?scraper_id=${id}`)),
      "query rows_limit": "a number names nothing",
      "query concurrency": "a number names nothing",
      "query webhook_url": hooks((url) =>
        upload(`/v1/batches?scraper_id=${ownScraper}&webhook_url=${encodeURIComponent(url)}`),
      ),
      "body scraper_id": ids((scraper_id) => batch({ scraper_id })),
      "body steps": [
        pair("a step's id", step, "x".repeat(step.length), (id) => batch({ steps: [{ id, value: "x" }] })),
      ],
      "body inputs": [
        pair("a step's id", step, "x".repeat(step.length), (id) => batch({ inputs: [{ [id]: "x" }] })),
      ],
      "body inputs_from": [
        ...batchIds((failed_of) => batch({ inputs: undefined, inputs_from: { failed_of } })),
        ...batchIds((batch_id) => rowsOf({ batch_id })),
        ...ids((run_id) => rowsOf({ run_id })),
        ...ids((scraper_id) => rowsOf({ scraper_id })),
      ],
      "body rows_limit": "a number names nothing",
      "body concurrency": "a number names nothing",
      "body webhook_url": hooks((webhook_url) => batch({ webhook_url, inputs: [] })),
      "header gleaner-client": "a kind of client names nothing",
      "header idempotency-key": [
        pair("a used key", used, used.replace("order", "never"), (key) =>
          batch({ inputs: [{}] }, { "idempotency-key": key }),
        ),
      ],
    },
    getBatch: { "path id": batchIds((id) => get(`/v1/batches/${id}`)) },
    listBatchInputs: {
      "path id": batchIds((id) => get(`/v1/batches/${id}/inputs`)),
      "query status": "a status names nothing",
      "query page": batchIds((id) => get(`/v1/batches/${id}/inputs?page=2`)),
    },
    getBatchRows: {
      ...Object.fromEntries(
        Object.keys(RowsQuery.entries).map((name) => [`query ${name}`, "it names nothing that is stored"]),
      ),
      "path id": batchIds((id) => get(`/v1/batches/${id}/rows`)),
    },
    stopBatch: { "path id": batchIds((id) => withJson("POST", `/v1/batches/${id}/stop`, {})) },
    deleteBatch: { "path id": batchIds((id) => remove(`/v1/batches/${id}`)) },
    listSessions: {},
    putSession: {
      "path id": "a name of its own account only",
      "body cookies": "cookies name nothing",
      "body origins": "origins name nothing",
    },
    deleteSession: { "path id": sessionNames((name) => remove(`/v1/sessions/${name}`)) },
    listHooks: {},
    createHook: {
      "body url": hooks((url) => hook({ url })),
      "body format": "a format names nothing",
      "body events": "an event names nothing",
      "body scraper_id": ids((scraper_id) => hook({ url: "https://example.org/hook", scraper_id })),
    },
    getHook: { "path id": hookIds((id) => get(`/v1/hooks/${id}`)) },
    testHook: { "path id": hookIds((id) => withJson("POST", `/v1/hooks/${id}/test`, {})) },
    deleteHook: { "path id": hookIds((id) => remove(`/v1/hooks/${id}`)) },
    listAuditEntries: { "query before": "a time names nothing" },
    createInspection: {
      "body scraper_id": ids((scraper_id) => withJson("POST", "/v1/inspections", { scraper_id })),
      "body definition":
        "it names nothing of others: its session is the account's own, and its id and its webhook are not used",
      "body session": sessionNames((session) =>
        withJson("POST", "/v1/inspections", { url: "http://127.0.0.1:9/", session }),
      ),
      "body url": "it names nothing that is stored",
      "body through": "an index of a step names nothing that is stored",
      "body pages": "a number of pages names nothing",
      "body rows_limit": "a number of rows names nothing",
      "body like": "an element of a page names nothing that is stored",
      "body want": "a part of the answer names nothing",
    },
  };
}

/** What a definition has that names nothing that the service stores. */
const definitionFields: Record<string, Reason> = Object.fromEntries(
  Object.keys(ScraperDefinition.pipe[0].entries)
    .filter((name) => !["id", "webhook_url"].includes(name))
    .map((name) => [`body ${name}`, "it names nothing that is stored"]),
);

/** All probes of all routes, as rows for `test.each`. */
export const allProbes = (of: Probes): { name: string; route: RouteName; probe: Probe }[] =>
  (Object.entries(of) as [RouteName, Probes[RouteName]][]).flatMap(([route, inputs]) =>
    Object.entries(inputs).flatMap(([input, probed]) =>
      typeof probed === "string"
        ? []
        : probed.map((probe) => ({ name: `${route}, ${input}: ${probe.name}`, route, probe })),
    ),
  );
