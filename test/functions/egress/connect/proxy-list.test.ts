import { expect, test } from "@jest/globals";
import { findProxy, parseProxyList } from "../../../../functions/egress/connect/proxy-list.ts";

const germany = {
  type: "residential",
  country: "Germany",
  url: "http://user:secret@de.example.net:8000",
} as const;
const france = { type: "residential", country: "France", url: "https://user:secret@fr.example.net" } as const;
const anywhere = { type: "residential", url: "http://user:secret@any.example.net:8000" } as const;
const datacenter = { type: "datacenter", country: "France", url: "http://dc.example.net:3128" } as const;

const list = [anywhere, germany, france, datacenter];

test.each([
  ["its country before one that names none", { type: "residential", country: "Germany" }, germany],
  ["a country however it is spelled", { type: "residential", country: " gERMANY" }, germany],
  ["one that names no country for any other", { type: "residential", country: "Peru" }, anywhere],
  ["one that names no country where none is asked for", { type: "residential" }, anywhere],
  ["any of the type where none is asked for", { type: "datacenter" }, datacenter],
] as const)("takes %s", (_, wanted, { url }) => {
  expect(findProxy(list, wanted).url).toBe(url);
});

test("tells of a proxy by type and country alone", () => {
  expect(findProxy(list, { type: "residential", country: "Peru" }).name).toBe(
    "the residential proxy for Peru",
  );
  expect(findProxy(list, { type: "datacenter" }).name).toBe("the datacenter proxy");
});

test.each([
  [{ type: "datacenter", country: "Peru" }, /^No datacenter proxy for Peru is set up\. .* ask the operator/],
  [{ type: "custom" }, /^No custom proxy is set up\. /],
] as const)("a run never goes without the proxy that it asks for: %j", (wanted, message) => {
  const found = () => findProxy(list, wanted);
  expect(found).toThrow(expect.objectContaining({ code: "proxy_failed", transient: false }));
  expect(found).toThrow(message);
  expect(found).not.toThrow(/secret|example\.net/);
});

test("a good list is taken as it is", () => {
  expect(parseProxyList(JSON.stringify(list))).toEqual(list);
  expect(parseProxyList("[]")).toEqual([]);
});

test.each([
  ["no JSON", "http://user:secret@de.example.net", ["must be JSON"]],
  ["half of it", '[{"type":"custom","url":"http://user:secret@de.example.net', ["must be JSON"]],
  ["no list", JSON.stringify(germany), ["must be a list of proxies"]],
  ["a mere address", JSON.stringify([germany.url]), ["[0]: must be an object with type, url"]],
  [
    "every wrong field",
    JSON.stringify([{ type: "secret", country: "", url: 5, password: "secret" }, { type: "custom" }]),
    [
      "[0].type: must be datacenter, residential or custom",
      "[0].country: must not be empty",
      "[0].url: must be http://host:port or https://host:port",
      "[0].password: is not a known field here",
      "[1].url: is required",
    ],
  ],
])("tells what is wrong with %s, and repeats nothing of it", (_, text, problems) => {
  const parse = () => parseProxyList(text);
  for (const problem of problems) expect(parse).toThrow(problem);
  expect(parse).not.toThrow(/secret|example\.net/);
});

test.each([
  "socks5://user:secret@de.example.net:1080",
  "de.example.net:8000",
  "http://de.example.net/path",
  "http://user:100%secret@de.example.net",
])("%s is no proxy's address", (url) => {
  expect(() => parseProxyList(JSON.stringify([{ type: "custom", url }]))).toThrow(
    "[0].url: must be http://host:port",
  );
});
