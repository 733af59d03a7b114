import { GetParameterCommand } from "@aws-sdk/client-ssm";
import * as v from "valibot";
import type { ProxySettings } from "../contract/scraper.ts";
import type { Upstream } from "../egress/upstream-route.ts";
import { RunFailure } from "../runs/failure.ts";
import { proxiesParameter } from "./environment.ts";
import { ssm } from "./ssm.ts";

/** The operator's proxies: the first whose type and country fit is taken; one without country fits any. */
const Proxies = v.array(
  v.object({
    type: v.picklist(["datacenter", "residential", "custom"]),
    country: v.optional(v.string()),
    url: v.pipe(v.string(), v.url()),
  }),
);

let proxies: Promise<v.InferOutput<typeof Proxies>> | undefined;

/** The parameter is read once in a process's life, unless reading it failed. */
function readProxies() {
  proxies ??= load().catch((error) => {
    proxies = undefined;
    throw error;
  });
  return proxies;
}

async function load() {
  const name = proxiesParameter();
  if (name === undefined) return [];
  const { Parameter } = await ssm().send(new GetParameterCommand({ Name: name, WithDecryption: true }));
  return v.parse(Proxies, JSON.parse(Parameter?.Value ?? "[]"));
}

/** The proxy that a run goes through; undefined: none. @throws RunFailure when there is no fitting one */
export async function upstreamFor({ type, country }: ProxySettings): Promise<Upstream | undefined> {
  if (type === "none") return undefined;
  const fitting = (await readProxies()).find(
    (proxy) => proxy.type === type && (proxy.country === undefined || proxy.country === country),
  );
  if (fitting !== undefined) return { url: fitting.url };
  const wanted = country === undefined ? type : `${type} in ${country}`;
  throw new RunFailure(
    "navigation_failed",
    `No proxy of type ${wanted} is set up. Change the scraper's proxy, or ask the operator of the service to add one.`,
  );
}
