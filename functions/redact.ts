/** Replaces each redacted text. */
const REDACTED = "***";

/** Fields whose whole value is redacted. */
const PRIVATE_FIELDS =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie|x-api-key|api_?key|pass(?:word|wd)?|secrets?|(?:access_?|refresh_?|id_?)?token|credentials?|webhook-signature)$/i;

/** Query parameters that grant access to an address. */
const SIGNING =
  /(?:^|[&;])(?:x-(?:amz|goog|oss|ms)-[a-z-]*(?:signature|credential|token)|[a-z_-]*sig(?:nature)?|[a-z_-]*token|[a-z_-]*key(?:[_-]?(?:pair[_-]?)?id)?|[a-z_-]*secret|pass(?:word|wd)?|auth(?:orization)?|code|credential|jwt)=/i;

const API_KEY = /\bglr_[0-9A-Za-z]+/g;
const WEBHOOK_SECRET = /\bwhsec_[0-9A-Za-z+/=_-]+/g;
const SCHEME_AND_CREDENTIALS = /\b(Bearer|Basic|Digest|Negotiate)(\s+|%20)[0-9A-Za-z+/=._~-]+/gi;
const TICKET = /\bticket_[0-9A-Za-z_-]+/g;
/** A header in a text, as `authorization: …` or as a JSON field. */
const HEADER =
  /\b((?:proxy-)?authorization|(?:set-)?cookie|x-api-key|webhook-signature)(\\?["']?\s*[:=]\s*\\?["']?)[^\r\n"'\\]+/gi;
/** Looks back at one character of the scheme: to search for its start takes time by the square of the text's length. */
const USER_INFO = /(?<=[a-z0-9+.-]:\/\/)[^\s/?#"'<>]+@/gi;
const QUERY = /\?([^\s#"'<>\\]+)/g;

/** Redacts API keys, credentials and the queries of signed addresses in a text. */
export const redactText = (text: string): string =>
  text
    .replace(USER_INFO, `${REDACTED}@`)
    .replace(QUERY, (all, query: string) => (SIGNING.test(query) ? `?${REDACTED}` : all))
    .replace(HEADER, `$1$2${REDACTED}`)
    .replace(SCHEME_AND_CREDENTIALS, `$1$2${REDACTED}`)
    .replace(API_KEY, `glr_${REDACTED}`)
    .replace(TICKET, `ticket_${REDACTED}`)
    .replace(WEBHOOK_SECRET, `whsec_${REDACTED}`);

/** A replacer for JSON.stringify that redacts the fields of a log entry at any depth. */
export function redactField(key: string, value: unknown): unknown {
  if (PRIVATE_FIELDS.test(key) && value !== null && value !== undefined) return REDACTED;
  return typeof value === "string" ? redactText(value) : value;
}
