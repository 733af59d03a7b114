import { resolve } from "node:path";
import type { ServiceFacts } from "../console/build/service-facts.ts";
import { isLoopback } from "../functions/egress/policy/is-loopback.ts";
import { isDefaultData } from "./client/target.ts";

/** Those of the options of the service that its console is told about. */
interface Options {
  exampleUrl?: string | undefined;
  data: string;
  host?: string | undefined;
  names?: readonly string[];
  publicUrl?: string | undefined;
  signOn?: object | undefined;
  proxies?: readonly { type: string }[];
}

/** What the console is told. The data folder is told on one machine only. */
export function factsOf({ host, ...options }: Options): ServiceFacts {
  const { exampleUrl, data, names = [], publicUrl, signOn, proxies = [] } = options;
  const listensLocally = host === undefined || isLoopback(host);
  return {
    exampleUrl,
    dataFolder: listensLocally && !isDefaultData(data) ? resolve(data) : undefined,
    proxies: [...new Set(proxies.map(({ type }) => type))],
    setsSecrets: true,
    // A proxy, through which others reach the service, needs one of the three.
    opensWindows: listensLocally && signOn === undefined && names.length === 0 && publicUrl === undefined,
    signsOn: signOn !== undefined,
  };
}
