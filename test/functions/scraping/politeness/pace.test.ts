import { expect, test } from "@jest/globals";
import type { HostTurns } from "../../../../functions/runs/host-turns.ts";
import { createBudget } from "../../../../functions/scraping/budget.ts";
import { createPace, hostName } from "../../../../functions/scraping/politeness/pace.ts";

const budget = (ms = 60_000) => createBudget(Date.now() + ms);
const turns = (more: Partial<HostTurns> = {}): HostTurns => ({
  closedUntil: async () => 0,
  take: async () => 0,
  close: async () => {},
  ...more,
});

test.each([
  ["https://Shop.Example/a", "shop.example"],
  ["http://shop.example.:80/", "shop.example"],
  ["https://shop.example.:8443/", "shop.example:8443"],
  ["https://bücher.example", "xn--bcher-kva.example"],
  ["https://user@shop.example:443", "shop.example"],
  ["http://[2001:DB8::1]/", "[2001:db8::1]"],
  ["http://0x7f.1:3000/", "127.0.0.1:3000"],
])("the host of %s is %s", (address, host) => {
  expect(hostName(address)).toBe(host);
});

test("pages of a host that are asked for together come one after the other, those of others at once", async () => {
  const pace = createPace(undefined, budget());
  const began = Date.now();
  const at: number[] = [];
  await Promise.all([
    ...[1, 2, 3].map((n) => pace.turn(`https://shop.example/${n}`, 100).then(() => at.push(Date.now()))),
    pace.turn("https://other.example/", 5_000),
  ]);
  expect(at).toHaveLength(3);
  at.forEach((time, index) => {
    expect(time - began).toBeGreaterThanOrEqual(index * 100);
  });
});

test("a host that is closed while somebody waits for its turn is waited for", async () => {
  const pace = createPace(undefined, budget());
  await pace.turn("https://shop.example/1", 50);
  const second = pace.turn("https://shop.example/2", 50);
  const closed = Date.now() + 200;
  await pace.close("https://shop.example/1", 200);
  expect(pace.isOpen("https://shop.example/")).toBe(false);
  await second;
  expect(Date.now()).toBeGreaterThanOrEqual(closed);
});

test("what does not fit into the time that is left is not waited for", async () => {
  const pace = createPace(turns({ closedUntil: async () => Date.now() + 20_000 }), budget(10_000));
  const began = Date.now();
  await expect(pace.turn("https://shop.example/", 0)).rejects.toMatchObject({
    code: "host_busy",
    transient: false,
    message: expect.stringMatching(/^shop\.example may not be visited again before 2/),
  });
  // A turn that nobody would wait for is not taken either.
  let latest = 0;
  const take: HostTurns["take"] = async (_host, _delayMs, by) => {
    latest = by;
    return by + 1;
  };
  const paced = createPace(turns({ take }), budget(10_000));
  await expect(paced.turn("https://shop.example/", 1_000)).rejects.toMatchObject({ code: "host_busy" });
  expect(latest).toBeLessThanOrEqual(began + 10_000);
});

test("a look-up that fails is a fault that may pass, and is done again", async () => {
  let lookUps = 0;
  const pace = createPace(
    turns({
      async closedUntil() {
        lookUps += 1;
        if (lookUps === 1) throw new Error("throttled");
        return 0;
      },
    }),
    budget(),
  );
  await expect(pace.turn("https://shop.example/", 0)).rejects.toMatchObject({
    code: "internal_error",
    transient: true,
  });
  await pace.turn("https://shop.example/", 0);
  await pace.turn("https://shop.example/", 0);
  expect(lookUps).toBe(2);
});
