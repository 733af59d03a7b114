import fc from "fast-check";
import { operations } from "../openapi.ts";
import type { Sent } from "../send.ts";
import { bodiesOf } from "./bodies.ts";
import { fitting, nastyText } from "./values.ts";

/** What there is on the service that is fuzzed. */
export interface Known {
  key: string;
  scraperId: string;
  runId: string;
}

/** A request, and the operation of the OpenAPI document that it is of; undefined where only the service can tell. */
export interface FuzzRequest extends Sent {
  operationId: string | undefined;
  path: string;
  params: Record<string, string>;
  query: [string, string][];
  body: Buffer;
}

const UUID = "0199a3f0-5c10-7c3e-9d1b-4a0000000001";
/** Without DELETE, which would take away what the other requests are about: it has operations of its own. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY"];

const odds = <T>(often: number, one: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: often, arbitrary: one }, { weight: 1, arbitrary: other });

/** Percent-encoded, also where that can't be done by the book. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

/** Requests of every operation of the document, as it describes them and with all kinds of mistakes. */
export function requests(known: Known): fc.Arbitrary<FuzzRequest> {
  const ids = (id: string) =>
    odds(4, fc.constantFrom(id, UUID), fc.oneof(nastyText, fc.string({ unit: "binary" })));
  const fields = {
    scraper_id: odds(4, fc.constant(known.scraperId), ids(known.runId)),
    webhook_url: odds(3, fc.constantFrom(null, "https://example.org/hook"), fc.webUrl()),
    id: odds(3, fc.constantFrom("open", "search"), nastyText),
    url: odds(3, fc.webUrl(), nastyText),
    value: odds(3, fc.string({ unit: "grapheme" }), odds(4, nastyText, fc.constant("é".repeat(70_000)))),
  };
  const headers = headersWith(known.key);
  return fc.oneof(
    ...operations.map((operation) => {
      // Most can go wrong where there is a body.
      const weight = operation.requestBody ? operations.length : 1;
      const params = operation.parameters
        .filter((one) => one.in === "path")
        .map(({ name }) => [name, ids(idFor(operation, known))]);
      const query = operation.parameters
        .filter((one) => one.in === "query")
        .map(({ name, schema }) => queryOf(name, name in fields ? fields.scraper_id : fitting(schema, {})));
      const arbitrary = fc
        .record({
          params: fc.record(Object.fromEntries(params)) as fc.Arbitrary<Record<string, string>>,
          query: queryWith(query),
          headers,
          idempotencyKey: fc.option(
            odds(2, fc.constantFrom("one", "two"), fc.base64String({ maxLength: 400 })),
          ),
          body: odds(
            operation.requestBody ? 50 : 1,
            bodiesOf(operation, fields),
            fc.constant({ type: "", bytes: Buffer.alloc(0) }),
          ),
          bent: odds<Bent>(9, fc.constant({}), bent),
        })
        .map(({ params, query, headers, idempotencyKey, body, bent }): FuzzRequest => {
          const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(params[name] ?? "") || "-");
          // A path too long is refused before its method is read: with a body, which HEAD must not have.
          const text = (bent.method === "HEAD" ? [] : query)
            .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
            .join("&");
          const target = bent.path?.(path) ?? path;
          return {
            operationId: bent.path || bent.method ? undefined : operation.operationId,
            method: bent.method ?? operation.method,
            path: target + (text && (target.includes("?") ? `&${text}` : `?${text}`)),
            params,
            query,
            headers: {
              ...headers,
              ...(body.type && { "content-type": body.type }),
              ...(idempotencyKey !== null && { "idempotency-key": idempotencyKey }),
            },
            body: operation.requestBody || bent.method ? body.bytes : Buffer.alloc(0),
          };
        });
      return { weight, arbitrary };
    }),
  );
}

const idFor = ({ method, path }: { method: string; path: string }, { scraperId, runId }: Known) => {
  if (method === "DELETE") return UUID;
  return path.includes("scrapers") ? scraperId : runId;
};

const queryOf = (name: string, fits: fc.Arbitrary<unknown>) =>
  odds(3, fits.map(String), nastyText).map((value): [string, string] => [name, value]);

/** Some of the operation's parameters, some of them twice, and some that it does not have. */
const queryWith = (described: fc.Arbitrary<[string, string]>[]): fc.Arbitrary<[string, string][]> => {
  const other = fc.tuple(nastyText, nastyText);
  return fc.array(described.length === 0 ? other : odds(3, fc.oneof(...described), other), { maxLength: 3 });
};

const headersWith = (key: string): fc.Arbitrary<Record<string, string>> =>
  fc
    .tuple(
      odds(
        12,
        fc.constant<string | undefined>(`Bearer ${key}`),
        fc.oneof(
          fc.constantFrom(
            undefined,
            "",
            "Bearer",
            `bearer   ${key}`,
            `Basic ${key}`,
            key,
            `Bearer ${key} ${key}`,
          ),
          fc.nat({ max: key.length - 1 }).map((at) => `Bearer ${key.slice(0, at)}z${key.slice(at + 1)}`),
          fc.base64String().map((text) => `Bearer ${text}`),
          fc.constant("Bearer \u00ff\u00fe"),
        ),
      ),
      odds(
        4,
        fc.constant({}),
        fc.dictionary(headerNames, odds(2, fc.base64String({ maxLength: 60 }), fc.constant("gzip")), {
          maxKeys: 5,
        }),
      ),
    )
    .map(([authorization, more]) => ({ ...more, ...(authorization !== undefined && { authorization }) }));

const headerNames = fc.constantFrom(
  "x-request-id",
  "x-http-method-override",
  "x-forwarded-host",
  "accept",
  "accept-encoding",
  "content-encoding",
  "cookie",
  "constructor",
  "tostring",
  "range",
  "if-none-match",
  "origin",
);

interface Bent {
  method?: string;
  path?: (path: string) => string;
}

/** Another method, or a path that is none of the document's, or only looks so. */
const bent: fc.Arbitrary<Bent> = fc.oneof(
  fc.constantFrom(...METHODS).map((method) => ({ method })),
  fc
    .constantFrom<(path: string) => string>(
      (path) => `/${path}`,
      (path) => `${path}/`,
      (path) => `${path}//`,
      (path) => path.toUpperCase(),
      (path) => `${path}/../runs`,
      (path) => `/%2e%2e${path}`,
      (path) => path.replace("/v1/", "/v1%2f"),
      (path) => path.replaceAll("/", "\\"),
      (path) => `${path}%zz`,
      (path) => `${path}%00`,
      (path) => `${path};a=b`,
      (path) => `${path}?`,
      (path) => `${path}#x`,
      (path) => `${path}/${"a".repeat(8_000)}`,
      (path) => `${path}?page=${"1".repeat(20_000)}`,
      (path) => `http://other.example.org:1${path}`,
      (path) => `http://[${path}`,
      () => "*",
      () => "/",
      () => "//",
      () => "/v2/runs",
      () => "/__proto__",
      () => "/v1/constructor",
    )
    .map((path) => ({ path })),
);
