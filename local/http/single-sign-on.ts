import { BlockList, isIP } from "node:net";
import * as v from "valibot";
import { HttpError } from "../../functions/api/http-error.ts";
import type { ApiEvent, Identify } from "../../functions/api/types.ts";
import { SCOPES, type Scope } from "../../functions/contract/scope.ts";
import { validate } from "../../functions/contract/validate.ts";
import { isLoopback } from "../../functions/egress/policy/is-loopback.ts";
import { UsageError } from "../data/data-folder.ts";

/*
 * People sign in at a reverse proxy, which names the user of each request in a header. The header counts only in
 * connections from the addresses of that proxy, because everybody else could write anything into it. As browsers send the
 * proxy's cookies with requests of any page, requests of other origins are refused.
 */

const Role = v.picklist(SCOPES, `must be one of ${SCOPES.join(", ")}`);
const RolesByName = v.record(v.pipe(v.string(), v.minLength(1, "must not be empty")), Role);

/** The content of the file of `--user-roles`. */
const UserRoles = v.strictObject({
  users: v.optional(RolesByName, {}),
  groups: v.optional(RolesByName, {}),
  /** The role of all other users that the proxy lets through; none if it is absent. */
  others: v.optional(Role),
});
export type UserRoles = v.InferOutput<typeof UserRoles>;

/** @throws ValidationError */
export function parseUserRoles(text: string): UserRoles {
  let roles: unknown;
  try {
    roles = JSON.parse(text);
  } catch {
    return validate(v.never("must be JSON"), text);
  }
  return validate(UserRoles, roles);
}

/** What the options of `start` say about single sign-on. */
export interface SignOnOptions {
  port: number;
  host?: string | undefined;
  allowHost?: readonly string[] | undefined;
  trustUserHeader?: string | undefined;
  trustGroupsHeader?: string | undefined;
  /** Addresses, or networks such as 10.0.0.0/8. */
  trustedProxy?: readonly string[] | undefined;
}

/** Single sign-on by a proxy. */
export interface SignOn {
  /** The header with the user, in lower case. */
  userHeader: string;
  /** The header with the user's groups, separated by commas, in lower case. */
  groupsHeader: string | undefined;
  proxies: BlockList;
  roles: UserRoles;
}

/** Headers that carry something else. */
const OTHER_HEADERS =
  /^(authorization|cookie|host|origin|content-.*|sec-.*|gleaner-.*|x-forwarded-(for|host|proto|port))$/;
const HEADER_NAME = /^[a-z0-9-]{1,100}$/;

/**
 * Checks the options of single sign-on. Returns undefined if it is off.
 * @throws UsageError for combinations that would let everybody in
 */
export function signOnOf(options: SignOnOptions, roles: UserRoles | undefined): SignOn | undefined {
  const { host = "localhost", trustUserHeader, trustGroupsHeader, trustedProxy } = options;
  if (trustUserHeader === undefined) {
    const [name] = Object.entries({
      "--trust-groups-header": trustGroupsHeader,
      "--trusted-proxy": trustedProxy,
      "--user-roles": roles,
    }).find(([, value]) => value !== undefined) ?? [undefined];
    if (name !== undefined) throw new UsageError(`${name} needs --trust-user-header, which it is for.`);
    return undefined;
  }
  if (roles === undefined)
    throw new UsageError(
      "--trust-user-header needs --user-roles, a file that says what each user may do: see docs/single-sign-on.md.",
    );
  if (!isLoopback(host) && trustedProxy === undefined)
    throw new UsageError(
      `With --host ${host}, others can reach the service, and could write any name into the header of --trust-user-header. Name the addresses of your proxy with --trusted-proxy.`,
    );
  const own = options.allowHost?.find((each) => each.endsWith(`:${options.port}`));
  if (own !== undefined)
    throw new UsageError(
      `--allow-host ${own} seems to be this service. With --trust-user-header, a scraper could send it a request in the name of any user.`,
    );
  return {
    userHeader: headerOf("--trust-user-header", trustUserHeader),
    groupsHeader: trustGroupsHeader && headerOf("--trust-groups-header", trustGroupsHeader),
    proxies: networksOf(trustedProxy ?? ["127.0.0.0/8", "::1"]),
    roles,
  };
}

