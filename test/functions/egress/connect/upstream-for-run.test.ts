import { expect, jest, test } from "@jest/globals";
import type { ProxyList } from "../../../../functions/egress/connect/proxy-list.ts";
import { upstreamForRun } from "../../../../functions/egress/connect/upstream-for-run.ts";

test("a run that asks for no proxy goes directly, whatever is the matter with the list", async () => {
  const proxies = jest.fn<() => ProxyList>().mockImplementation(() => {
    throw new Error("not to be read");
  });
  expect(await upstreamForRun({ proxy: { type: "none" } }, proxies)).toBeUndefined();
  expect(proxies).not.toHaveBeenCalled();
});

test("a run that asks for a proxy goes through it or not at all", async () => {
  const proxies = async (): Promise<ProxyList> => [{ type: "custom", url: "http://127.0.0.1:9" }];
  expect(await upstreamForRun({ proxy: { type: "custom", country: "Peru" } }, proxies)).toEqual({
    url: "http://127.0.0.1:9",
    name: "the custom proxy for Peru",
  });
  await expect(upstreamForRun({ proxy: { type: "residential" } }, proxies)).rejects.toMatchObject({
    code: "proxy_failed",
  });
});
