import { expect, test } from "@jest/globals";
import type { Egress } from "../../../../functions/egress/proxy/egress.ts";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import { checkDocument } from "../../../../functions/scraping/page/document.ts";

const egress = {
  limitExceeded: () => null,
  wasRefused: () => false,
  failureOf: () => null,
} as unknown as Egress;

/** Milliseconds that an answer with this header asks for. */
function asked(header: string): number | undefined {
  try {
    checkDocument(
      {
        url: "https://shop.test/",
        status: 503,
        statusText: "",
        type: "text/html",
        headers: { "retry-after": header },
        method: "GET",
        error: undefined,
      },
      { egress, acceptStatus: [] },
    );
  } catch (error) {
    if (error instanceof RunFailure) return error.retryAfterMs;
    throw error;
  }
  throw new Error("An answer of 503 is a failure.");
}

test.each([
  ["0", 0],
  ["120", 120_000],
  ["99999999999999999999", 1e23],
  ["Wed, 21 Oct 2015 07:28:00 GMT", 0],
])("Retry-After: %s", (header, ms) => {
  expect(asked(header)).toBeCloseTo(ms, -3);
});

test.each([
  "-5",
  "1.5",
  "",
  "soon",
  "1e3",
  "0x10",
  "Infinity",
  "Wed, 99 Foo 2015 07:28:00 GMT",
  "2;",
  "1, 2",
])("Retry-After: %s says nothing", (header) => {
  expect(asked(header)).toBeUndefined();
});

test.each([
  (date: Date) => date.toUTCString(),
  (date: Date) => date.toUTCString().replace(/^(...), (..) (...) ..(..)/, "$1day, $2-$3-$4"),
])("Retry-After as a date", (write) => {
  const ms = asked(write(new Date(Date.now() + 3_600_000))) ?? 0;
  expect(ms).toBeGreaterThan(3_000_000);
  expect(ms).toBeLessThanOrEqual(3_600_000);
});
