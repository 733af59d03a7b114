import * as v from "valibot";
import { limitedList } from "../limited-list.ts";
import { namedValues } from "../named-values.ts";

const ENTRIES_MAX = 50;
const VALUE_MAX = 4_000;

/** Headers that belong to a connection or a message, or that have a field of their own. Chromium refuses most of them. */
const RESERVED =
  /^(host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|user-agent|origin|proxy-.*)$/i;

const value = v.pipe(
  v.string(),
  v.maxLength(VALUE_MAX, `must be at most ${VALUE_MAX} characters`),
  v.regex(/^([!-~]([ -~]*[!-~])?)?$/, "must be printable ASCII without leading or trailing spaces"),
  v.description("`{{secret:name}}` is replaced by the account's secret when it is sent."),
);

const Headers = v.pipe(
  namedValues(v.string(), value),
  v.check(
    (headers) => Object.keys(headers).length <= ENTRIES_MAX,
    `must have at most ${ENTRIES_MAX} headers`,
  ),
  v.check(
    (headers) => Object.keys(headers).every((name) => /^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,200}$/.test(name)),
    "must have valid names of headers",
  ),
  v.check(
    (headers) => !Object.keys(headers).some((name) => RESERVED.test(name)),
    "must not set Host, User-Agent, Origin, Content-*, Proxy-*, or headers of the connection; user_agent has a field of its own",
  ),
);

export const Cookie = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(/^[!#$%&'*+\-.^_`|~\dA-Za-z]{1,200}$/, "must be a valid name of a cookie"),
  ),
  value: v.pipe(value, v.regex(/^[^;,"\\ ]*$/, 'must not have spaces, ", comma, semicolon or backslash')),
});

/** For HTTP authentication (Basic, Digest, NTLM). */
export const HttpCredentials = v.strictObject({
  username: v.pipe(value, v.minLength(1, "must not be empty")),
  password: value,
});

const AcceptStatus = v.pipe(
  limitedList(
    v.array(v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599, "must be 400 to 599"))),
    ENTRIES_MAX,
    `must have at most ${ENTRIES_MAX} statuses`,
  ),
  v.minLength(1, "must have at least one status"),
);

/** What requests to the scraper's own hosts carry, and which of their responses are read. */
export const siteAccess = {
  headers: v.optional(
    v.pipe(Headers, v.description("Sent with all requests to the hosts that the scraper's addresses name.")),
  ),
  cookies: v.optional(
    v.pipe(
      limitedList(v.array(Cookie), ENTRIES_MAX, `must have at most ${ENTRIES_MAX} cookies`),
      v.description("Set for the hosts that the scraper's addresses name, before the first page is opened."),
    ),
  ),
  http_credentials: v.optional(HttpCredentials),
  accept_status: v.optional(
    v.pipe(AcceptStatus, v.description("Statuses of errors with which pages are read all the same.")),
  ),
};

const Access = v.object(siteAccess);
export type SiteAccess = Pick<v.InferOutput<typeof Access>, "headers" | "cookies" | "http_credentials">;

/** The texts in which secrets are filled in. */
export const accessTexts = ({ headers = {}, cookies = [], http_credentials }: SiteAccess): string[] => [
  ...Object.values(headers),
  ...cookies.map((cookie) => cookie.value),
  ...(http_credentials ? [http_credentials.username, http_credentials.password] : []),
];
