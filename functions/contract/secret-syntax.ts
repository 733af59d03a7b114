/** A secret as a definition names it: `{{secret:name}}`. */
const REFERENCE = /\{\{secret:([A-Za-z0-9_-]{1,64})\}\}/g;
/** What somebody means as one, however it is written. */
const ATTEMPT = /\{\{\s*secret\b/gi;

/** What a secret may be called. */
export const SECRET_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export const referenceTo = (name: string) => `{{secret:${name}}}`;

/** The names of the secrets that a text refers to, each once. */
export const secretsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(REFERENCE)].map(([, name]) => name as string)),
];

/** Whether a text has references to secrets, or what is meant as one. */
export const mentionsSecret = (text: string): boolean => text.search(ATTEMPT) >= 0;

/** Whether every reference that a text is meant to have is one. */
export const hasOnlyWholeReferences = (text: string): boolean => !mentionsSecret(text.replace(REFERENCE, ""));

/** The text with each reference replaced by what `resolve` has for its name. */
export const fillIn = (text: string, resolve: (name: string) => string): string =>
  text.replace(REFERENCE, (_, name: string) => resolve(name));

/**
 * An address of somebody else's as one that refers to no secret: what a page has written into its own address must
 * not be taken for a reference. A server reads both alike.
 */
export const withoutReferences = (url: string): string =>
  url.replace(ATTEMPT, (text) => text.replace("{{", "%7B%7B"));
