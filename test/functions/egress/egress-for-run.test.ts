import { expect, jest, test } from "@jest/globals";
import { startEgressForRun } from "../../../functions/egress/egress-for-run.ts";
import type { ProxyList } from "../../../functions/egress/proxy-list.ts";

test("a run that asks for no proxy goes directly, whatever is the matter with the list", async () => {
  const proxies = jest.fn<() => ProxyList>().mockImplementation(() => {
    throw new Error("not to be read");
  });
  const egress = await startEgressForRun({ proxy: { type: "none" } }, { allowHosts: [], proxies });
  expect(egress.via).toBeNull();
  expect(proxies).not.toHaveBeenCalled();
  await egress.close();
});

test("a run that asks for a proxy goes through it or not at all", async () => {
  const proxies = async (): Promise<ProxyList> => [{ type: "custom", url: "http://127.0.0.1:9" }];
  const options = { allowHosts: [], proxies };
  const egress = await startEgressForRun({ proxy: { type: "custom", country: "Peru" } }, options);
  expect(egress.via).toBe("the custom proxy for Peru");
  await egress.close();
  await expect(startEgressForRun({ proxy: { type: "residential" } }, options)).rejects.toMatchObject({
    code: "proxy_failed",
  });
});
