import { expect, test } from "@jest/globals";
import { readAddress } from "../../../functions/inspections/typed-address.ts";

test.each([
  ["https://example.org/books", { url: "https://example.org/books", isGuessed: false }],
  [" http://example.org ", { url: "http://example.org", isGuessed: false }],
  ["example.org/books?page=2", { url: "https://example.org/books?page=2", isGuessed: true }],
  ["example.org:8443/books", { url: "https://example.org:8443/books", isGuessed: true }],
  ["localhost:4100/books", { url: "http://localhost:4100/books", isGuessed: true }],
  ["shop.localhost", { url: "http://shop.localhost", isGuessed: true }],
  ["127.0.0.1:4100", { url: "http://127.0.0.1:4100", isGuessed: true }],
  ["[::1]:4100/books", { url: "http://[::1]:4100/books", isGuessed: true }],
  ["127.example.org", { url: "https://127.example.org", isGuessed: true }],
])("%j as an address is %j", (text, address) => expect(readAddress(text)).toEqual(address));

test.each(["", "https://", "ftp://shop.example/", "mailto:me@shop.example", "me:pw@shop.example", "a shop"])(
  "%j is no address",
  (text) => expect(readAddress(text)).toBeUndefined(),
);
