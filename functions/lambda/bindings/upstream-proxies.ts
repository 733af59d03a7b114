import { GetParameterCommand } from "@aws-sdk/client-ssm";
import { ValidationError } from "../../contract/validate.ts";
import { type ProxyList, parseProxyList } from "../../egress/connect/proxy-list.ts";
import { RunFailure } from "../../runs/failure.ts";
import { proxiesParameter } from "./environment.ts";
import { log } from "./observe.ts";
import { ssm } from "./ssm.ts";

let proxies: Promise<ProxyList> | undefined;

/**
 * The upstream proxies of the service. They are read once per process, and again if the read failed.
 * @throws RunFailure `proxy_failed` if the list is invalid
 */
export function upstreamProxies(): Promise<ProxyList> {
  proxies ??= load().catch((error) => {
    proxies = undefined;
    throw error;
  });
  return proxies;
}

async function load(): Promise<ProxyList> {
  const name = proxiesParameter();
  if (name === undefined) return [];
  const { Parameter } = await ssm().send(new GetParameterCommand({ Name: name, WithDecryption: true }));
  try {
    return parseProxyList(Parameter?.Value ?? "");
  } catch (cause) {
    if (!(cause instanceof ValidationError)) throw cause;
    log.error("The list of upstream proxies is invalid", { parameter: name, problems: cause.problems });
    throw new RunFailure(
      "proxy_failed",
      "The service's list of proxies is invalid. Ask the operator of the service to correct it; the log lists the errors.",
      { transient: false, cause },
    );
  }
}
