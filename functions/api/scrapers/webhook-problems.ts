import { isIP } from "node:net";
import { POSTGRES_PORT } from "../../contract/scrapers/delivery.ts";
import type { Problem } from "../../contract/validate.ts";
import { isPublicAddress, parseAuthority, targetName } from "../../egress/policy/address-policy.ts";
import { authorityOf } from "../../egress/policy/authority.ts";
import { fieldsOf } from "../runs/fields-of.ts";

/**
 * Rejects a webhook to an IP address that is not public, because it could never be delivered. Host names are checked at
 * each delivery.
 */
export function webhookProblems(body: unknown, allowHosts: readonly string[]): Problem[] {
  const { webhook_url: url } = fieldsOf(body);
  const message = hostProblem(url, allowHosts);
  return message === undefined ? [] : [{ path: "webhook_url", message }];
}

/** The problem of an address whose host is an IP address that is not public; undefined if there is none, or no address. */
function hostProblem(text: unknown, allowHosts: readonly string[]): string | undefined {
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url === null) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isAllowed = allowHosts.some((allowed) => {
    const authority = parseAuthority(allowed);
    return authority !== null && targetName(authority) === targetName(url);
  });
  if (isIP(host) === 0 || isAllowed || isPublicAddress(host)) return undefined;
  return `must have a public host; ${host} is not a public address`;
}

interface Operator {
  allowHosts: () => readonly string[];
  hasFolder?: () => boolean;
}

const NO_FOLDER =
  "can't be folder: the operator of the service allows no folder. It can, on one machine, with --deliver-to. On AWS, use s3";

/** The problems of a scraper's webhook and destinations that depend on what the operator allows. */
export function addressProblems(body: unknown, { allowHosts, hasFolder }: Operator): Problem[] {
  const { deliveries } = fieldsOf(body);
  const all = Array.isArray(deliveries) ? deliveries.map(fieldsOf) : [];
  return [
    ...webhookProblems(body, allowHosts()),
    ...all.flatMap(({ type, endpoint, host, port }, index) => {
      const addresses = {
        endpoint,
        ...(typeof host === "string" && {
          host: `http://${authorityOf(host, Number(port ?? POSTGRES_PORT))}`,
        }),
      };
      return [
        ...(type === "folder" && !hasFolder?.()
          ? [{ path: `deliveries[${index}].type`, message: NO_FOLDER }]
          : []),
        ...Object.entries(addresses).flatMap(([field, address]) => {
          const message = hostProblem(address, allowHosts());
          return message === undefined ? [] : [{ path: `deliveries[${index}].${field}`, message }];
        }),
      ];
    }),
  ];
}
