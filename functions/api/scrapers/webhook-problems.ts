import { isIP } from "node:net";
import type { Problem } from "../../contract/validate.ts";
import { isPublicAddress, parseAuthority, targetName } from "../../egress/address-policy.ts";
import { fieldsOf } from "../runs/fields-of.ts";

/**
 * Rejects a webhook to an IP address that is not public, because it could never be delivered. Host names are checked at
 * each delivery.
 */
export function webhookProblems(body: unknown, allowHosts: readonly string[]): Problem[] {
  const { webhook_url: text } = fieldsOf(body);
  const url = typeof text === "string" ? URL.parse(text) : null;
  if (url === null) return [];
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isAllowed = allowHosts.some((allowed) => {
    const authority = parseAuthority(allowed);
    return authority !== null && targetName(authority) === targetName(url);
  });
  if (isIP(host) === 0 || isAllowed || isPublicAddress(host)) return [];
  return [{ path: "webhook_url", message: `must have a public host; ${host} is not a public address` }];
}