function headerOf(option: string, name: string): string {
  const header = name.toLowerCase();
  if (HEADER_NAME.test(header) && !OTHER_HEADERS.test(header)) return header;
  throw new UsageError(
    `${option} ${name} can't be used. Name a header that only your proxy sets, such as X-Forwarded-User.`,
  );
}

/** @throws UsageError for what is no network, or one that contains most of the internet */
function networksOf(texts: readonly string[]): BlockList {
  const networks = new BlockList();
  for (const text of texts) {
    const [address = "", bits] = text.split("/");
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    const length = bits === undefined ? most : Number(bits);
    if (family === 0 || !/^\d{1,3}$/.test(bits ?? "0") || length > most)
      throw new UsageError(`--trusted-proxy ${text} is not an IP address, or a network such as 10.0.0.0/8.`);
    if (length < 8)
      throw new UsageError(`--trusted-proxy ${text} trusts too many addresses. Name those of your proxy.`);
    networks.addSubnet(address, length, family === 4 ? "ipv4" : "ipv6");
  }
  return networks;
}

/** Whether a connection comes from a proxy. IPv4 addresses may have the form that IPv6 sockets give them. */
function isProxy(proxies: BlockList, address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
  const family = isIP(plain);
  return family !== 0 && proxies.check(plain, family === 4 ? "ipv4" : "ipv6");
}

/** Longer names are no names of users. A comma separates several headers, of which a client may have sent the first. */
const USER = /^[^\p{C},]{1,200}$/u;

/**
 * Returns a function that tells who the proxy says has sent a request; undefined if the request does not come from the
 * proxy, or names nobody. It throws HttpError 401 for an unusable name, and 403 for a user without a role and for a request of
 * another origin.
 */
export const createIdentify =
  ({ userHeader, groupsHeader, proxies, roles }: SignOn, account: string): Identify =>
  ({ headers, httpMethod, requestContext }) => {
    const text = headers[userHeader];
    if (text === undefined || !isProxy(proxies, requestContext.identity.sourceIp)) return undefined;
    // Node.js reads the bytes of headers as Latin-1. Proxies send UTF-8.
    const user = Buffer.from(text, "latin1").toString().trim();
    if (!USER.test(user))
      throw new HttpError(401, `The header ${userHeader} does not have the name of one user.`);
    if (!isOwnOrigin(headers, httpMethod))
      throw new HttpError(
        403,
        "Only the console itself can use the session of a signed-in user. Programs need an API key.",
      );
    const groups = (groupsHeader === undefined ? "" : (headers[groupsHeader] ?? ""))
      .split(",")
      .map((name) => name.trim());
    const scope = roleOf(roles, user, groups);
    if (scope === undefined)
      throw new HttpError(403, `The user "${user}" has no role. Ask the operator of the service for one.`);
    return { account, user, scope };
  };

/** The role of the user itself, or else the highest one of its groups, or else that of all others. */
function roleOf(
  { users, groups, others }: UserRoles,
  user: string,
  names: readonly string[],
): Scope | undefined {
  if (Object.hasOwn(users, user)) return users[user];
  const ofGroups = names.flatMap((name) => (Object.hasOwn(groups, name) ? [groups[name]] : []));
  return SCOPES.findLast((scope) => ofGroups.includes(scope)) ?? others;
}

/**
 * Whether a request comes from a page of this service, as browsers tell by Sec-Fetch-Site. Over http://, they don't send it;
 * then a request that can change something must have an Origin header, which the gateway has compared with the host.
 */
function isOwnOrigin(headers: ApiEvent["headers"], method: string): boolean {
  const site = headers["sec-fetch-site"];
  const isRead = method === "GET" || method === "HEAD";
  if (site !== undefined) return site === "same-origin" || (site === "none" && isRead);
  return isRead || headers.origin !== undefined;
}
