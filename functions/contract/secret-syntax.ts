/** A reference to a secret in a definition: `{{secret:name}}`. */
const REFERENCE = /\{\{secret:([A-Za-z0-9_-]{1,64})\}\}/g;
/** The beginning of a reference, also of a malformed one. */
const ATTEMPT = /\{\{\s*secret\b/gi;

/** Matches valid names of secrets. */
export const SECRET_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The reference to a secret, as it is written in a definition. */
export const referenceTo = (name: string) => `{{secret:${name}}}`;

/** The names of the secrets that a text refers to, each once. */
export const secretsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, name]) => name as string)),
];

/** Whether a text has references to secrets, well-formed or not. */
export const mentionsSecret = (text: string): boolean => text.search(ATTEMPT) >= 0;

/** Whether every reference in a text is well-formed. */
export const hasOnlyWholeReferences = (text: string): boolean => !mentionsSecret(text.replace(REFERENCE, ""));

/** The text with each reference replaced by what `resolve` returns for its name. */
export const fillIn = (text: string, resolve: (name: string) => string): string =>
  text.replace(REFERENCE, (_, name: string) => resolve(name));

/**
 * The address of a page with encoded braces, so that it contains no reference. A page can write `{{secret:…}}` into
 * its own address to get a secret. Servers decode the braces, so the address stays the same for them.
 */
export const withoutReferences = (url: string): string =>
  url.replace(ATTEMPT, (text) => text.replace("{{", "%7B%7B"));
