import { expect, test } from "@jest/globals";
import { refusalOf } from "../../local/http/gateway.ts";

const status = (host: string | undefined, origin?: string, names: string[] = []) =>
  refusalOf({ host, origin }, names)?.[0];

test("requests for this machine and from no web page pass", () => {
  for (const host of [
    "localhost",
    "localhost:4000",
    "127.0.0.1:4000",
    "[::1]:4000",
    "192.168.1.7",
    undefined,
  ]) {
    expect(status(host)).toBeUndefined();
  }
  expect(status("localhost:4000", "http://localhost:4000")).toBeUndefined();
});

test("a name that an attacker may have rebound is refused, unless it is this service's", () => {
  for (const host of ["evil.example:4000", "127.0.0.1.nip.io", "localhost.evil.example", "LOCALHOST.evil"]) {
    expect(status(host)).toBe(421);
  }
  expect(status("gleaner.example.com", undefined, ["gleaner.example.com"])).toBeUndefined();
  expect(status("gleaner.example.com:8443", undefined, ["gleaner.example.com"])).toBeUndefined();
});

test("a web page of another origin is refused, also one on another port of this machine", () => {
  for (const origin of ["https://evil.example", "http://localhost:8080", "http://127.0.0.1", "null", ""]) {
    expect(status("localhost:4000", origin)).toBe(403);
  }
});

test("a Host header that is none is refused", () => {
  for (const host of ["", "a b", "user@localhost", "localhost/path", "[::1"]) expect(status(host)).toBe(400);
});
