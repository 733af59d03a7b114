/**
 * A reference to a secret in a definition: `{{secret:name}}`, or `{{totp:name}}` for a one-time code that is made from it.
 */
const REFERENCE = /\{\{(secret|totp):([A-Za-z0-9_-]{1,64})\}\}/g;
/** The beginning of a reference, also of a malformed one. */
const ATTEMPT = /\{\{\s*(?:secret|totp)\b/gi;
const CODE = /\{\{\s*totp\b/i;

/** Matches valid names of secrets. */
export const SECRET_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The reference to a secret, as it is written in a definition. */
export const referenceTo = (name: string) => `{{secret:${name}}}`;

/** The names of the secrets that a text refers to, each once. */
export const secretsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, , name]) => name as string)),
];

/** Whether a text has references to secrets, well-formed or not. */
export const mentionsSecret = (text: string): boolean => text.search(ATTEMPT) >= 0;

/** Whether a text refers to a one-time code. */
export const mentionsCode = (text: string): boolean => CODE.test(text);

/** Whether every reference in a text is well-formed. */
export const hasOnlyWholeReferences = (text: string): boolean => !mentionsSecret(text.replace(REFERENCE, ""));

/** What is filled in in place of a reference: the value of the secret, or a code made from it. */
export type ReferenceKind = "secret" | "totp";

/** The text with each reference replaced by what `resolve` returns for its name. */
export const fillIn = (text: string, resolve: (name: string, kind: ReferenceKind) => string): string =>
  text.replace(REFERENCE, (_, kind: ReferenceKind, name: string) => resolve(name, kind));

/**
 * The address of a page with encoded braces, so that it contains no reference. A page can write `{{secret:…}}` into
 * its own address to get a secret. Servers decode the braces, so the address stays the same for them.
 */
export const withoutReferences = (url: string): string =>
  url.replace(ATTEMPT, (text) => text.replace("{{", "%7B%7B"));
