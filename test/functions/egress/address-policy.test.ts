import { describe, expect, test } from "@jest/globals";
import {
  assertReachable,
  createPolicy,
  isPublicAddress,
  parseAuthority,
} from "../../../functions/egress/policy/address-policy.ts";
import { fc } from "../../fast-check.ts";

/** Whether the policy lets an address in a URL through; false also where it is no URL, as then nothing is asked for. */
function reaches(address: string, allowHosts: string[] = [], allowPorts: number[] = []): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  try {
    const target = createPolicy({ allowHosts, allowPorts })(url);
    assertReachable(target, [target.host]);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: "blocked_address" });
    return false;
  }
}

describe("addresses", () => {
  const refused = [
    ["unspecified", "0.0.0.0"],
    ["this network", "0.1.2.3"],
    ["private 10/8, first", "10.0.0.0"],
    ["private 10/8, last", "10.255.255.255"],
    ["CGNAT, first", "100.64.0.0"],
    ["CGNAT, last", "100.127.255.255"],
    ["Alibaba's metadata, in CGNAT", "100.100.100.200"],
    ["loopback", "127.0.0.1"],
    ["loopback, last", "127.255.255.255"],
    ["link-local", "169.254.0.1"],
    ["metadata", "169.254.169.254"],
    ["ECS task metadata", "169.254.170.2"],
    ["Azure's host endpoint", "168.63.129.16"],
    ["private 172.16/12, first", "172.16.0.0"],
    ["private 172.16/12, last", "172.31.255.255"],
    ["IETF assignments, with Oracle's metadata", "192.0.0.192"],
    ["TEST-NET-1", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["private 192.168/16", "192.168.0.1"],
    ["benchmarks, first", "198.18.0.0"],
    ["benchmarks, last", "198.19.255.255"],
    ["TEST-NET-2", "198.51.100.1"],
    ["TEST-NET-3", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["multicast, last", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["IPv6 unspecified", "::"],
    ["IPv6 loopback", "::1"],
    ["IPv4-mapped private", "::ffff:10.0.0.1"],
    ["IPv4-mapped public", "::ffff:8.8.8.8"],
    ["IPv4-mapped, in hex", "::ffff:7f00:1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-compatible public", "::8.8.8.8"],
    ["NAT64 private", "64:ff9b::10.0.0.1"],
    ["NAT64 public", "64:ff9b::8.8.8.8"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["discard", "100::1"],
    ["Teredo", "2001:0:7f00:1::"],
    ["Teredo, obfuscated loopback", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
    ["IPv6 benchmarks", "2001:2::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 private", "2002:a00:1::1"],
    ["6to4 loopback", "2002:7f00:1::"],
    ["6to4 public", "2002:808:808::1"],
    ["documentation, new", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["unassigned", "4000::1"],
    ["unique-local", "fc00::1"],
    ["unique-local", "fd12:3456:789a::1"],
    ["metadata on IPv6", "fd00:ec2::254"],
    ["link-local IPv6", "fe80::1"],
    ["zone id", "fe80::1%eth0"],
    ["zone id on a public address", "2606:4700::1111%1"],
    ["site-local", "fec0::1"],
    ["IPv6 multicast", "ff02::1"],
    ["no address", "example.com"],
    ["nothing", ""],
    ["a spelling that a resolver never gives", "0177.0.0.1"],
  ] as const;
  test.each(refused)("refused: %s %s", (_name, address) => expect(isPublicAddress(address)).toBe(false));

  const allowed = [
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.1",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2001:4860:4860::8888",
    "2606:4700:4700::1111",
    "2a00:1450:4001:80e::200e",
  ];
  test.each(allowed)("public: %s", (address) => expect(isPublicAddress(address)).toBe(true));
});

/** Octets of an IPv4 address in every spelling that browsers read. */
const spelling = (octets: readonly number[]) => {
  const number = octets.reduce((sum, octet) => sum * 256 + octet, 0);
  const [a, b, c, d] = octets as [number, number, number, number];
  const parts = [[number], [a, (b << 16) | (c << 8) | d], [a, b, (c << 8) | d], octets];
  const radix = fc.constantFrom(
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0X${n.toString(16).toUpperCase()}`,
    (n: number) => `0${n.toString(8)}`,
    (n: number) => `000${n.toString(8)}`,
  );
  const fullWidth = (text: string) =>
    text.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
  const encoded = (text: string) => text.replace(/[0-9]/g, (digit) => `%3${digit}`);
  return fc
    .record({
      form: fc.constantFrom(...parts),
      radices: fc.tuple(radix, radix, radix, radix),
      dot: fc.constantFrom(".", "。", "．"),
      end: fc.constantFrom("", "."),
      disguise: fc.constantFrom((text: string) => text, fullWidth, encoded),
    })
    .map(({ form, radices, dot, end, disguise }) =>
      disguise(form.map((n, i) => (radices[i] as (n: number) => string)(n)).join(dot) + end),
    );
};

/** Near the borders of what is refused as often as anywhere. */
const octets = fc.oneof(
  fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)),
  fc.tuple(
    fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255),
    fc.constantFrom(0, 15, 16, 18, 31, 63, 64, 88, 127, 128, 168, 254, 255),
    fc.nat(255),
    fc.nat(255),
  ),
);

test("every spelling of an IPv4 address gets the verdict of the address", () => {
  const cases = octets.chain((four) => spelling(four).map((text) => ({ plain: four.join("."), text })));
  fc.assert(
    fc.property(cases, ({ plain, text }) => {
      expect(URL.parse(`http://${text}/`)?.hostname).toBe(plain);
      expect(reaches(`http://${text}/`)).toBe(isPublicAddress(plain));
    }),
    { numRuns: 3_000 },
  );
});

test("no IPv4 address gets through inside of an IPv6 address", () => {
  const wrap = fc.constantFrom(
    (ip: string) => `::ffff:${ip}`,
    (ip: string) => `::${ip}`,
    (ip: string) => `::ffff:0:${ip}`,
    (ip: string) => `64:ff9b::${ip}`,
    (ip: string) => `64:ff9b:1::${ip}`,
    (ip: string) => {
      const [a = 0, b = 0, c = 0, d = 0] = ip.split(".").map(Number);
      return `2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1`;
    },
  );
  fc.assert(
    fc.property(octets, wrap, (four, inside) => {
      expect(reaches(`http://[${inside(four.join("."))}]/`)).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("nothing outside of 2000::/3 is public", () => {
  const group = fc.nat(0xffff).map((n) => n.toString(16));
  const address = fc.tuple(group, group, group, group, group, group, group, group);
  fc.assert(
    fc.property(address, (groups) => {
      const first = Number.parseInt(groups[0], 16);
      if (isPublicAddress(groups.join(":"))) expect(first >> 13).toBe(1);
    }),
    { numRuns: 2_000 },
  );
});

describe("ports", () => {
  test.each([80, 443, 8080, 8443])("%i is open", (port) =>
    expect(reaches(`http://8.8.8.8:${port}/`)).toBe(true),
  );
  test.each([0, 1, 21, 22, 25, 53, 81, 445, 3306, 6379, 9001, 9200, 65535])("%i is not", (port) => {
    expect(reaches(`http://8.8.8.8:${port}/`)).toBe(false);
  });
  test("the operator can open one, for public addresses", () => {
    expect(reaches("http://8.8.8.8:9200/", [], [9200])).toBe(true);
    expect(reaches("http://10.0.0.1:9200/", [], [9200])).toBe(false);
  });
});

describe("exempted hosts", () => {
  test.each([
    ["127.0.0.1:4100", "http://127.0.0.1:4100/x", true],
    ["127.0.0.1:4100", "http://0x7f.1:4100/", true],
    ["0x7f.1:4100", "http://127.0.0.1:4100/", true],
    ["127.0.0.1:4100", "http://127.0.0.1:4101/", false],
    ["127.0.0.1:4100", "http://127.0.0.2:4100/", false],
    ["127.0.0.1:4100", "http://localhost:4100/", false],
    ["127.0.0.1:4100", "http://[::ffff:127.0.0.1]:4100/", false],
    ["localhost:4100", "http://localhost:4100/", true],
    ["localhost:4100", "http://LOCALHOST.:4100/", true],
    ["localhost:4100", "http://localhost..:4100/", false],
    ["localhost:4100", "http://a.localhost:4100/", false],
    ["[::1]:80", "http://[::1]/", true],
    ["[::1]:80", "http://[0:0:0:0:0:0:0:1]:80/", true],
    ["[::1]:80", "https://[::1]/", false],
    ["127.0.0.1:443", "https://127.0.0.1/", true],
    ["127.0.0.1:443", "wss://127.0.0.1/", true],
    ["127.0.0.1:80", "ws://127.0.0.1/", true],
    ["bücher.test:4100", "http://xn--bcher-kva.test:4100/", true],
  ])("%s for %s: %s", (allowed, address, verdict) => expect(reaches(address, [allowed])).toBe(verdict));

  test.each([
    "localhost",
    "127.0.0.1",
    "::1:80",
    "http://localhost:80",
    "a:80/x",
    "u@a:80",
    "a:b@c:80",
    "a:99999",
    "",
  ])("%p is no host:port", (text) => expect(() => createPolicy({ allowHosts: [text] })).toThrow(/host:port/));
});

test("one private address among public ones refuses the name", () => {
  const target = createPolicy({ allowHosts: [] })(new URL("http://shop.test/"));
  expect(() => assertReachable(target, ["8.8.8.8", "10.1.2.3"])).toThrow(/shop\.test:80/);
  expect(() => assertReachable(target, ["8.8.8.8", "2606:4700::1111"])).not.toThrow();
});

test.each([
  "example.com",
  "example.com:",
  "example.com:443/",
  "u:p@example.com:443",
  "a b:1",
  "[::1:443",
  "a\\b:80",
])("%p is no authority", (text) => expect(parseAuthority(text)).toBeNull());

test("a refusal ends with the advice of whoever runs the policy", () => {
  const judge = createPolicy({ allowHosts: [], refusalAdvice: (name) => `Ask for ${name}.` });
  const refusal = (address: string) => {
    const target = judge(new URL(address));
    assertReachable(target, [target.host]);
  };
  expect(() => refusal("http://127.0.0.1/")).toThrow(
    "127.0.0.1:80 can't be reached: it is not a public address. Ask for 127.0.0.1:80.",
  );
  expect(() => refusal("http://127.0.0.1:4100/")).toThrow(
    "127.0.0.1:4100 can't be reached: port 4100 is not allowed. Ask for 127.0.0.1:4100.",
  );
});
