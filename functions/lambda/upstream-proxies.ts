import { GetParameterCommand } from "@aws-sdk/client-ssm";
import { ValidationError } from "../contract/validate.ts";
import { type ProxyList, parseProxyList } from "../egress/proxy-list.ts";
import { RunFailure } from "../runs/failure.ts";
import { proxiesParameter } from "./environment.ts";
import { log } from "./observe.ts";
import { ssm } from "./ssm.ts";

let proxies: Promise<ProxyList> | undefined;

/**
 * The operator's proxies. They are read once in a process's life, unless that failed.
 * @throws RunFailure `proxy_failed` when the list can't be used
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
    log.error("The list of upstream proxies can't be used", { parameter: name, problems: cause.problems });
    throw new RunFailure(
      "proxy_failed",
      "The service's list of proxies can't be used. Ask its operator to look at it: the log says what is wrong.",
      { transient: false, cause },
    );
  }
}
